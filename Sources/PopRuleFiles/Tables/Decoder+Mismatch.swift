package import PopSource
package import PopYAML

extension Decoder {
    /// Reports that a node isn't a valid value of the current key, and returns nil.
    package mutating func mismatch<Value>(
        _ schema: Schema, at node: YAMLNode, check: Check = .schemaType, help: [String] = [],
        fixes: [Diagnostic.Fix] = []
    ) -> Value? {
        reportMismatch(schema, at: node, check: check, help: help, fixes: fixes)
        return nil
    }

    /// Returns the text of a map's key; nil for a key that is a list or a map, which is reported
    /// unless a mistake in it was reported before.
    package mutating func name(ofKey key: YAMLNode) -> String? {
        if key.isBroken { return nil }
        if let text = key.scalar?.text { return text }
        let isMap = key.kind == .mapping
        let (brackets, example) = isMap ? ("braces", "\"{ x }\"") : ("brackets", "\"[x]\"")
        report(
            Diagnostic(
                .schemaType,
                message: "a key must be a string, but `\(source.text(in: key.range).shortened)`"
                    + " \(key.foundClause)",
                at: key.rangeToPointAt(in: source), label: "not a string",
                help: [
                    "write a name without \(brackets) before the `:`; if the \(brackets) are part"
                        + " of a string, put the whole string in quotes, such as `\(example)`"
                ]))
        return nil
    }

    /// Reports that a node isn't a valid value of the current key.
    mutating func reportMismatch(
        _ schema: Schema, at node: YAMLNode, check: Check = .schemaType, help: [String] = [],
        fixes: [Diagnostic.Fix] = []
    ) {
        if let comment = gluedComment(node) { return report(comment) }
        if reportBraces(node) { return }
        let (help, fixes) = onlyItem(of: node, as: schema) ?? (help, fixes)
        let isOtherMap = schema.table != nil && !node.entries.isEmpty
        let found = isOtherMap ? "is a map with other keys" : node.foundClause
        var diagnostic = Diagnostic(
            check,
            message: "\(subjectOfValue) must be \(schema.phrase), but \(found)",
            at: node.rangeToPointAt(in: source), help: help, fixes: fixes)
        if help.isEmpty { rewrite(&diagnostic, schema: schema, at: node) }
        if help.isEmpty,
            let entry = schema.table?.entryWithoutColon(node.scalar?.text, limits: limits)
        {
            diagnostic.help = [
                "write a colon after each key: \(subjectOfValue.dropLast()): { \(entry) }`"
            ]
            diagnostic.fixes = [
                Diagnostic.Fix(
                    "write `{ \(entry) }`",
                    edits: [.init(node.range, replacement: "{ \(entry) }")], isSafe: false)
            ]
        }
        if let example, diagnostic.help.isEmpty {
            diagnostic.help = [
                "use a form such as \(subjectOfValue.dropLast()): \(example)`"
            ]
        }
        if let table = schema.table, diagnostic.help.isEmpty {
            diagnostic.help = [helpWithMap(of: table, instead: node)]
        }
        if case .map = schema, diagnostic.help.isEmpty, subjectOfValue.hasPrefix("`") {
            diagnostic.help = [
                "use a map such as \(subjectOfValue.dropLast()): { name: value }`, and replace"
                    + " `name: value` with your own names and values"
            ]
        }
        report(diagnostic)
    }

