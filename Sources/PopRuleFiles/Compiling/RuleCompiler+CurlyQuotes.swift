internal import PopSource
internal import PopYAML

extension RuleCompiler {
    /// Looks for strings of a popup's content in curly quotes that are meant as YAML quotes. Curly
    /// quotes inside of a string are typography, and so are those inside of straight quotes.
    mutating func checkQuotes(of texts: [YAMLNode]) {
        for node in texts {
            guard let scalar = node.scalar, scalar.style == .plain, isInCurlyQuotes(scalar.text)
            else { continue }
            decoder.report(.curlyQuotes(scalar.text, at: node.range))
        }
    }
}

private func isInCurlyQuotes(_ text: String) -> Bool {
    let pairs: [(Character, Character)] = [("\u{201C}", "\u{201D}"), ("\u{2018}", "\u{2019}")]
    return pairs.contains { opening, closing in
        text.first == opening && text.last == closing && text.count { $0 == opening } == 1
    }
}

extension Diagnostic {
    fileprivate static func curlyQuotes(_ text: String, at range: SourceRange) -> Self {
        let inner = text.dropFirst().dropLast()
        let straight =
            inner.contains { "\"\\".contains($0) }
            ? "'\(inner.replacing("'", with: "''"))'" : "\"\(inner)\""
        var diagnostic = Diagnostic(
            .yamlConfusable, message: "the curly quotes around the value are part of it",
            at: range,
            label: "shown with the curly quotes",
            help: [
                "write `\(straight.shortened)` to quote the value in YAML; to show the curly quotes"
                    + " to users, put the value in straight quotes"
            ],
            fixes: [
                Fix(
                    "write straight quotes", edits: [.init(range, replacement: straight)],
                    isSafe: false)
            ])
        // It may be meant.
        diagnostic.level = .info
        return diagnostic
    }
}
