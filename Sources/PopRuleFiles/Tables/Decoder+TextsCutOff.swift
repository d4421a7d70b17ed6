internal import PopCEL
internal import PopSource
internal import PopYAML

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
        let words = "write decimals with a point: `\(decimal)`"
        diagnostic.help = isNumber ? [words] : diagnostic.help + [words]
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
            .yamlUnquotedExpression, message: "\(subject) must be in quotes", at: range,
            label: "YAML reads the braces as nested maps",
            help: ["put the placeholder in quotes: `\(quoted)`"],
            fixes: [
                Fix(
                    "put it in quotes", edits: [Edit(range, replacement: quoted)], isSafe: true)
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
