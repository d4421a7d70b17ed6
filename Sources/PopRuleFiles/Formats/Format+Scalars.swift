internal import PopAdvice
internal import PopCEL
package import PopSource
internal import PopYAML

extension Format<Bool> {
    package static var bool: Self {
        Format(.bool) { node, decoder in
            if case .bool(let value)? = node.coreValue { return value }
            return decoder.mismatch(.bool, at: node)
        }
    }
}

extension Format<String> {
    /// A string, kept unchanged.
    package static var text: Self {
        Format(.text) { node, decoder in
            guard case .string? = node.coreValue, let text = node.text else {
                return decoder.mismatch(.text, at: node)
            }
            return text
        }
    }

    /// The name of someone, or a word: text that cannot end with a comma.
    static var nameOrWord: Self {
        Format(.text) { node, decoder in
            if let comma = decoder.trailingComma(node) {
                decoder.report(comma)
                return nil
            }
            return decoder.read(Format<String>.text, at: node)?.value
        }
    }

    /// The name of something that is declared elsewhere; its existence is checked when files are
    /// linked.
    package static func reference(to kind: String) -> Self {
        Format(.reference(kind)) { node, decoder in
            guard case .string? = node.coreValue, let text = node.text else {
                return decoder.mismatch(.reference(kind), at: node)
            }
            return text
        }
    }
}

extension Format<Int> {
    /// An integer within bounds.
    package static func integer(_ range: ClosedRange<Int>) -> Self {
        Format(.integer(range)) { node, decoder in
            let value: Int?
            switch node.coreValue {
            case .int(let number)?: value = Int(exactly: number)
            case .unsigned?, .hugeInteger?: value = nil
            case .float(let number)? where number.isWhole(beyond: range):
                value = Int(exactly: number)
            case nil, .null, .bool, .float, .string:
                return decoder.mismatch(
                    .integer(range), at: node, readings: countReadings(node, within: range))
            }
            guard let value, range.contains(value) else {
                var finding = Diagnostic.outside(
                    range, value: value, subject: decoder.subjectOfValue, at: node)
                if value == 0 { finding.help = helpWithNoImpressions(decoder.subjectOfValue) }
                decoder.report(finding)
                return nil
            }
            return value
        }
    }
}

/// Returns help on a cap of 0, which means no maximum in other tools; none for other keys.
private func helpWithNoImpressions(_ subject: String) -> [String] {
    guard subject == "`lifetime`" || subject == "`per_session`" else { return [] }
    return [
        "to set no maximum, remove \(subject)",
        "to never show the popup, write `enabled: false` in the popup",
    ]
}

