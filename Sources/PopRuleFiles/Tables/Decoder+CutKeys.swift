internal import PopCEL
package import PopSource
internal import PopYAML

// Items of a list without brackets in a map with braces, where the comma that should part them
// ends the value: `{ days: mon, tue }`.
extension YAMLNode {
    /// The first item and the items after it that have become keys of the surrounding map; nil
    /// without such items.
    func itemsCutOff(in source: SourceFile) -> SourceRange? {
        // A value in parentheses has been reported.
        guard !isBroken, kind == .scalar ? !isNull : kind == .mapping && isFlow else { return nil }
        var rest = CutItems(source.bytes[range.upper...])
        return rest.end().map { SourceRange(file: range.file, range.lower..<$0) }
    }
}

extension Decoder {
    /// The entries of a map, those apart that a list without brackets has lost to it, which is
    /// reported.
    mutating func entries(
        of node: YAMLNode, withListsAt takesList: (YAMLNode) -> Bool
    ) -> [YAMLEntry] {
        guard node.isFlow else { return Array(node.entries) }
        var cutOff = 0..<0
        return node.entries.filter { entry in
            if cutOff.contains(entry.key.range.lower) { return false }
            guard takesList(entry.key), let items = entry.value.itemsCutOff(in: source) else {
                return true
            }
            inside(key: entry.key) { $0.report(.listWithoutBrackets(items, with: $0)) }
            cutOff = items.bytes
            return false
        }
    }
}

extension Diagnostic {
    static func listWithoutBrackets(_ items: SourceRange, with decoder: Decoder) -> Self {
        let list = "[\(decoder.source.text(in: items))]"
        // The rest may as well have been meant as keys next to it.
        let isSafe = decoder.subjectOfValue != "`none`"
        return Diagnostic(
            .schemaType,
            message: "\(decoder.subjectOfValue) must be a list in brackets",
            at: items, label: "in braces, a `,` ends the value", help: ["write `\(list)`"],
            fixes: [
                Fix("write `\(list)`", edits: [.init(items, replacement: list)], isSafe: isSafe)
            ])
    }
}

/// The rest of a line after a value.
private struct CutItems {
    private var rest: ArraySlice<UInt8>

    init(_ rest: ArraySlice<UInt8>) { self.rest = rest }

    /// The end of the last item without a colon after it; nil if there is no such item, or the
    /// value isn't in a map.
    mutating func end() -> Int? {
        var end: Int?
        while take(UInt8(ascii: ",")) {
            skipBlanks()
            guard let item = item() else { return nil }
            skipBlanks()
            switch rest.first {
            case UInt8(ascii: ","): end = item
            case UInt8(ascii: "}"): return item
            case UInt8(ascii: ":"): return end
            default: return nil
            }
        }
        return nil
    }

    /// Takes a word or a string in quotes and returns its end.
    private mutating func item() -> Int? {
        guard let first = rest.first else { return nil }
        if first == UInt8(ascii: "{") { return map() }
        if first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") {
            guard let last = rest.dropFirst().firstIndex(of: first),
                !rest[..<last].contains(UInt8(ascii: "\n"))
            else { return nil }
            rest = rest[(last + 1)...]
            return rest.startIndex
        }
        var end: Int?
        while let byte = rest.first, !Array(",[]{}#\n\r".utf8).contains(byte) {
            if byte == UInt8(ascii: ":"), isEndOfKey(rest.dropFirst().first) { break }
            rest.removeFirst()
            if byte != UInt8(ascii: " ") { end = rest.startIndex }
        }
        return end
    }

    /// Where a map on this line ends, which is taken; nil when it may end elsewhere.
    private mutating func map() -> Int? {
        guard let last = rest.firstIndex(of: UInt8(ascii: "}")),
            !rest[..<last].dropFirst().contains(where: { Array("{\n\"'#".utf8).contains($0) })
        else { return nil }
        rest = rest[(last + 1)...]
        return rest.startIndex
    }

    private func isEndOfKey(_ next: UInt8?) -> Bool {
        next.map { Array(" ,[]{}\t\n\r".utf8).contains($0) } ?? true
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        skipBlanks()
        guard rest.first == byte else { return false }
        rest.removeFirst()
        return true
    }

    private mutating func skipBlanks() { rest = rest.drop { $0 == UInt8(ascii: " ") } }
}

