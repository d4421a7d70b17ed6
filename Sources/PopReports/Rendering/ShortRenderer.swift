internal import PopSource

/// One line per diagnostic, in the usual form of compilers: `file:line:col: level: message
/// [check]`.
struct ShortRenderer: ReportRenderer {
    func render(_ report: Report) -> String {
        let lines = report.findings.map { finding in
            let place = report.start(of: finding.range)
            return "\(report.path(of: finding.range)):\(place.line):\(place.column): "
                + "\(finding.level.name): \(finding.message) [\(finding.check.id)]"
        }
        return (lines.map(escapedForTerminal) + [report.closingLine].compactMap { $0 })
            .map { $0 + "\n" }.joined()
    }
}