    /// Adds help and fixes that rewrite the value in the form that its key takes, as far as that is
    /// certain.
    private func rewrite(_ diagnostic: inout Diagnostic, schema: Schema, at node: YAMLNode) {
        if case .text = schema, let quoted = node.quoted(in: source) {
            diagnostic.help = ["put the value in quotes to make it a string: `\(quoted)`"]
            diagnostic.fixes = [
                Diagnostic.Fix(
                    "put it in quotes", edits: [.init(node.range, replacement: quoted)],
                    isSafe: true)
            ]
        }
        let isNoItem = example != nil && node.kind == .scalar
        if case .list(let item, _) = schema, !isNoItem,
            node.kind != .mapping
                || item.mayBeMap && mayBeItem(node, item)
                    && helpOnItems(node, item: item) == nil,
            let text = node.asItem(in: source)
        {
            diagnostic.help = ["write a list: `[\(text)]`"]
            diagnostic.fixes = [
                Diagnostic.Fix(
                    "make it a list", edits: [.init(node.range, replacement: "[\(text)]")],
                    isSafe: true)
            ]
        }
        if case .list(let item, _) = schema, diagnostic.help.isEmpty,
            let help = helpOnItems(node, item: item)
        {
            diagnostic.help = help
        }
        if case .list(let item, _) = schema, diagnostic.help.isEmpty, let table = item.table,
            !mayBeItem(node, item)
        {
            offerNamedItems(node, table: table, to: &diagnostic)
        }
        if case .list(let item, _) = schema, diagnostic.help.isEmpty, mayBeItem(node, item),
            let first = node.entries.first?.key.nameForMessages, let edits = editsToItem(node)
        {
            let others = enumeration(
                node.entries.dropFirst().map { $0.key.nameForMessages }, atMost: 3)
            let rest = others.isEmpty ? "" : ", and indent \(others) by 2 more spaces"
            diagnostic.help = [
                "to start an item of the list, put `- ` before `\(first)`\(rest)"
            ]
            diagnostic.fixes = [Diagnostic.Fix("make it an item", edits: edits, isSafe: false)]
        }
        if case .list = schema, diagnostic.help.isEmpty, example == nil {
            let items =
                if case .list(.condition, _) = schema {
                    "user.plan == \"pro\", user.age > 18"
                } else {
                    "a, b"
                }
            let form =
                subjectOfValue.hasPrefix("`")
                ? ", such as \(subjectOfValue.dropLast()): [\(items)]`" : ""
            diagnostic.help = [
                "write the items of the list in brackets, separated by commas\(form)"
            ]
        }
        if let (meant, advice) = node.scalar?.meant(as: schema) {
            diagnostic.help = [advice]
            diagnostic.fixes = [
                Diagnostic.Fix(
                    "write `\(meant)`", edits: [.init(node.range, replacement: meant)],
                    isSafe: true)
            ]
        }
        if diagnostic.help.isEmpty, let number = node.scalar?.numberBesideUnit(in: schema) {
            diagnostic.help = ["write the number without a unit: `\(number)`"]
            diagnostic.fixes = [
                Diagnostic.Fix(
                    "write `\(number)`", edits: [.init(node.range, replacement: number)],
                    isSafe: false)
            ]
        }
        if case .integer(let bounds) = schema, diagnostic.help.isEmpty,
            case .float(let number)? = node.coreValue, number.isFinite, number != number.rounded()
        {
            // Only the values of a declared type have no upper bound.
            diagnostic.help = [helpOnFraction(isOfType: bounds.upperBound == Int.max)]
        }
    }

    /// Help on a number with a fraction if an integer is required.
    private func helpOnFraction(isOfType: Bool) -> String {
        switch subjectOfValue.filter({ $0 != "`" }) {
        case "default" where isOfType, "min" where isOfType, "max" where isOfType,
            "an item of values" where isOfType:
            "write `type: double` to allow numbers with a fraction"
        case "weight":
            "use integers, because only their ratio counts; for 70 to 30, use `weight: 7` and"
                + " `weight: 3`"
        default: "use an integer, without a fraction"
        }
    }
}

// Lists.
extension Decoder {
    /// Returns true if a map has a key of the items of a list, so that it may be one of them.
    private func mayBeItem(_ node: YAMLNode, _ item: Schema) -> Bool {
        guard let table = item.table else { return true }
        return node.entries.contains { entry in
            table.keys.contains { $0.name == entry.key.nameForMessages }
        }
    }

    /// Returns help on a map of items with names or numbers, or on a cap in other words; nil for
    /// other maps.
    private func helpOnItems(_ node: YAMLNode, item: Schema) -> [String]? {
        guard node.kind == .mapping, let table = item.table else { return nil }
        if mayBeItem(node, item) {
            guard table.keys.contains(where: { $0.name == "per" }) else { return nil }
            let key = subjectOfValue.dropFirst().dropLast()
            let caps = windowReadings(Array(node.entries)).map {
                Reading("\(key): [\($0.text)]", meaning: $0.meaning)
            }
            // A period that needs no words is written as it must be.
            return caps.allSatisfy(\.meaning.isEmpty) ? nil : caps.help
        }
        guard !node.entries.isEmpty,
            node.entries.allSatisfy({ mayBeItem($0.value, item) && $0.value.kind == .mapping })
        else { return nil }
        let items = node.entries.map { entry in onOneLine(entry.value) }
        let names = enumeration(node.entries.map { $0.key.nameForMessages + ":" }, atMost: 3)
        guard items.count < 3, !items.contains(nil) else {
            return [
                "write `- ` instead of \(names), because items of a list have no names or numbers"
            ]
        }
        let list = items.compactMap(\.self).joined(separator: ", ")
        return [
            "write `\(subjectOfValue.dropFirst().dropLast()): [\(list)]`, or `- ` instead of"
                + " \(names), because items of a list have no names or numbers"
        ]
    }
}

