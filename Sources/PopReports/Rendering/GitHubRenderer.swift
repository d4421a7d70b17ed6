internal import PopSource

/// Workflow commands of GitHub Actions, which it shows at the lines of a pull request.
struct GitHubRenderer: ReportRenderer {
    func render(_ report: Report) -> String {
        let commands = report.findings.map { command($0, in: report) + "\n" }
        return commands.joined() + (report.closingLine.map { $0 + "\n" } ?? "")
    }

    private func command(_ finding: Diagnostic, in report: Report) -> String {
        let start = report.start(of: finding.range)
        let end = report.end(of: finding.range)
        var properties: [(String, String)] = []
        if report.sources[finding.range.file].isOnDisk {
            properties = [
                ("file", report.path(of: finding.range)), ("line", "\(start.line)"),
                ("endLine", "\(end.line)"),
            ]
            // Columns are taken only within one line; the last one is included.
            if start.line == end.line {
                properties.append(("col", "\(start.column)"))
                properties.append(("endColumn", "\(max(start.column, end.column - 1))"))
            }
        }
        properties.append(("title", "\(finding.check.id) \(finding.check.name)"))
        let list = properties.map { "\($0)=\(escapedProperty($1))" }.joined(separator: ",")
        let message = ([finding.message] + finding.help).joined(separator: "\n")
        return "::\(name(of: finding.level)) \(list)::\(escaped(message))"
    }

    private func name(of level: Level) -> String {
        switch level {
        case .error: "error"
        case .warning: "warning"
        case .info, .off: "notice"
        }
    }

    private func escaped(_ text: String) -> String { escaped(text, special: "%\r\n") }

    private func escapedProperty(_ text: String) -> String { escaped(text, special: "%\r\n:,") }

    /// The characters that would end the command or one of its parts, percent-encoded.
    private func escaped(_ text: String, special: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            if special.unicodeScalars.contains(scalar) {
                let digits = String(scalar.value, radix: 16, uppercase: true)
                result += "%" + (digits.count < 2 ? "0" : "") + digits
            } else {
                result += escapedForTerminal(scalar)
            }
        }
        return result
    }
}

/// The findings as a table in Markdown, for the summary page of a step in GitHub Actions.
///
/// GitHub shows only the first ten annotations of a kind; the table has them all.
public struct GitHubStepSummary: ReportRenderer {
    /// A renderer without settings.
    public init() {}

    /// A heading with the summary, and a table of the findings when there are any.
    public func render(_ report: Report) -> String {
        var text = "### \(Product.name): \(report.summary.text)\n\n"
        if let notice = report.summary.notice { text += "\(notice)\n\n" }
        if report.findings.isEmpty { return text }
        text += "| level | place | finding | check |\n|---|---|---|---|\n"
        for finding in report.findings {
            let start = report.start(of: finding.range)
            let place = "\(report.path(of: finding.range)):\(start.line):\(start.column)"
            let cells = [
                finding.level.name, place, finding.message,
                "\(finding.check.id) \(finding.check.name)",
            ]
            text += "| " + cells.map(cell).joined(separator: " | ") + " |\n"
        }
        return text + "\n"
    }

    private func cell(_ text: String) -> String {
        text.map { character in
            switch character {
            case "|": "\\|"
            case "<": "&lt;"
            case "\n", "\r", "\r\n": " "
            default: escapedForTerminal(String(character))
            }
        }.joined()
    }
}
