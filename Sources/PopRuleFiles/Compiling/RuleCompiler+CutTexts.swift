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
            .yamlUnquotedExpression, message: "YAML takes the end of this text for a comment",
            at: SourceRange(file: text.file, text.upper + 1..<whole.upper),
            label: "everything from ` #` on is left out",
            notes: ["what is left is `\(source.text(in: text).shortened)`"],
            help: [
                "put the text in quotes: `\(quoted)`",
                "write a space behind the `#` when it is a comment",
            ],
            fixes: [
                Fix(
                    "put the text in quotes", edits: [.init(whole, replacement: quoted)],
                    isSafe: false)
            ])
        diagnostic.level = .warning
        return diagnostic
    }
}