// Strings in braces that end at a comma, so that their rest become keys: `{ title: Now, cheaper }`.
extension Decoder {
    /// Reports the strings of a map that commas have cut; returns the positions of the entries that
    /// are made of them, beginnings included. Linear in the entries.
    ///
    /// `isName` returns true for keys that are meant as such although nothing follows them.
    mutating func reportCutTexts(
        in entries: YAMLEntries, isName: (String) -> Bool = { _ in false },
        type: (String) -> CELType? = { _ in nil }
    ) -> Set<Int> {
        var found: Set<Int> = []
        var position = 1
        while position < entries.count {
            let start = position - 1
            while position < entries.count, isRest(entries[position], isName: isName) {
                position += 1
            }
            if position > start + 1, entries.value(at: start).isBeginning {
                let last = entries.key(at: position - 1)
                let key = entries.key(at: start)
                report(
                    .cutText(
                        entries.value(at: start), key: key, last: last,
                        type: type(key.nameForMessages), in: source))
                found.formUnion(start..<position)
            }
            position += 1
        }
        return found
    }

    private func isRest(_ entry: YAMLEntry, isName: (String) -> Bool) -> Bool {
        guard !entry.key.isBroken, !entry.value.isBroken, entry.isKeyAlone(in: source) else {
            return false
        }
        guard let text = entry.key.scalar?.text else { return entry.key.isFlow }
        return entry.key.isPlain && !isName(text)
    }
}

extension YAMLNode {
    /// True if a string without quotes may begin with it.
    fileprivate var isBeginning: Bool { isPlain && !isBroken && !isNull }
}

extension Decoder {
    /// Reports a placeholder without quotes, which YAML takes for a map in a map:
    /// `body: {{user.name}}`. Whether the node is one.
    mutating func reportBraces(_ node: YAMLNode) -> Bool {
        guard node.kind == .mapping, node.isFlow, node.entries.count == 1,
            node.entries.key(at: 0).kind == .mapping
        else { return false }
        let text = source.text(in: node.range)
        guard let match = text.wholeMatch(of: #/\{{2,3}([^{}\n"]*)\}{2,3}/#) else { return false }
        // Three on each side are one too many, which other languages have.
        let placeholder = "{{\(match.output.1)}}"
        var finding = Diagnostic.bracesWithoutQuotes(
            placeholder, subject: subjectOfValue, at: node.range)
        if placeholder != text { finding.fixes[0].isSafe = false }
        report(finding)
        return true
    }
}

extension Decoder {
    /// Returns the finding about a condition in the braces of template languages, which YAML reads
    /// as a map with a map as its key: `when: {{ user.plan == "pro" }}`; nil for other maps.
    func expressionInBraces(_ node: YAMLNode) -> Diagnostic? {
        guard node.isFlow, node.entries.count == 1, node.entries.key(at: 0).kind == .mapping,
            let match = source.text(in: node.range).wholeMatch(of: #/\{{2,3}([^{}\n]*)\}{2,3}/#)
        else { return nil }
        let expression = match.output.1.split(separator: " ").joined(separator: " ")
        return .expressionInBraces(expression, subject: subjectOfValue, at: node.range)
    }
}

extension Diagnostic {
    fileprivate static func cutText(
        _ value: YAMLNode, key: YAMLNode, last: YAMLNode, type: CELType?, in source: SourceFile
    ) -> Self {
        let whole = value.range.union(last.range)
        let text = source.text(in: whole)
        let quoted = quoted(text)
        var diagnostic = Diagnostic(
            .yamlUnquotedExpression,
            message: "the string of `\(key.nameForMessages)` must be in quotes",
            at: source.firstLine(of: whole), label: "in braces, a `,` ends the string",
            help: [
                quoted.contains("\n")
                    ? "put quotes around the whole string"
                    : "put the whole string in quotes: `\(key.nameForMessages): \(quoted)`"
            ])
        let quotes = Fix(
            "put the string in quotes", edits: [Edit(whole, replacement: quoted)],
            // A word that isn't a name can only be the rest of the string.
            isSafe: !NameForm.id.fits((last.scalar?.text ?? "").utf8))
        guard type == nil || type == .double, let decimal = text.withPoint else {
            diagnostic.fixes = [quotes]
            return diagnostic
        }
        let point = Fix.rename(whole, to: decimal)
        let isNumber = type == .double
        diagnostic.help =
            isNumber
            ? ["write decimals with a point: `\(decimal)`"]
            : [
                "if the value is a string: `\(key.nameForMessages): \(quoted)`",
                "if the value is a number: `\(key.nameForMessages): \(decimal)`",
            ]
        diagnostic.fixes = isNumber ? [point] : [quotes, point]
        if isNumber {
            diagnostic.message = "the number `\(text)` is written with a comma"
            diagnostic.label = "in braces, a `,` ends the number"
        }
        return diagnostic
    }