extension Decoder {
    /// Returns help on a value that must be a map; if only one key takes the value, the map with
    /// that key.
    private func helpWithMap(of table: TableSchema, instead node: YAMLNode) -> String {
        guard let scalar = node.scalar, let key = table.onlyKey(taking: scalar, limits: limits)
        else { return table.helpWithKeys }
        let others = table.keys.filter { $0.isRequired && $0.name != key.name }
        let examples = others.compactMap { other in other.example.map { "\(other.name): \($0)" } }
        guard examples.count == others.count else { return table.helpWithKeys }
        let entries = ["\(key.name): \(source.text(in: node.range))"] + examples
        let map = "\(subjectOfValue.dropLast()): { \(entries.joined(separator: ", ")) }`"
        return "write a map with `\(key.name)`, such as \(map)"
    }

    /// Returns help and fixes for a list of one item if a value without brackets is required; nil
    /// if the fix would lose a comment or leave a tag behind.
    private func onlyItem(
        of node: YAMLNode, as schema: Schema
    ) -> (help: [String], fixes: [Diagnostic.Fix])? {
        guard node.kind == .sequence, node.items.count == 1, let item = node.items[0].scalar,
            schema.takes(item, limits: limits)
        else { return nil }
        let text = source.text(in: node.items[0].range)
        guard !text.contains("\n") else { return nil }
        let before = source.bytes[..<node.range.lower].last { $0 != UInt8(ascii: " ") }
        let isAlone = before.map { ":-,[{".utf8.contains($0) } ?? false
        guard node.isFlow, isAlone, !source.text(in: node.range).contains("\n") else {
            return (["write a single value without brackets"], [])
        }
        let edit = Diagnostic.Edit(node.range, replacement: text)
        return (
            ["write a single value without brackets: `\(text)`"],
            [Diagnostic.Fix("write `\(text)`", edits: [edit], isSafe: true)]
        )
    }

    /// The edits that make an item of a map on the lines below its key.
    private func editsToItem(_ node: YAMLNode) -> [Diagnostic.Edit]? {
        guard node.kind == .mapping, !node.isFlow, !node.entries.isEmpty else { return nil }
        var edits: [Diagnostic.Edit] = []
        var line = node.range.lower
        let text = source.bytes[node.range.bytes]
        while line < node.range.upper {
            let place = SourceRange(file: node.range.file, line..<line)
            edits.append(.init(place, replacement: edits.isEmpty ? "- " : "  "))
            line =
                text[line...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? node.range.upper
        }
        return edits
    }
}

extension TableSchema {
    /// The key that a string begins with, and its value, if only the colon between them and a brace
    /// are missing.
    fileprivate func entryWithoutColon(_ text: String?, limits: RuleFileLimits) -> String? {
        guard let text else { return nil }
        for key in keys where text.hasPrefix(key.name) {
            let rest = text.dropFirst(key.name.count)
            if rest.first.map({ $0.isLetter || $0 == "_" }) ?? true { continue }
            let value = rest.drop { ": ".contains($0) }.prefix { !"{}[],#".contains($0) }
            let entry = "\(key.name): \(value.trimmed)"
            let behind = rest[value.endIndex...].filter { $0 != " " }
            let read = YAMLDocument.parse(SourceFile(path: "", text: entry)).value?.root[key.name]
            guard behind.isEmpty || behind == "}", let scalar = read?.scalar,
                isEnough(key.name), key.schema.takes(scalar, limits: limits)
            else { continue }
            return entry
        }
        return nil
    }

