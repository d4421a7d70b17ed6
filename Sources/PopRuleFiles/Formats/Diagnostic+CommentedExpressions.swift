internal import PopCEL
internal import PopSource
internal import PopYAML

extension Decoder {
    /// Returns the finding about an unquoted expression of which YAML read the rest as a comment;
    /// nil if it is a real comment.
    ///
    /// A comment that leaves nothing open and has a space after its `#` is a real comment.
    func commentedExpression(_ node: YAMLNode, comment: SourceRange) -> Diagnostic? {
        let looksLikeComment = source.bytes[comment.bytes].dropFirst().first == UInt8(ascii: " ")
        guard !looksLikeComment || leavesOpen(source.bytes[node.range.bytes]) else { return nil }
        return .takenForComment(node, comment: comment, in: source)
    }
}

extension Decoder {
    /// Reports a comment at the end of a value that YAML reads as a part of it: without a space
    /// before its `#`, or with the sign of another language. Nil if there is no such comment, or
    /// more follows it.
    func gluedComment(_ node: YAMLNode) -> Diagnostic? {
        guard node.isPlain, let text = node.text, text.utf8.count == node.range.bytes.count
        else { return nil }
        if text.hasSuffix(","), !text.dropLast().contains(where: { " ,".contains($0) }) {
            let comma = SourceRange(
                file: node.range.file, node.range.upper - 1..<node.range.upper)
            return .trailingComma(at: comma)
        }
        // Most values have no such sign, and making the expression takes long.
        guard text.utf8.contains(where: { "#/-;".utf8.contains($0) }),
            let match = text.wholeMatch(of: #/([^ #]+)(#|(?: +(?:\/\/|--|;) *))(.*)/#),
            isLastOnLine(node)
        else { return nil }
        let mark = match.output.2.trimmed
        let value = String(match.output.1)
        let comment = match.output.3.trimmed
        let start = node.range.lower + value.utf8.count
        return .gluedComment(
            mark, mended: "\(value) # \(comment)", node: node,
            at: SourceRange(file: node.range.file, start..<node.range.upper))
    }

    private func isLastOnLine(_ node: YAMLNode) -> Bool {
        let next = source.bytes[node.range.upper...].first { $0 != UInt8(ascii: " ") }
        return next.map { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") } ?? true
    }
}

extension Substring {
    fileprivate var trimmed: String {
        let start = drop { $0 == " " }
        return String(start.reversed().drop { $0 == " " }.reversed())
    }
}

/// Returns true if a quote or a bracket is opened in an expression but not closed.
private func leavesOpen(_ bytes: ArraySlice<UInt8>) -> Bool {
    var depth = 0
    var quote: UInt8?
    var isEscaped = false
    for byte in bytes {
        if isEscaped {
            isEscaped = false
        } else if quote != nil {
            isEscaped = byte == UInt8(ascii: "\\")
            if byte == quote { quote = nil }
        } else {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = byte
            case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
            default: break
            }
        }
    }
    return quote != nil || depth > 0
}

extension Diagnostic {
    fileprivate static func trailingComma(at range: SourceRange) -> Self {
        Diagnostic(
            .schemaType, message: "unexpected `,` outside brackets or braces", at: range,
            label: "outside brackets, the end of the line ends an entry",
            help: ["remove the `,`"],
            fixes: [Fix("remove the ,", edits: [.init(range, replacement: "")], isSafe: true)])
    }

    fileprivate static func gluedComment(
        _ mark: String, mended: String, node: YAMLNode, at range: SourceRange
    ) -> Self {
        Diagnostic(
            .schemaType,
            message: mark == "#"
                ? "a comment needs a space before its `#`"
                : "a comment starts with `#`, not with `\(mark)`", at: range,
            label: "YAML reads this as part of the value", help: ["write `\(mended)`"],
            fixes: [
                Fix(
                    "write it as a comment", edits: [.init(node.range, replacement: mended)],
                    isSafe: mark == "#")
            ])
    }

    fileprivate static func takenForComment(
        _ node: YAMLNode, comment: SourceRange, in source: SourceFile
    ) -> Self {
        let spaces = source.bytes[comment.bytes].reversed().prefix { $0 == UInt8(ascii: " ") }
        let end = comment.upper - spaces.count
        let whole = SourceRange(file: node.range.file, node.range.lower..<end)
        let quoted = "'\(source.text(in: whole).replacing("'", with: "''"))'"
        let map = TextMap(file: whole.file, startingAt: whole.lower)
        let parses = Expression.parse(source.text(in: whole), map: map).value != nil
        return Diagnostic(
            .yamlUnquotedExpression, message: "YAML reads the end of this expression as a comment",
            at: SourceRange(file: comment.file, comment.lower..<end),
            label: "dropped, because ` #` starts a comment",
            notes: ["the remaining expression is `\(source.text(in: node.range).shortened)`"],
            help: parses
                ? ["put the expression in quotes: `\(quoted)`"]
                : [
                    "put the string with `#` in quotes, and the whole expression in the other kind"
                        + " of quotes; if the rest is a comment, remove it"
                ],
            fixes: !parses
                ? []
                : [
                    Fix(
                        "put the expression in quotes", edits: [.init(whole, replacement: quoted)],
                        isSafe: true)
                ])
    }
}