    fileprivate static func bracesWithoutQuotes(
        _ text: String, subject: String, at range: SourceRange
    ) -> Self {
        let quoted = quoted(text)
        return Diagnostic(
            .yamlUnquotedExpression, message: "the placeholder in \(subject) must be in quotes",
            at: range,
            label: "YAML reads the braces as nested maps",
            help: ["put the placeholder in quotes: `\(quoted)`"],
            fixes: [
                Fix(
                    "put it in quotes", edits: [Edit(range, replacement: quoted)], isSafe: true)
            ])
    }

    fileprivate static func expressionInBraces(
        _ expression: String, subject: String, at range: SourceRange
    ) -> Self {
        let quoted = quoted(expression)
        return Diagnostic(
            .schemaType, message: "\(subject) cannot be between `{{` and `}}`", at: range,
            label: "YAML reads the braces as nested maps",
            help: ["write only the expression: `\(quoted)`"],
            fixes: [
                Fix(
                    "write only the expression", edits: [Edit(range, replacement: quoted)],
                    isSafe: false)
            ])
    }

    /// The text in quotes that need the fewest changes inside.
    private static func quoted(_ text: String) -> String {
        text.contains { $0 == "\"" || $0 == "\\" }
            ? "'\(text.replacing("'", with: "''"))'" : "\"\(text)\""
    }
}

extension String {
    /// `9,99` with a point.
    fileprivate var withPoint: String? {
        wholeMatch(of: #/([-+]?\d+),(\d+)/#).map { "\($0.output.1).\($0.output.2)" }
    }
}

extension SourceFile {
    fileprivate func firstLine(of range: SourceRange) -> SourceRange {
        guard let end = bytes[range.bytes].firstIndex(of: UInt8(ascii: "\n")) else { return range }
        return SourceRange(file: range.file, range.lower..<end)
    }
}

// Keys in braces without a `:` after them: `{ percent, by: user.id }`.
extension YAMLEntry {
    /// Returns true if neither a `:` nor a value follows the key.
    func isKeyAlone(in source: SourceFile) -> Bool {
        guard value.isNull, value.range.isEmpty, value.range.lower >= key.range.upper else {
            return false
        }
        return !source.bytes[key.range.upper..<value.range.lower].contains(UInt8(ascii: ":"))
    }
}

extension TableSchema {
    /// Returns the entry that is meant by a key with its value in one string: `lifetime = 1` and
    /// `lifetime 1`.
    func entryWithoutColon(_ key: YAMLNode) -> String? {
        guard let text = key.scalar?.text,
            let end = text.firstIndex(where: { " =:\u{FF1A}".contains($0) })
        else { return nil }
        let value = text[end...].drop { " =:\u{FF1A}".contains($0) }
        guard keys.contains(where: { $0.name == text[..<end] }), !value.isEmpty else { return nil }
        return "\(text[..<end]): \(value)"
    }
}

extension Diagnostic {
    /// A key in a map of values that is probably the rest of the text before it.
    static func keyAlone(_ entry: YAMLEntry, behind text: YAMLNode?) -> Self {
        var help = ["add a `:` and a value after `\(entry.key.nameForMessages)`"]
        if let text, text.isPlain, case .string? = text.coreValue {
            help.append(
                "if `\(entry.key.nameForMessages)` is part of the string before it, put the whole"
                    + " string in quotes")
        }
        return Diagnostic(
            .schemaType, message: "`\(entry.key.nameForMessages)` has no value",
            at: entry.key.range,
            label: "the value is missing", help: help)
    }

