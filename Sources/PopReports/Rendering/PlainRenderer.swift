internal import PopSource

/// Diagnostics as sentences: nothing depends on columns, colors or drawings, so that screen readers
/// can read them.
struct PlainRenderer: ReportRenderer {
    func render(_ report: Report) -> String {
        var text = ""
        for (position, finding) in report.findings.enumerated() {
            let title =
                "Finding \(position + 1) of \(report.findings.count): "
                + "\(finding.level.name) \(finding.check.id), \(finding.check.name)."
            let lines = [title] + sentences(finding, in: report)
            text += lines.map { escapedForTerminal($0) + "\n" }.joined() + "\n"
        }
        return text + (report.closingLine.map { $0 + "\n" } ?? "")
    }

    private func sentences(_ finding: Diagnostic, in report: Report) -> [String] {
        let subject = finding.subject.map { ", \($0)" } ?? ""
        var lines = [
            "Message: \(finding.message).", "Place: \(place(finding.range, in: report))\(subject).",
            "The line reads: \(report.line(of: finding.range))",
        ]
        let culprit = report.sources[finding.range.file].text(in: finding.range)
        if !finding.label.isEmpty {
            let what = culprit.isEmpty || culprit.contains("\n") ? "there" : "`\(culprit)`"
            lines.append("Marked: \(what), \(finding.label).")
        }
        lines += finding.secondary.map { "See also: \(place($0.range, in: report)), \($0.text)." }
        lines += finding.notes.flatMap { parts("Note", text: $0) }
        lines += finding.help.flatMap { parts("Help", text: $0) }
        return lines + ["More: poprules explain-check \(finding.check.id)"]
    }

    private func place(_ range: SourceRange, in report: Report) -> String {
        let start = report.start(of: range)
        return "file \(report.path(of: range)), line \(start.line), column \(start.column)"
    }

    private func parts(_ kind: String, text: String) -> [String] {
        let rows = text.split(separator: "\n", omittingEmptySubsequences: false)
        return ["\(kind): \(rows.first ?? "")"] + rows.dropFirst().map(String.init)
    }
}
