internal import PopSource

/// A report for people: diagnostics with the lines that they are about, then the closing line.
struct TextReport: ReportRenderer {
    let style: TextStyle

    func render(_ report: Report) -> String {
        var renderer = TextRenderer(sources: report.sources, style: style)
        let findings = renderer.render(Diagnostics(report.findings))
        return findings + (report.closingLine.map { $0 + "\n" } ?? "")
    }
}
