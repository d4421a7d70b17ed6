package import PopCEL
package import PopSource
package import PopYAML

extension Decoder {
    /// The value of a node if a value of `type` is expected.
    ///
    /// Integers become doubles if doubles are expected; a string becomes a duration, a time or
    /// bytes (UTF-8). `check` is the check that reports a value of another type.
    package mutating func value(
        _ node: YAMLNode, as type: CELType, check: Check = .schemaType
    ) -> Value? {
        if node.isBroken { return nil }
        switch type {
        case .list(let element):
            guard node.kind == .sequence else { break }
            return nested(node, atMost: limits.valueDepth) { decoder in
                decoder.list(node, of: element, check: check)
            }
        case .map(let key, let value):
            guard node.kind == .mapping else { break }
            return nested(node, atMost: limits.valueDepth) { decoder in
                decoder.map(node.entries, from: key, to: value, check: check)
            }
        case .dyn: return anyValue(node, check: check)
        case .duration where node.kind == .scalar: return duration(node).map { .duration($0) }
        case .null, .bool, .int, .uint, .double, .string, .bytes, .timestamp, .duration, .version,
            .optional, .type, .wrapper, .opaque, .parameter:
            if let value = scalarValue(node, as: type) { return value }
        }
        if case .timestamp = type, let text = node.scalar?.text {
            return mismatch(type.schema, at: node, time: text, check: check)
        }
        if type == .version, let help = versionHelp(node) {
            return mismatch(
                type.schema, at: node, check: check, help: [help.text], fixes: help.fixes)
        }
        return mismatch(type.schema, at: node, check: check, help: node.helpOnBounds(of: type))
    }

