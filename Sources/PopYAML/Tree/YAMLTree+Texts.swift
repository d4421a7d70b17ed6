internal import PopSource

extension YAMLTree {
    /// Returns the decoded text of a scalar.
    func text(of record: NodeRecord) -> String {
        let range = Int(record.first)..<Int(record.first + record.count)
        // Two separate calls: selecting one of the arrays first would retain it.
        if record.flags.contains(.isDecoded) { return String(utf8: decoded, from: range) }
        return String(utf8: bytes, from: range)
    }

    /// Returns the decoded text of a scalar in UTF-8.
    func utf8(of record: NodeRecord) -> ArraySlice<UInt8> {
        let range = Int(record.first)..<Int(record.first + record.count)
        return record.flags.contains(.isDecoded) ? decoded[range] : bytes[range]
    }

    /// Returns the map from the decoded text of a scalar back to the file.
    func textMap(of record: NodeRecord) -> TextMap {
        var map =
            record.flags.contains(.isDecoded)
            ? decodeScalar(record, in: bytes, file: file).map
            : TextMap(file: file, offset: Int(record.first), length: Int(record.count))
        map.quoting =
            switch record.style {
            case .plain: .plain
            case .singleQuoted: .single
            case .doubleQuoted: .double
            case .literal, .folded: .none
            }
        return map
    }

    /// Returns the value of a scalar in the core schema.
    func value(of record: NodeRecord) -> CoreValue {
        coreValue(record, in: bytes, decoded: decoded)
    }

    /// Returns the text of a scalar that is a string in the core schema; nil for anything else, and
    /// for values that were set aside.
    func textByCoreSchema(at place: UInt32) -> String? {
        var record = records[Int(place)]
        if record.kind == .alias { record = records[Int(record.first)] }
        guard record.kind == .scalar, !record.flags.contains(.isBroken),
            case .string = value(of: record)
        else { return nil }
        return text(of: record)
    }

    /// Returns true if the decoded text of a scalar contains a sign.
    private func hasSign(_ record: NodeRecord) -> Bool {
        record.flags.contains(.isDecoded)
            ? Self.hasSign(decoded, record: record) : Self.hasSign(bytes, record: record)
    }

    private static func hasSign(_ bytes: borrowing [UInt8], record: NodeRecord) -> Bool {
        let text = bytes.span.extracting(Int(record.first)..<Int(record.first + record.count))
        var found: UInt8 = 0
        // Without branches the compiler can process many bytes at the same time.
        for index in 0..<text.count {
            let byte = text[index]
            // Among these, the brackets and the backslash differ in one bit, or are consecutive.
            found |=
                ((byte | 0x20) &- UInt8(ascii: "{") < 3 ? 1 : 0)
                | (byte == UInt8(ascii: "%") ? 1 : 0) | (byte == 0xE2 ? 1 : 0)
        }
        return found != 0
    }

    /// Adds the scalars in a value, except keys, whose texts contain a sign, in the order of the
    /// file. The parser bounds the depth.
    ///
    /// It adds numbers and calls no closure, so that no reference to the lists needs to be counted.
    func addTextsWithSigns(in place: UInt32, to found: inout [UInt32]) {
        var record = records[Int(place)]
        if record.kind == .alias { record = records[Int(record.first)] }
        let end = Int(record.first + record.count)
        switch record.kind {
        case .scalar, .alias:
            if hasSign(record) { found.append(place) }
        case .sequence, .mapping:
            let isMapping = record.kind == .mapping
            var child = Int(record.first) + (isMapping ? 1 : 0)
            while child < end {
                addTextsWithSigns(in: children[child], to: &found)
                child += isMapping ? 2 : 1
            }
        }
    }
}
