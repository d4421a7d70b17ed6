extension YAMLTree {
    /// The decoded text of a scalar.
    func text(of record: NodeRecord) -> String {
        let range = Int(record.first)..<Int(record.first + record.count)
        // Each by itself: the choice of the two would count a reference to it.
        if record.flags.contains(.isDecoded) { return String(utf8: decoded, from: range) }
        return String(utf8: bytes, from: range)
    }

    /// What a scalar is in the core schema.
    func value(of record: NodeRecord) -> CoreValue { coreValue(record, in: bytes, decoded) }

    /// Whether as many bytes from `start` on are the decoded text of a scalar.
    func hasText(_ record: NodeRecord, _ text: [UInt8], from start: Int) -> Bool {
        for index in 0..<Int(record.count) where text[start + index] != self[record, index] {
            return false
        }
        return true
    }

    /// The first byte of the decoded text of a scalar; nil when it is empty.
    func firstByte(of record: NodeRecord) -> UInt8? { record.count == 0 ? nil : self[record, 0] }

    /// Whether one of two bytes stands in the decoded text of a scalar.
    func contains(_ record: NodeRecord, _ first: UInt8, _ second: UInt8) -> Bool {
        record.flags.contains(.isDecoded)
            ? Self.contains(decoded, record, first, second)
            : Self.contains(bytes, record, first, second)
    }

    private static func contains(
        _ bytes: borrowing [UInt8], _ record: NodeRecord, _ first: UInt8, _ second: UInt8
    ) -> Bool {
        for index in Int(record.first)..<Int(record.first + record.count) {
            let byte = bytes[index]
            if byte == first || byte == second { return true }
        }
        return false
    }

    /// A byte of the decoded text of a scalar.
    ///
    /// Unlike a slice or a span it counts no reference to the bytes, which is what the cores that read one file would get
    /// into each other's way with.
    private subscript(record: NodeRecord, index: Int) -> UInt8 {
        record.flags.contains(.isDecoded)
            ? decoded[Int(record.first) + index] : bytes[Int(record.first) + index]
    }

    /// Adds the scalars in a value, keys apart, in whose texts one of two bytes stands, in the order of the file. The parser
    /// bounds the depth.
    ///
    /// It adds numbers and calls nothing that is handed to it, so that no reference to the lists need be counted.
    func addTexts(
        withAnyOf first: UInt8, _ second: UInt8, in place: UInt32, to found: inout [UInt32]
    ) {
        var record = records[Int(place)]
        if record.kind == .alias { record = records[Int(record.first)] }
        let end = Int(record.first + record.count)
        switch record.kind {
        case .scalar, .alias:
            if contains(record, first, second) { found.append(place) }
        case .sequence, .mapping:
            let isMapping = record.kind == .mapping
            var child = Int(record.first) + (isMapping ? 1 : 0)
            while child < end {
                addTexts(withAnyOf: first, second, in: children[child], to: &found)
                child += isMapping ? 2 : 1
            }
        }
    }
}