    /// Returns true if a map may have this key only.
    private func isEnough(_ name: String) -> Bool {
        keys.allSatisfy { !$0.isRequired || $0.name == name }
            && rules.allSatisfy { rule in
                switch rule {
                case .anyOf(let names), .oneOf(let names): names.contains(name)
                case .with(let first, _): first != name
                case .atMostOneOf, .apart, .apartFrom, .typed: true
                }
            }
    }
}

extension Substring {
    /// Without the blanks at its end.
    fileprivate var trimmed: Substring {
        self[..<(lastIndex { $0 != " " }.map { index(after: $0) } ?? startIndex)]
    }
}

/// Words for bools in YAML 1.1.
private let oldBools = [
    "yes": true, "on": true, "y": true, "no": false, "off": false, "n": false,
]

extension YAMLScalar {
    /// A number or bool in a form that YAML reads as a string, and help on it.
    fileprivate func meant(as schema: Schema) -> (text: String, advice: String)? {
        if case .integer(let range) = schema, let whole = wholeNumber, range.contains(whole.number)
        {
            return ("\(whole.number)", "\(whole.advice): `\(whole.number)`")
        }
        // No other number means one of the two.
        if case .bool = schema, case .int = value, text == "0" || text == "1" {
            let meant = text == "1" ? "true" : "false"
            return (meant, "write `\(meant)`")
        }
        guard case .string = value else { return nil }
        let isMeant =
            switch schema {
            case .bool: text == "true" || text == "false"
            case .integer, .number: schema.takesNumber(text)
            case .any, .text, .duration, .pattern, .word, .reference, .condition, .list, .map,
                .table, .either:
                false
            }
        if isMeant { return (text, "write the value without quotes: `\(text)`") }
        guard case .bool = schema, let meant = oldBools[text.lowercased()] else { return nil }
        return ("\(meant)", "use `\(meant)` instead of `\(text)`")
    }
}

extension YAMLScalar {
    /// The number of `50%` and `100kg`, where that is one which the form takes.
    fileprivate func numberBesideUnit(in schema: Schema) -> String? {
        switch schema {
        case .integer, .number: break
        case .any, .bool, .text, .duration, .pattern, .word, .reference, .condition, .list, .map,
            .table, .either:
            return nil
        }
        let match = text.wholeMatch(of: #/([-+]?\d+(?:\.\d+)?) ?(?:%|€|\$|[A-Za-z]{1,4})/#)
        let number = match.map { String($0.output.1) }
        return number.flatMap { schema.takesNumber($0) ? $0 : nil }
    }

    /// The integer that is written with a decimal point or an exponent, digit for digit.
    private var wholeNumber: (number: Int, advice: String)? {
        guard case .float(let value) = value else { return nil }
        if let match = text.wholeMatch(of: #/([-+]?\d+)\.0*/#) {
            return Int(match.1).map { ($0, "write an integer without a point") }
        }
        // Up to here doubles have all digits.
        guard text.wholeMatch(of: #/[-+]?\d+(?:\.\d+)?[eE]\+?\d+/#) != nil, abs(value) < 1e15
        else { return nil }
        return Int(exactly: value).map { ($0, "write all digits of the integer") }
    }
}

extension YAMLNode {
    /// The text of a key, or a placeholder for a key that isn't a scalar.
    var nameForMessages: String {
        guard let text = scalar?.text else { return kind == .mapping ? "{…}" : "[…]" }
        return text.shortened
    }

    /// The node's value in words for authors, as the end of a sentence.
    var foundClause: String {
        switch kind {
        case .sequence: return "is a list"
        case .mapping: return entries.isEmpty ? "is an empty map" : "is a map"
        case .scalar: break
        }
        guard let scalar else { return "has no value" }
        switch scalar.value {
        case .null: return "has no value"
        case .bool: return "is `\(scalar.text)`"
        case .float(let number) where number.isNaN:
            return "is `\(scalar.text)`, which is not a number"
        case .int, .unsigned, .hugeInteger, .float:
            return "is the number `\(scalar.text.shortened)`"
        case .string:
            return scalar.text.isEmpty
                ? "is an empty string" : "is the string `\(scalar.text.shortened)`"
        }
    }

    /// The first line of a value that spans several, so that a finding marks no whole page.
    func rangeToPointAt(in source: SourceFile) -> SourceRange {
        guard kind != .scalar else { return range }
        let bytes = source.bytes[range.bytes]
        guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else { return range }
        return SourceRange(file: range.file, range.lower..<end)
    }

    /// A value on one line as it would be written in a list with brackets. `(a, b)`, and lines that
    /// begin with `•`, `1.` or a `-` without its blank.
    private func namesInOtherLists(_ text: String) -> String? {
        guard isPlain else { return nil }
        let isTuple = text.hasPrefix("(") && text.hasSuffix(")")
        let items =
            isTuple
            ? text.dropFirst().dropLast().split(separator: ",")
            : text.split(separator: "\n").compactMap {
                $0.wholeMatch(of: #/ *(?:[-–•*·‣]|\d+[.)] ) *(\S+) */#)?.output.1
            }
        let names = items.map { $0.filter { $0 != " " } }
        let lines = text.split(separator: "\n").count
        guard !names.isEmpty, isTuple || names.count == lines,
            names.allSatisfy({ NameForm.dotted.fits($0.utf8) })
        else { return nil }
        return names.joined(separator: ", ")
    }

    fileprivate func asItem(in source: SourceFile) -> String? {
        let text = source.text(in: range)
        if isNull { return nil }
        switch kind {
        case .sequence: return nil
        case .mapping: return isFlow && !text.contains("\n") ? text : nil
        case .scalar: break
        }
        if let names = namesInOtherLists(text) { return names }
        // The opposite of a name, and several of them joined by words, aren't items.
        if let scalar, scalar.text.hasPrefix("!") || scalar.text.contains(#/ (or|and|not) /#) {
            return nil
        }
        if let scalar, let sign = [",", "|"].first(where: { scalar.text.contains($0) }) {
            let names = scalar.text.split(separator: sign).map { $0.filter { $0 != " " } }
            if names.allSatisfy({ NameForm.dotted.fits($0.utf8) }) {
                return names.joined(separator: ", ")
            }
        }
        guard let scalar, scalar.style == .plain else { return text.contains("\n") ? nil : text }
        let isSafe = !text.contains { ",[]{}\n".contains($0) }
        return isSafe ? text : "'\(scalar.text.replacing("'", with: "''"))'"
    }

    /// An unquoted number, bool or empty value as it would be written to be text.
    fileprivate func quoted(in source: SourceFile) -> String? {
        guard let scalar, scalar.style == .plain, !isNull else { return nil }
        return "\"\(source.text(in: range))\""
    }
}

extension String {
    /// At most 60 characters on one line.
    package var shortened: String {
        let line = prefix { !$0.isNewline }
        return line.count == count && count <= 60 ? self : line.prefix(59) + "…"
    }
}

extension Diagnostic.Fix {
    /// Writes another name; the author's intention is likely but not certain.
    package static func rename(_ range: SourceRange, to name: String) -> Self {
        Self("write `\(name)`", edits: [.init(range, replacement: name)], isSafe: false)
    }
}

/// If only one name would be left, it is listed instead of "1 more".
func enumeration(_ names: [String], atMost limit: Int = .max) -> String {
    // A name in place of the last "1 more" takes no more room.
    let limit = names.count - 1 == limit ? names.count : limit
    var parts = names.prefix(limit).map { "`\($0)`" }
    if names.count > limit { parts.append("\(names.count - limit) more") }
    guard let last = parts.last, parts.count > 1 else { return parts.first ?? "" }
    return parts.dropLast().joined(separator: ", ") + " and " + last
}

extension Decoder {
    /// The trigger that is meant by `on: order.paid`, and by a condition on the payload of an
    /// event; nil for other keys.
    func eventTrigger(
        _ entry: YAMLEntry, of node: YAMLNode, meant: TableSchema.Key
    ) -> String? {
        guard let text = entry.value.scalar?.text, !text.contains("\n"), !text.contains("`") else {
            return nil
        }
        if meant.name == "trigger", text.contains("."), NameForm.dotted.fits(text.utf8) {
            return "use `trigger` instead, such as `trigger: { event: \(text) }`"
        }
        guard meant.name == "when", text.hasPrefix("event.") || text.contains(" event.") else {
            return nil
        }
        let event = node.entries.first { other in
            ["on", "event", "trigger"].contains(other.key.nameForMessages)
        }?.value.scalar?.text
        let name = event.flatMap { NameForm.dotted.fits($0.utf8) ? $0 : nil } ?? "order.paid"
        let isPlain = !text.contains { "{}[],#'\"".contains($0) } && !text.contains(": ")
        let condition = isPlain ? text : "'\(text.replacing("'", with: "''"))'"
        return "check the fields of an event in the trigger: `trigger: { event: \(name), where:"
            + " \(condition) }`"
    }
}