    static func withoutColon(_ entry: String, key: YAMLNode, title: String) -> Self {
        var diagnostic = unknownKey(key, title: title)
        diagnostic.help = ["write `\(entry)`"]
        diagnostic.fixes = [.rename(key.range, to: entry)]
        return diagnostic
    }

    /// A key of a condition without a value to compare with.
    static func nothingToCompare(
        _ match: ConditionModel.KeyMatch, test: ConditionModel.Test, type: CELType
    ) -> Self {
        let isPlain = test.operand.range == test.matcher.range
        let place = isPlain ? match.key.range : test.matcher.range
        let name = isPlain ? match.key.value : test.matcher.value.rawValue
        var diagnostic = Diagnostic(
            .schemaType, message: "`\(name)` has no value", at: place,
            label: "the value is missing",
            help: ["add the value to compare with `\(match.key.value)`: `\(name): …`"])
        if type == .bool, isPlain || test.matcher.value == .exists {
            diagnostic.help = ["write `\(name): true`"]
            diagnostic.fixes = [
                Fix(
                    "write `\(name): true`",
                    edits: [
                        .init(place.union(test.operand.range), replacement: "\(name): true")
                    ], isSafe: false)
            ]
        }
        return diagnostic
    }

    /// One value of several that a key may have, the others of which have become keys.
    static func valuesWithoutBrackets(
        _ match: ConditionModel.KeyMatch, items: SourceRange, in source: SourceFile
    ) -> Self {
        let place = match.key.range.union(items)
        let text = "\(match.key.value): { in: [\(source.text(in: items))] }"
        return Diagnostic(
            .schemaType,
            message: "several values for `\(match.key.value)` must be a list in brackets",
            at: place, label: "in braces, a `,` ends the value",
            help: ["to check for one of several values, write `\(text)`"],
            fixes: [
                Fix(
                    "write `\(text)`", edits: [.init(place, replacement: text)], isSafe: false)
            ])
    }
}

extension Diagnostics {
    /// Without the fixes that write a key which its map has already, and without the advice to do
    /// so: the place of that key is shown instead.
    package func withoutFixesOfKeysThatStand(
        in files: (FileID) -> SourceFile, limits: RuleFileLimits = .standard
    ) -> Diagnostics {
        var offsets: [FileID: Set<Int>] = [:]
        for edit in list.flatMap(\.fixes).flatMap(\.edits)
        where edit.keyWritten(in: files(edit.range.file)) != nil {
            offsets[edit.range.file, default: []].insert(edit.range.lower)
        }
        if offsets.isEmpty { return self }
        let siblings = Dictionary(
            uniqueKeysWithValues: offsets.map { file, offsets in
                (file, KeySiblings(in: files(file), of: offsets, limits: limits))
            })
        return Diagnostics(
            list.map { finding in
                var finding = finding
                var existing: [ExistingKey] = []
                finding.fixes.removeAll { fix in
                    let keys = fix.edits.compactMap { edit -> ExistingKey? in
                        guard let name = edit.keyWritten(in: files(edit.range.file)),
                            let place = siblings[edit.range.file]?
                                .place(of: name, besides: edit.range.lower)
                        else { return nil }
                        return ExistingKey(name: name, place: place, written: edit.replacement)
                    }
                    existing += keys
                    return !keys.isEmpty
                }
                for key in existing { finding.show(key) }
                return finding
            })
    }
}

/// A key that its map has already, and that a fix would write again.
private struct ExistingKey {
    let name: String
    let place: SourceRange
    /// The text that the fix would write: the name of the key, perhaps with a value.
    let written: String

