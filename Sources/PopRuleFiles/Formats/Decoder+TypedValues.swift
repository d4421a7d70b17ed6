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
        if type == .version, case .string? = node.coreValue {
            return mismatch(
                type.schema, at: node, check: check,
                help: ["use numbers joined by dots, in quotes, such as `\"1.12.0\"`"])
        }
        let help = node.helpOnBounds(of: type)
        if !help.isEmpty {
            report(.outOfBounds(subjectOfValue, type: type, check: check, at: node, help: help))
            return nil
        }
        return mismatch(type.schema, at: node, check: check)
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
            help =
                "put the version in quotes: `\(edit)`; without quotes, YAML reads the number `\(read)`"
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
                : "write only the version, in quotes: `\(edit)`"
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
            guard entry.key.kind == .scalar || decoder.name(ofKey: entry.key) != nil else {
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
            report(
                .outOfBounds(
                    subjectOfValue, type: .dyn, check: check, at: node,
                    help: node.helpOnBounds(of: .dyn)))
            return nil
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
                ? ["use a number of at least `-1.79e308`, or `-.inf` for minus infinity"]
                : ["use a number of at most `1.79e308`, or `.inf` for infinity"]
        case (.unsigned?, .int), (.hugeInteger?, .int),
            (.float?, .int) where isBeyondDoubles:
            return ["use an integer from `\(Int64.min)` to `\(Int64.max)`"]
        case (.int?, .uint), (.hugeInteger?, .uint),
            (.float?, .uint) where isBeyondDoubles:
            return ["use an integer from `0` to `\(UInt64.max)`"]
        case (.hugeInteger?, .double), (.hugeInteger?, .dyn):
            return ["use the form `1e20` for a number with so many digits"]
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

/// A key with a list of values that is compared with single values of such lists.
struct Membership {
    let key: Located<String>
    let test: ConditionModel.Test
    /// The place of all comparisons with the key.
    let place: SourceRange
    /// The values, as they are written in a list in brackets.
    private let items: [String]
    private let isPlain: Bool
    /// True if the key is alone in its map, and the test is the only one of the key.
    private let isAlone: Bool
    /// True if it is below `not`.
    private let isBelowNot: Bool

    /// Nil if the key can be compared with all of the written values, and nothing else is likely.
    init?(
        _ match: ConditionModel.KeyMatch, test: ConditionModel.Test, element: CELType,
        isAlone: Bool, in source: SourceFile
    ) {
        let operand = test.operand
        isPlain = operand.range == test.matcher.range
        let nodes = operand.kind == .sequence ? operand.items.map { $0 } : [operand]
        guard [.eq, .ne, .in, .notIn].contains(test.matcher.value), !nodes.isEmpty,
            nodes.count <= 20, nodes.allSatisfy({ $0.kind == .scalar && !$0.isBroken })
        else { return nil }
        // A list after `eq` or `ne` can be meant as a whole.
        let isWhole = test.matcher.value == .eq || test.matcher.value == .ne
        if isWhole, !isPlain, operand.kind == .sequence { return nil }
        if case .list = element { return nil }
        key = match.key
        self.test = test
        place = match.value
        self.isAlone = isAlone && match.tests.count == 1
        isBelowNot = match.isNegated
        items = nodes.allSatisfy { $0.fits(element) } ? Self.items(nodes, in: source) : []
    }

    /// True if the written value is a list that may be meant as the whole value of the key.
    var isList: Bool { isPlain && test.operand.kind == .sequence }

    /// In brackets; nothing when that needs more than a line.
    private static func items(_ nodes: [YAMLNode], in source: SourceFile) -> [String] {
        var items: [String] = []
        for node in nodes {
            let text = source.text(in: node.range)
            let parts = (node.text ?? "").split(separator: ",").map { $0.filter { $0 != " " } }
            if nodes.count == 1, parts.count > 1, !text.contains("\n"),
                parts.allSatisfy({ NameForm.dotted.fits($0.utf8) })
            {
                return parts
            }
            guard !text.contains("\n"),
                !node.isPlain || !text.contains(where: { ",[]{}".contains($0) })
            else { return [] }
            items.append(text)
        }
        return items
    }

    private var isNegated: Bool { test.matcher.value == .ne || test.matcher.value == .notIn }

    private var parts: String {
        items.map { "{ \(key.value): { contains: \($0) } }" }.joined(separator: ", ")
    }

    /// The replacements of the whole entry.
    private var readings: [Reading] {
        if items.isEmpty { return [] }
        if isNegated { return [Reading("none: [\(parts)]", isExact: false)] }
        guard items.count > 1 else {
            return [Reading("\(key.value): { contains: \(items[0]) }", isExact: false)]
        }
        return [
            Reading(
                "any: [\(parts)]", meaning: "that `\(key.value)` contains one of these values",
                isExact: false),
            Reading(
                "all: [\(parts)]", meaning: "that `\(key.value)` contains all of these values",
                isExact: false),
        ] + (isList ? [whole] : [])
    }

    private var whole: Reading {
        Reading(
            "\(key.value): { eq: [\(items.joined(separator: ", "))] }",
            meaning: "that `\(key.value)` is exactly this list", isExact: false)
    }

    var finding: Diagnostic {
        let operand = test.operand.range
        var diagnostic: Diagnostic =
            isList
            ? .comparedWithWhole(key.value, at: operand)
            : .comparedWithPart(
                key.value, matcher: test.matcher.value, isPlain: isPlain, at: operand)
        if isBelowNot {
            diagnostic.help = [
                test.matcher.value == .in && !items.isEmpty
                    ? "use `none: [\(parts)]` instead of the key `\(key.value)` to check that the"
                        + " list contains none of these values"
                    : "use `not: { contains: … }` to check that a list does not contain a value;"
                        + " for several values, write a list of conditions under `none`"
            ]
            return diagnostic
        }
        let readings = isList && items.count == 1 ? readings + [whole] : readings
        if isAlone, !readings.isEmpty {
            diagnostic.help =
                readings.count == 2 && items.count == 1
                ? zip(readings, ["contains this value", "is exactly this list"]).map {
                    "if you mean that `\(key.value)` \($1): `\($0.text)`"
                } : readings.help
            diagnostic.fixes = readings.fixes(at: key.range.union(place)).map(\.uncertain)
            return diagnostic
        }
        if items.count == 1, !isNegated, !isList {
            diagnostic.help = readings.help
            let isWhole = place == test.operand.range
            diagnostic.fixes =
                isWhole
                ? readings.fixes(at: key.range.union(place))
                : [Reading("contains: \(items[0])", isExact: false)]
                    .fixes(at: test.matcher.range.union(operand))
            return diagnostic
        }
        diagnostic.help = [
            items.isEmpty
                ? "use `contains` to check what a list contains; for several values, write a list"
                    + " of conditions under \(isNegated ? "`none`" : "`any` or `all`")"
                : "use `contains` to check what a list contains, such as"
                    + " `\(isNegated ? "none" : "any"): [\(parts)]`"
        ]
        return diagnostic
    }
}

extension Diagnostic.Fix {
    /// The same for a fix that may not be what the author meant.
    fileprivate var uncertain: Self { Self(title, edits: edits, isSafe: false) }
}

extension YAMLNode {
    /// Returns true if the value can be an element of a list of the type.
    fileprivate func fits(_ element: CELType) -> Bool {
        switch (coreValue, element) {
        case (.string?, .string), (.bool?, .bool): true
        case (.int?, .int), (.int?, .uint), (.int?, .double), (.float?, .double): true
        case (nil, _), (.null, _), (.bool, _), (.int, _), (.unsigned, _), (.hugeInteger, _),
            (.float, _), (.string, _):
            element == .dyn
        }
    }
}

extension Diagnostic {
    fileprivate static func comparedWithPart(
        _ key: String, matcher: Matcher, isPlain: Bool, at range: SourceRange
    ) -> Self {
        let isWhole = matcher == .eq || matcher == .ne
        return Diagnostic(
            .conditionTypeMismatch,
            message: isWhole
                ? "`\(key)` is a list, which is never equal to a single value"
                : "`\(key)` is a list, and `\(matcher.rawValue)` compares the whole list",
            at: range,
            label: isWhole ? "not a list" : "each of these items is a single value, not a list")
    }

    /// Returns the finding that a number is beyond those of its type, or has too many digits.
    fileprivate static func outOfBounds(
        _ subject: String, type: CELType, check: Check, at node: YAMLNode, help: [String]
    ) -> Self {
        let isLong = if case .hugeInteger? = node.coreValue { true } else { false }
        let isInteger = type == .int || type == .uint
        let text = "`\(node.nameForMessages)`"
        let range = isInteger ? "the type `\(type)`" : "numbers"
        return Diagnostic(
            check,
            message: isLong && !isInteger
                ? "\(subject) has too many digits: \(text)"
                : "\(subject) is outside the range of \(range): \(text)",
            at: node.range, label: isLong && !isInteger ? "too many digits" : "out of range",
            help: help)
    }

    fileprivate static func comparedWithWhole(_ key: String, at range: SourceRange) -> Self {
        Diagnostic(
            .conditionSuspiciousCompare,
            message: "`\(key)` is compared as a whole with a list of values", at: range,
            label: "matches only a list of exactly these values, in this order")
    }
}
