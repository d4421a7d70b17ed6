internal import PopSource

/// The XML of Checkstyle, which many build servers read.
struct CheckstyleRenderer: ReportRenderer {
    func render(_ report: Report) -> String {
        let files = report.sources.files.map { file in
            XMLElement(
                name: "file", attributes: ["name": file.path],
                children: report.findings.filter { $0.range.file == file.id }
                    .map { error($0, in: report) })
        }
        // This is the version of the format.
        return XMLElement(name: "checkstyle", attributes: ["version": "4.3"], children: files)
            .document
    }

    private func error(_ finding: Diagnostic, in report: Report) -> XMLElement {
        let start = report.start(of: finding.range)
        return XMLElement(
            name: "error",
            attributes: [
                "line": "\(start.line)", "column": "\(start.column)",
                "severity": finding.level.name,
                "message": ([finding.message] + finding.help).joined(separator: "\n"),
                "source": "\(Product.name).\(finding.check.id)",
            ])
    }
}