/// Returns the meaning of a count in words: `once`, `2x`, `3 times`.
private func countReadings(_ node: YAMLNode, within range: ClosedRange<Int>) -> [Reading] {
    guard let text = node.scalar?.text.lowercased(), text.utf8.count <= longestReading else {
        return []
    }
    let words = ["once": 1, "one": 1, "twice": 2, "two": 2, "thrice": 3, "three": 3]
    let number = text.wholeMatch(of: #/(\d{1,7}) *(?:x|×|times?)/#).flatMap { Int($0.output.1) }
    guard let count = words[text] ?? number, range.contains(count) else { return [] }
    return [Reading("\(count)", isExact: false)]
}

extension Double {
    /// Returns true if it has no fraction and is not in the range.
    fileprivate func isWhole(beyond range: ClosedRange<Int>) -> Bool {
        guard rounded() == self else { return false }
        return Int(exactly: self).map { !range.contains($0) } ?? true
    }
}

extension Format<Int> {
    /// The version of a file format; the reader of the file decides which versions it knows.
    package static func version(_ known: Int) -> Self {
        let number = Format.integer(1...Int.max)
        return Format(.integer(known...known)) { node, decoder in
            decoder.read(number, at: node)?.value
        }
    }
}

extension Format<Double> {
    /// A number within bounds, with or without decimals.
    package static func number(_ range: ClosedRange<Double>) -> Self {
        Format(.number(range)) { node, decoder in
            let value: Double
            switch node.coreValue {
            case .int(let whole)?: value = Double(whole)
            case .unsigned(let whole)?: value = Double(whole)
            case .hugeInteger?: value = node.text.flatMap { Double($0) } ?? .infinity
            case .float(let decimal)? where !decimal.isNaN: value = decimal
            case nil, .null, .bool, .float, .string:
                let isInRange = node.scalar.flatMap { Double($0.text) }.map(range.contains)
                let help = ["write a number from 0 to 100, such as `20` for 20 percent"]
                return decoder.mismatch(
                    .number(range), at: node, readings: numberReadings(node, within: range),
                    help: range == 0...100 && isInRange != true ? help : [])
            }
            guard range.contains(value) else {
                decoder.report(
                    .outside(range, value: value, subject: decoder.subjectOfValue, at: node))
                return nil
            }
            return value
        }
    }
}

/// Returns the meaning of a number with a sign or a word after it: `20%`, `20 percent`, `1_000`.
private func numberReadings(_ node: YAMLNode, within range: ClosedRange<Double>) -> [Reading] {
    guard let text = node.scalar?.text.lowercased(), text.utf8.count <= longestReading else {
        return []
    }
    let number = text.replacing("%", with: "").replacing("percent", with: "")
        .replacing("pct", with: "").filter { $0 != " " }
    let point = number.replacing(",", with: ".")
    guard let meant = [number, point].first(where: { Double($0) != nil }), meant != text,
        Double(meant).map(range.contains) == true
    else { return [] }
    return [Reading(meant)]
}

extension Format
where Value: RawRepresentable & CaseIterable & Sendable, Value.RawValue == String {
    /// One of the words of an enumeration.
    ///
    /// `meaning` has other common words, folded, with the words that they mean.
    package static func word(
        _: Value.Type, meaning: [String: String] = [:], help: [String] = []
    ) -> Self {
        let values = Array(Value.allCases)
        let words = values.map(\.rawValue)
        let list = WordList(words)
        return Format(.word(words)) { node, decoder in
            if let index = list.index(of: node) { return values[index] }
            if let meant = node.scalar.flatMap({ meaning[$0.text.foldedForNames] }),
                words.contains(meant)
            {
                return decoder.noSuchWord(node, words: words, meant: meant)
            }
            let isNear = node.scalar.map { !similarNames(to: $0.text, among: words).isEmpty }
            return decoder.noSuchWord(node, words: words, help: isNear == true ? [] : help)
        }
    }
}

extension Decoder {
    /// Reports that a node isn't one of the words that its key takes, and returns nil.
    mutating func noSuchWord<Value>(
        _ node: YAMLNode, words: [String], phrase: String? = nil, meant: String? = nil,
        help: [String] = []
    ) -> Value? {
        reportNoSuchWord(
            node, words: words, phrase: phrase ?? alternatives(words), meant: meant, help: help)
        return nil
    }

    private mutating func reportNoSuchWord(
        _ node: YAMLNode, words: [String], phrase: String, meant: String?, help: [String]
    ) {
        guard let text = node.scalar?.text else {
            return reportMismatch(.word(words), at: node, help: help)
        }
        if let comment = gluedComment(node) { return report(comment) }
        var diagnostic = Diagnostic(
            .schemaEnum,
            message: "\(subjectOfValue) must be \(phrase), but is `\(text.shortened)`",
            at: node.range, label: "not one of these words", help: help)
        let similar = similarNames(to: text, among: words)
        if let meant {
            diagnostic.help = ["use `\(meant)` instead"] + help
            diagnostic.fixes = [.rename(node.range, to: meant)]
            return report(diagnostic)
        }
        if !similar.isEmpty {
            diagnostic.help.insert("did you mean \(alternatives(similar))?", at: 0)
        }
        if similar.count == 1 { diagnostic.fixes = [.rename(node.range, to: similar[0])] }
        report(diagnostic)
    }
}

extension Diagnostic {
    fileprivate static func outside<Bound: Comparable>(
        _ range: ClosedRange<Bound>, value: Bound?, subject: String, at node: YAMLNode
    ) -> Self {
        let isBelow = value.map { $0 < range.lowerBound } ?? node.nameForMessages.hasPrefix("-")
        let bound = "\(isBelow ? range.lowerBound : range.upperBound)"
        let text = bound.hasSuffix(".0") ? String(bound.dropLast(2)) : bound
        return Diagnostic(
            .schemaRange,
            message: "\(subject) must be at \(isBelow ? "least" : "most") \(text),"
                + " but is \(node.nameForMessages)", at: node.range,
            label: isBelow ? "too small" : "too large")
    }
}

extension Format {
    /// A list of at least `minimum` items, and at most `maximum` or `RuleFileLimits.listItems`.
    package static func list<Item>(
        of item: Format<Item>, minimum: Int = 0, maximum: Int = .max
    ) -> Self where Value == [Located<Item>] {
        Format(.list(item.schema, count: minimum...maximum)) { node, decoder in
            guard node.kind == .sequence else {
                return decoder.mismatch(.list(item.schema), at: node)
            }
            let count = node.items.count
            let maximum = min(maximum, decoder.limits.listItems)
            guard count <= maximum, count >= minimum else {
                decoder.report(
                    .itemCount(
                        count, minimum: minimum, maximum: maximum, with: decoder, at: node))
                return nil
            }
            return decoder.insideItem { decoder in
                node.items.compactMap { decoder.read(item, at: $0) }
            }
        }
    }

    /// A map with the keys of a table, read into a value that starts empty. `mayBeEmpty` is true if
    /// a map without keys has a meaning.
    package static func table(
        _ table: Table<Value>, startingWith empty: Value, mayBeEmpty: Bool = true
    ) -> Self {
        Format(.table(table.schema)) { node, decoder in
            guard node.kind == .mapping else {
                return decoder.mismatch(.table(table.schema), at: node)
            }
            if !mayBeEmpty, node.entries.isEmpty {
                decoder.report(.noKeys(of: table.schema, with: decoder, at: node))
            }
            var value = empty
            decoder.read(table, at: node, into: &value)
            return value
        }
    }
}

extension Format<YAMLNode> {
    /// A node that is read later, when its type is known.
    package static func node(_ schema: Schema) -> Self { Format(schema) { node, _ in node } }

    /// A map that is read later, when the type of its values is known.
    package static func map(of value: Schema, keys: MapKeys = .any) -> Self {
        let schema = Schema.map(value, keys: keys)
        return Format(schema) { node, decoder in
            node.kind == .mapping ? node : decoder.mismatch(schema, at: node)
        }
    }
}

extension Decoder {
    /// The key to remove, as the object of "remove"; items of lists have none.
    fileprivate var valueToRemove: String {
        subjectOfValue.hasPrefix("`") ? subjectOfValue : "this item"
    }
}

extension Diagnostic {
    fileprivate static func noKeys(
        of table: TableSchema, with decoder: Decoder, at node: YAMLNode
    ) -> Self {
        let needed = table.rules.compactMap { rule -> [String]? in
            if case .anyOf(let names) = rule { names } else { nil }
        }
        let names = enumeration(needed.first ?? table.keys.map(\.name), atMost: 5)
        return Diagnostic(
            .schemaMissingKey, message: "\(decoder.subjectOfValue) is empty", at: node.range,
            label: "no keys",
            help: ["write at least one of the keys \(names), or remove \(decoder.valueToRemove)"])
    }

    static func itemCount(
        _ count: Int, minimum: Int, maximum: Int, with decoder: Decoder, at node: YAMLNode
    ) -> Self {
        let range = node.rangeToPointAt(in: decoder.source)
        if count < minimum {
            return Diagnostic(
                .schemaRange, message: "\(decoder.subjectOfValue) is an empty list", at: range,
                label: "no items",
                help: ["list at least one item, or remove \(decoder.valueToRemove)"])
        }
        return Diagnostic(
            .schemaLimit,
            message:
                "\(decoder.subjectOfValue) has \(count) items, more than the limit of \(maximum)",
            at: range)
    }
}

extension Format<CELType> {
    /// The type of a context key or of a field: `bool`, `list<string>`, `map<string, int>` and so
    /// on.
    static var type: Self {
        let schema = Schema.pattern(
            phrase: "a type such as `string`, `int` or `list<string>`",
            expression:
                #"^ *((list<|map< *(any|bool|int|string|uint) *,) *)*(\#(simpleTypes))[ >]*$"#)
        return Format(schema) { node, decoder in
            if let item = typeInBrackets(node) {
                decoder.report(
                    .typeInBrackets(item, subject: decoder.subjectOfValue, at: node.range))
                return nil
            }
            guard let text = node.scalar?.text else { return decoder.mismatch(schema, at: node) }
            guard let type = CELType(parsing: text, depth: decoder.limits.typeDepth) else {
                decoder.report(.unknownType(text, subject: decoder.subjectOfValue, at: node.range))
                return nil
            }
            return type
        }
    }
}

/// The type in a list of one, `[string]`.
private func typeInBrackets(_ node: YAMLNode) -> String? {
    guard node.items.count == 1, let text = node.items[0].scalar?.text else { return nil }
    let name = foreignTypes[text.lowercased()] ?? text
    return CELType.simpleTypes[name] == nil ? nil : name
}

private let simpleTypes = CELType.simpleTypes.keys.sorted().joined(separator: "|")

/// The names of the types in other languages.
private let foreignTypes = [
    "boolean": "bool", "integer": "int", "number": "double", "float": "double", "text": "string",
    "str": "string", "date": "timestamp", "datetime": "timestamp", "time": "timestamp",
    "array": "list<any>", "list": "list<any>", "map": "map<string, any>",
    "object": "map<string, any>",
    "dict": "map<string, any>", "dyn": "any", "semver": "version", "enum": "string",
    "enumeration": "string",
]

/// `string[]` and `array<string>`.
private func foreignList(_ text: String) -> String? {
    let beginnings = ["array<", "list(", "list[", "array(", "array[", "set<", "list of ", "list<"]
    let folded = text.lowercased()
    let beginning = beginnings.first { folded.hasPrefix($0) }
    guard beginning != nil || folded.hasSuffix("[]") else { return nil }
    let element = folded.dropFirst(beginning?.count ?? 0).filter(\.isLetter)
    let name = foreignTypes[String(element)] ?? String(element)
    let isKnown = CELType.simpleTypes[name] != nil || foreignTypes[String(element)] != nil
    return isKnown ? "list<\(name)>" : nil
}

private let mapHelp =
    "use a map type such as `map<string, int>`; its keys must be `string`, `int`, `uint`, `bool` or `any`"

extension CELType {
    /// The schema of the type's values in YAML.
    var schema: Schema {
        switch self {
        case .bool: .bool
        case .int: .integer(Int.min...Int.max)
        case .uint: .integer(0...Int.max)
        case .double: .number(-Double.infinity...Double.infinity)
        case .string, .bytes: .text
        case .timestamp:
            .pattern(phrase: "a time such as `2026-11-01T09:00:00Z`", expression: "^.+$")
        case .duration: .duration(minimum: 0)
        case .version:
            .pattern(
                phrase: "a version such as `\"1.12.0\"`",
                expression: #"^[0-9]+(\.[0-9]+)*(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$"#)
        case .list(let element): .list(element.schema)
        case .map(_, let value): .map(value.schema)
        case .dyn, .null, .optional, .type, .wrapper, .opaque, .parameter: .any
        }
    }
}

extension Diagnostic {
    fileprivate static func typeInBrackets(
        _ item: String, subject: String, at range: SourceRange
    ) -> Self {
        Diagnostic(
            .schemaType, message: "\(subject) must be a type such as `string`, but is a list",
            at: range, label: "a list, not a type",
            help: [
                "if each value is a list: `list<\(item)>`",
                "if each value is a single \(item): `\(item)`",
            ],
            fixes: [.rename(range, to: "list<\(item)>"), .rename(range, to: item)])
    }

    fileprivate static func unknownType(
        _ text: String, subject: String, at range: SourceRange
    ) -> Self {
        let names = CELType.simpleTypes.keys.sorted()
        let type =
            foreignTypes[text.lowercased()] ?? foreignList(text)
            ?? similarNames(to: text, among: names, limit: 1).first
        // In braces a comma would end the value.
        let meant = type.map { $0.contains(",") ? "\"\($0)\"" : $0 }
        let isMap = text.hasPrefix("map<")
        return Diagnostic(
            .schemaEnum, message: "unknown type `\(text.shortened)`", at: range,
            label: meant.map { "write `\($0)` instead" } ?? "not a type",
            help: text.lowercased().hasPrefix("enum")
                ? ["use the type `string`, and list the allowed strings under `values`"]
                : meant != nil
                    ? []
                    : isMap
                        ? [mapHelp]
                        : [
                            "use one of the types \(enumeration(names)), or a type built from"
                                + " them, such as `list<string>` or `map<string, int>`"
                        ], fixes: meant.map { [.rename(range, to: $0)] } ?? [])
    }
}

extension Format<ConditionModel> {
    /// A condition in any of its forms.
    static var condition: Self {
        Format(.condition) { node, decoder in decoder.condition(node) }
            .orElse { ConditionModel(form: .broken, range: $0.range) }
    }
}