    private var isNameOnly: Bool { written == name }

    /// Returns true for a help that shows how to write the key again.
    func isWritten(in help: String) -> Bool {
        help.contains("`\(written)`") || isNameOnly && help.contains("`\(name): ")
    }

    var advice: String {
        isNameOnly
            ? "if you mean `\(name)`, use `\(name)` only once, because a map cannot have the same"
                + " key twice"
            : "change the existing `\(name)` instead"
    }
}

extension Diagnostic {
    /// Shows the place of a key, and replaces the advice to write the key again.
    fileprivate mutating func show(_ key: ExistingKey) {
        let place = Label("`\(key.name)` is already here", at: key.place)
        if !secondary.contains(place) { secondary.append(place) }
        if label.contains("`\(key.name)`") { label = "" }
        let index = help.firstIndex(where: key.isWritten) ?? help.endIndex
        help.removeAll(where: key.isWritten)
        if !help.contains(key.advice) { help.insert(key.advice, at: index) }
    }
}

extension Diagnostic.Edit {
    /// The key that it writes in place of another; nil if it writes no key.
    fileprivate func keyWritten(in source: SourceFile) -> String? {
        let colon = UInt8(ascii: ":")
        if let end = replacement.firstRange(of: ": ") {
            let name = replacement[..<end.lowerBound]
            return name.allSatisfy { $0.isLetter || $0.isNumber || "._-".contains($0) }
                ? String(name) : nil
        }
        let rest = source.bytes[range.upper...].drop { $0 == UInt8(ascii: " ") }
        return !range.isEmpty && rest.first == colon ? replacement : nil
    }
}

/// The keys of maps, by the keys next to them.
private struct KeySiblings {
    /// The keys of each map that has one of the wanted keys.
    private var maps: [[String: SourceRange]] = []
    private var mapByOffset: [Int: Int] = [:]

    /// Linear in the file.
    init(in source: SourceFile, of offsets: Set<Int>, limits: RuleFileLimits) {
        guard let root = YAMLDocument.parse(source, limits: limits.yaml).value?.root else { return }
        add(root, offsets)
    }

    private mutating func add(_ node: YAMLNode, _ offsets: Set<Int>) {
        if node.isAlias { return }
        for item in node.items { add(item, offsets) }
        let own = node.entries.filter { node.range.bytes.contains($0.key.range.lower) }
        for entry in own { add(entry.value, offsets) }
        let asked = own.map(\.key.range.lower).filter { offsets.contains($0) }
        if asked.isEmpty { return }
        for offset in asked { mapByOffset[offset] = maps.count }
        let keys = own.compactMap { entry in entry.key.scalar.map { ($0.text, entry.key.range) } }
        maps.append(Dictionary(keys) { first, _ in first })
    }

    /// The place of a key of this name in the map of another key.
    func place(of name: String, besides offset: Int) -> SourceRange? {
        guard let map = mapByOffset[offset], let place = maps[map][name] else { return nil }
        return place.lower == offset ? nil : place
    }
}
