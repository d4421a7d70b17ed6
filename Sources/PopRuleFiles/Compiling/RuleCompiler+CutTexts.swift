internal import PopSource

extension RuleCompiler {
    /// Looks for text that a ` #` cuts off from a string for users, as in `Room #5`: a comment has
    /// a space after its sign.
    mutating func checkEnd(of text: SourceRange) {
        let bytes = decoder.source.bytes
        guard text.upper + 2 < bytes.count, bytes[text.upper] == UInt8(ascii: " "),
            bytes[text.upper + 1] == UInt8(ascii: "#"), bytes[text.upper + 2] > UInt8(ascii: "#"),
            let first = bytes[text.bytes].first, !"\"'|>[{".utf8.contains(first)
        else { return }
        let line = bytes[text.upper...].prefix { $0 != UInt8(ascii: "\n") && $0 != 0x0D }
        let blanks = line.reversed().prefix { $0 == UInt8(ascii: " ") }.count
        let whole = SourceRange(file: text.file, text.lower..<line.endIndex - blanks)
        decoder.report(.cutText(text, whole: whole, in: decoder.source))
    }
}

extension Diagnostic {
    fileprivate static func cutText(
        _ text: SourceRange, whole: SourceRange, in source: SourceFile
    ) -> Self {
        let quoted = "'\(source.text(in: whole).replacing("'", with: "''"))'"
        var diagnostic = Diagnostic(
            .yamlUnquotedExpression, message: "YAML reads the end of this value as a comment",
            at: SourceRange(file: text.file, text.upper + 1..<whole.upper),
            label: "dropped, because ` #` starts a comment",
            notes: ["the remaining value is `\(source.text(in: text).shortened)`"],
            help: [
                "put the value in quotes: `\(quoted)`",
                "add a space after the `#` if it is a comment",
            ],
            fixes: [
                Fix(
                    "put the value in quotes", edits: [.init(whole, replacement: quoted)],
                    isSafe: false)
            ])
        diagnostic.level = .warning
        return diagnostic
    }
}
