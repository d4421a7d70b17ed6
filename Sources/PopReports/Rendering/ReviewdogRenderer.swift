internal import PopSource

/// Reviewdog's diagnostic format as one JSON document, with the fixes as suggestions.
///
/// Columns count bytes from 1, as defined in `reviewdog.rdf`.
struct ReviewdogRenderer: ReportRenderer {
    func render(_ report: Report) -> String {
        JSON.object([
            "source": .object(["name": .string(Product.name)]),
            "diagnostics": .array(report.findings.map { json($0, in: report) }),
        ]).pretty + "\n"
    }

    private func json(_ finding: Diagnostic, in report: Report) -> JSON {
        let edits = finding.fixes.first?.edits.filter { $0.range.file == finding.range.file } ?? []
        return .object([
            "message": .string(([finding.message] + finding.help).joined(separator: "\n")),
            "location": location(finding.range, in: report),
            "severity": .string(severity(finding.level)),
            "code": .object(["value": .string(finding.check.id)]),
            "suggestions": edits.isEmpty
                ? nil
                : .array(
                    edits.map {
                        .object([
                            "range": range($0.range, in: report), "text": .string($0.replacement),
                        ])
                    }),
            "relatedLocations": finding.secondary.isEmpty
                ? nil
                : .array(
                    finding.secondary.map {
                        .object([
                            "message": .string($0.text), "location": location($0.range, in: report),
                        ])
                    }),
        ])
    }

    private func severity(_ level: Level) -> String {
        switch level {
        case .error: "ERROR"
        case .warning: "WARNING"
        case .info, .off: "INFO"
        }
    }

    private func location(_ place: SourceRange, in report: Report) -> JSON {
        .object(["path": .string(report.path(of: place)), "range": range(place, in: report)])
    }

    private func range(_ range: SourceRange, in report: Report) -> JSON {
        func place(_ offset: Int, line: Int) -> JSON {
            let column = offset - report.lineStart(offset, in: range.file) + 1
            return .object(["line": .int(line), "column": .int(column)])
        }
        return .object([
            "start": place(range.lower, line: report.start(of: range).line),
            "end": place(range.upper, line: report.end(of: range).line),
        ])
    }
}
