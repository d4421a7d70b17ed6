internal import PopSource

/// GitLab's code quality report: a JSON array with a fingerprint for each finding.
struct GitLabRenderer: ReportRenderer {
    func render(_ report: Report) -> String {
        let items = zip(report.findings, report.fingerprints).map { finding, fingerprint in
            JSON.object([
                "description": .string(finding.message),
                "check_name": .string(finding.check.name),
                "fingerprint": .string(fingerprint.text),
                "severity": .string(severity(finding.level)),
                "location": .object([
                    "path": .string(report.path(of: finding.range)),
                    "lines": .object([
                        "begin": .int(report.start(of: finding.range).line),
                        "end": .int(report.end(of: finding.range).line),
                    ]),
                ]),
            ])
        }
        return JSON.array(items).pretty + "\n"
    }

    private func severity(_ level: Level) -> String {
        switch level {
        case .error: "major"
        case .warning: "minor"
        case .info, .off: "info"
        }
    }
}
