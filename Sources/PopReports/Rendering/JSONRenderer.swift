package import PopSource

/// Prints diagnostics for programs: one JSON document with every place as line, column and byte
/// offset.
///
/// The format is described by the JSON Schema `validate.schema.json` in the documentation catalog.
package struct JSONRenderer: ReportRenderer {
    /// Increased when a member changes its meaning or is removed; new members may be added without
    /// an increase.
    package static let schemaVersion = 1

    package func render(_ report: Report) -> String {
        let summary = report.summary
        let document = JSON.object([
            "schemaVersion": .int(Self.schemaVersion),
            "diagnostics": .array(report.findings.map { Self.json($0, in: report) }),
            "summary": .object([
                "files": .int(summary.files), "popups": .int(summary.popups),
                "errors": .int(summary.errors), "warnings": .int(summary.warnings),
                "infos": .int(summary.infos), "advice": .string(summary.advice.rawValue),
                "analysis": summary.isCutShort ? .string("partial") : nil,
            ]),
        ])
        return document.pretty + "\n"
    }

    /// Returns one diagnostic, which JSON lines use too.
    package static func json(_ finding: Diagnostic, in report: Report) -> JSON {
        .object([
            "check": .string(finding.check.id),
            "name": .string(finding.check.name),
            "level": .string(finding.level.name),
            "message": .string(finding.message),
            "file": .string(report.path(of: finding.range)),
            "range": range(finding.range, in: report),
            "label": finding.label.isEmpty ? nil : .string(finding.label),
            "subject": finding.subject.map { .string($0) },
            "labels": .array(finding.secondary.map { json($0, in: report) }),
            "notes": .array(finding.notes.map { .string($0) }),
            "help": .array(finding.help.map { .string($0) }),
            "fixes": .array(finding.fixes.map { json($0, in: report) }),
            "docs": .string("poprules explain-check \(finding.check.id)"),
        ])
    }

    private static func json(_ label: Diagnostic.Label, in report: Report) -> JSON {
        .object([
            "file": .string(report.path(of: label.range)), "range": range(label.range, in: report),
            "text": .string(label.text),
        ])
    }

    private static func json(_ fix: Diagnostic.Fix, in report: Report) -> JSON {
        let edits = fix.edits.map { edit in
            JSON.object([
                "file": .string(report.path(of: edit.range)),
                "range": range(edit.range, in: report),
                "replacement": .string(edit.replacement),
            ])
        }
        return .object([
            "title": .string(fix.title), "isSafe": .bool(fix.isSafe), "edits": .array(edits),
        ])
    }

    /// Returns a range: lines and columns from 1, columns in Unicode scalars; the end is not
    /// included.
    private static func range(_ range: SourceRange, in report: Report) -> JSON {
        .object([
            "start": place(report.start(of: range), offset: range.lower),
            "end": place(report.end(of: range), offset: range.upper),
        ])
    }

    private static func place(_ place: LineColumn, offset: Int) -> JSON {
        .object([
            "line": .int(place.line), "column": .int(place.column), "byte": .int(offset),
        ])
    }
}

/// One JSON object per diagnostic, one per line.
struct JSONLinesRenderer: ReportRenderer {
    package func render(_ report: Report) -> String {
        report.findings.map { JSONRenderer.json($0, in: report).compact + "\n" }.joined()
    }
}

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
