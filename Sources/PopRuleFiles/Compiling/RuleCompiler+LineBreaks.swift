internal import PopSource
internal import PopYAML

extension RuleCompiler {
    /// Looks for a `\n` that would be shown to users as written: only in double quotes is it a line
    /// break. In a path it is intended.
    mutating func checkLineBreaks(in texts: [YAMLNode]) {
        for node in texts {
            guard let scalar = node.scalar, scalar.style != .doubleQuoted,
                scalar.text.contains("\\n"), !scalar.text.contains(":\\")
            else { continue }
            decoder.report(.shownBackslash(scalar.text, style: scalar.style, at: node.range))
        }
    }
}

extension Diagnostic {
    fileprivate static func shownBackslash(
        _ text: String, style: YAMLScalar.Style, at range: SourceRange
    ) -> Self {
        var diagnostic = Diagnostic(
            .yamlConfusable, message: "`\\n` is not a line break here", at: range,
            label: "shown as a backslash and an `n`")
        // In double quotes another backslash would mean something else.
        guard style == .plain || style == .singleQuoted, !text.contains("\n"),
            !text.replacing("\\n", with: "").contains("\\")
        else {
            diagnostic.help = ["start a new line instead of writing `\\n`"]
            return diagnostic
        }
        let quoted = "\"\(text.replacing("\"", with: "\\\""))\""
        diagnostic.help = [
            "if you mean a line break, use double quotes: `\(quoted.shortened)`"
        ]
        diagnostic.fixes = [
            Fix("write double quotes", edits: [.init(range, replacement: quoted)], isSafe: false)
        ]
        return diagnostic
    }
}