    /// Returns help on a version without quotes, which YAML reads as a number, on one with a
    /// leading `v`, and on one written as in an expression.
    private func versionHelp(_ node: YAMLNode) -> (text: String, fixes: [Diagnostic.Fix])? {
        guard let text = node.scalar?.text, let value = node.coreValue else { return nil }
        let edit: String
        let help: String
        switch value {
        case .int, .float, .unsigned, .hugeInteger:
            guard Version(text) != nil, let number = Double(text) else { return nil }
            edit = "\"\(text)\""
            let read = Value.double(number).plainText ?? text
            help = "put the version in quotes: `\(edit)`; without quotes it is the number `\(read)`"
        case .string:
            let call = text.wholeMatch(of: #/version\(["'](.+)["']\)/#)
            let isMarked = text.first == "v" || text.first == "V"
            guard let inner = call?.output.1 ?? (isMarked ? text.dropFirst() : nil),
                Version(String(inner)) != nil
            else { return nil }
            edit = "\"\(inner)\""
            help =
                call == nil
                ? "start the version with a number: `\(edit)`"
                : "write the version as a string: `\(edit)`"
        case .bool, .null: return nil
        }
        return (
            help,
            [
                Diagnostic.Fix(
                    "write `\(edit)`", edits: [.init(node.range, replacement: edit)], isSafe: true)
            ]
        )
    }

    /// The value of a map from strings to values of any type.
    mutating func content(_ node: YAMLNode) -> Value? {
        nested(node, atMost: limits.valueDepth) { decoder in
            let entries = node.entries
            var map = ValueMap()
            map.reserveCapacity(entries.count)
            // Most content is strings, which need no further check.
            var position = 0
            while position < entries.count, let (key, value) = entries.texts(at: position) {
                map.set(.string(key), to: .string(value))
                position += 1
            }
            if position == entries.count { return .map(map) }
            return decoder.map(entries, from: .string, to: .dyn, check: .schemaType)
        }
    }

    private func scalarValue(_ node: YAMLNode, as type: CELType) -> Value? {
        guard let value = node.coreValue else { return nil }
        switch (value, type) {
        case (.bool(let value), .bool): return .bool(value)
        case (.int(let value), .int): return .int(value)
        case (.int(let value), .uint): return UInt64(exactly: value).map { .uint($0) }
        case (.unsigned(let value), .uint): return .uint(value)
        case (.int(let value), .double): return .double(Double(value))
        case (.unsigned(let value), .double): return .double(Double(value))
        case (.float(let value), .double): return node.isBeyondDoubles ? nil : .double(value)
        case (.string, .string): return node.text.map { .string($0) }
        case (.string, .bytes): return node.text.map { .bytes(Array($0.utf8)) }
        case (.string, .version): return node.text.flatMap { Version($0) }.map { .version($0) }
        case (.string, .timestamp):
            guard let text = node.text else { return nil }
            if let day = daysSince1970(text) {
                return .timestamp(Timestamp(seconds: Int64(day) * 86_400))
            }
            return Timestamp(parsing: text).map { .timestamp($0) }
        case (.null, _), (.bool, _), (.int, _), (.unsigned, _), (.hugeInteger, _), (.float, _),
            (.string, _):
            return nil
        }
    }

    private mutating func list(_ node: YAMLNode, of element: CELType, check: Check) -> Value? {
        insideItem { decoder in
            var values: [Value] = []
            var isWhole = true
            for item in node.items {
                guard let value = decoder.value(item, as: element, check: check) else {
                    isWhole = false
                    continue
                }
                values.append(value)
            }
            return isWhole ? .list(values) : nil
        }
    }

    private mutating func map(
        _ entries: YAMLEntries, from keyType: CELType, to valueType: CELType, check: Check
    ) -> Value? {
        var map = ValueMap()
        map.reserveCapacity(entries.count)
        let cut = reportCutTexts(in: entries)
        var isWhole = cut.isEmpty
        insideKeys(of: entries) { position, decoder in
            if cut.contains(position) { return }
            let entry = entries[position]
            if entry.isKeyAlone(in: decoder.source) {
                let previous = position > 0 ? entries.value(at: position - 1) : nil
                decoder.report(.keyAlone(entry, behind: previous))
                isWhole = false
                return
            }
            let key = decoder.value(entry.key, as: keyType, check: check)
            let value = decoder.value(entry.value, as: valueType, check: check)
            if let key, let value { map[key] = value } else { isWhole = false }
        }
        return isWhole ? .map(map) : nil
    }

    /// The value that a node has by YAML only.
    private mutating func anyValue(_ node: YAMLNode, check: Check) -> Value? {
        switch node.kind {
        case .sequence:
            return nested(node, atMost: limits.valueDepth) { decoder in
                decoder.list(node, of: .dyn, check: check)
            }
        case .mapping:
            if reportBraces(node) { return nil }
            return nested(node, atMost: limits.valueDepth) { decoder in
                decoder.map(node.entries, from: .dyn, to: .dyn, check: check)
            }
        case .scalar: break
        }
        guard let value = node.coreValue else { return nil }
        switch value {
        case .null: return .null
        case .bool(let value): return .bool(value)
        case .int(let value): return .int(value)
        case .unsigned(let value): return .uint(value)
        case .float(let value) where !node.isBeyondDoubles: return .double(value)
        case .hugeInteger, .float:
            return mismatch(
                .number(-Double.infinity...Double.infinity), at: node, check: check,
                help: node.helpOnBounds(of: .dyn))
        case .string: return node.text.map { .string($0) }
        }
    }
}

extension YAMLNode {
    /// Returns help on the range of a type's numbers if this number is beyond it.
    fileprivate func helpOnBounds(of type: CELType) -> [String] {
        switch (coreValue, type) {
        case (.float?, .double) where isBeyondDoubles, (.float?, .dyn) where isBeyondDoubles:
            return text?.hasPrefix("-") == true
                ? ["use a number down to `-1.79e308`, or `-.inf` for minus infinity"]
                : ["use a number up to `1.79e308`, or `.inf` for infinity"]
        case (.unsigned?, .int), (.hugeInteger?, .int):
            return ["use an integer from `\(Int64.min)` to `\(Int64.max)`"]
        case (.int?, .uint), (.hugeInteger?, .uint):
            return ["use an integer from `0` to `\(UInt64.max)`"]
        case (.hugeInteger?, .double), (.hugeInteger?, .dyn):
            return ["write a number with this many digits in the form `1e20`"]
        case (nil, _), (.null, _), (.bool, _), (.int, _), (.unsigned, _), (.hugeInteger, _),
            (.float, _), (.string, _):
            return []
        }
    }

    /// True if it is a number in digits that is larger than any double.
    fileprivate var isBeyondDoubles: Bool {
        guard case .float(let value)? = coreValue, value.isInfinite else { return false }
        return text?.utf8.contains { (0x30...0x39).contains($0) } ?? false
    }
}
