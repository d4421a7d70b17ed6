internal import PopSource

/// SARIF 2.1.0 (OASIS standard), in the subset that GitHub's code scanning accepts.
struct SARIFRenderer: ReportRenderer {
    private static let schema =
        "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

    func render(_ report: Report) -> String {
        let checks = Set(report.findings.map(\.check)).sorted { $0.id < $1.id }
        let indexes = Dictionary(uniqueKeysWithValues: checks.enumerated().map { ($1, $0) })
        let results = zip(report.findings, report.fingerprints).map {
            result($0, fingerprint: $1, ruleIndex: indexes[$0.check], in: report)
        }
        let run = JSON.object([
            "tool": .object([
                "driver": .object([
                    "name": .string(Product.name), "semanticVersion": .string(Product.version),
                    "rules": .array(checks.map(rule)),
                ])
            ]),
            "columnKind": .string("unicodeCodePoints"),
            "invocations": report.summary.notice.map { .array([invocation(notice: $0)]) },
            "results": .array(results),
        ])
        return JSON.object([
            "$schema": .string(Self.schema), "version": .string("2.1.0"), "runs": .array([run]),
        ]).pretty + "\n"
    }

    /// Returns the entry about the run itself, if some checks weren't made.
    private func invocation(notice: String) -> JSON {
        .object([
            "executionSuccessful": .bool(true),
            "toolExecutionNotifications": .array([
                .object(["level": .string("note"), "message": message(notice)])
            ]),
        ])
    }

    private func rule(_ check: Check) -> JSON {
        .object([
            "id": .string(check.id),
            "name": .string(check.name),
            "shortDescription": message(check.summary),
            "fullDescription": message(check.summary),
            "help": message("\(check.summary)\n\npoprules explain-check \(check.id)"),
            "helpUri": .string(Product.pageAddress(of: check)),
            "defaultConfiguration": .object(["level": .string(level(check.level))]),
            "properties": .object([
                "tags": .array([.string(String(check.group))]),
                "problem.severity": .string(problemSeverity(check.level)),
            ]),
        ])
    }

    private func result(
        _ finding: Diagnostic, fingerprint: Fingerprint, ruleIndex: Int?, in report: Report
    ) -> JSON {
        let related = finding.secondary.enumerated().map { id, label in
            location(label.range, in: report, id: id + 1, text: label.text)
        }
        return .object([
            "ruleId": .string(finding.check.id),
            "ruleIndex": ruleIndex.map { .int($0) },
            "level": .string(level(finding.level)),
            "message": message(([finding.message] + finding.help).joined(separator: "\n")),
            "locations": .array([location(finding.range, in: report)]),
            "relatedLocations": related.isEmpty ? nil : .array(related),
            "partialFingerprints": .object([
                "primaryLocationLineHash": .string(fingerprint.text)
            ]),
            "fixes": finding.fixes.isEmpty
                ? nil : .array(finding.fixes.map { fix($0, in: report) }),
        ])
    }

    private func location(
        _ range: SourceRange, in report: Report, id: Int? = nil, text: String? = nil
    ) -> JSON {
        .object([
            "id": id.map { .int($0) },
            "physicalLocation": .object([
                "artifactLocation": artifact(range, in: report),
                "region": region(range, in: report),
            ]),
            "message": text.map { message($0) },
        ])
    }

    /// Returns a fix; edits of one file are grouped, as SARIF requires.
    private func fix(_ fix: Diagnostic.Fix, in report: Report) -> JSON {
        let files = fix.edits.map(\.range.file)
        let inOrder = files.enumerated().filter { files.firstIndex(of: $1) == $0 }.map(\.element)
        let changes = inOrder.compactMap { file -> JSON? in
            let edits = fix.edits.filter { $0.range.file == file }
            guard let first = edits.first else { return nil }
            return .object([
                "artifactLocation": artifact(first.range, in: report),
                "replacements": .array(
                    edits.map {
                        .object([
                            "deletedRegion": region($0.range, in: report),
                            "insertedContent": .object(["text": .string($0.replacement)]),
                        ])
                    }),
            ])
        }
        return .object(["description": message(fix.title), "artifactChanges": .array(changes)])
    }

    private func artifact(_ range: SourceRange, in report: Report) -> JSON {
        .object(["uri": .string(uri(report.path(of: range)))])
    }

    private func region(_ range: SourceRange, in report: Report) -> JSON {
        let (start, end) = (report.start(of: range), report.end(of: range))
        return .object([
            "startLine": .int(start.line), "startColumn": .int(start.column),
            "endLine": .int(end.line), "endColumn": .int(end.column),
            "byteOffset": .int(range.lower), "byteLength": .int(range.bytes.count),
        ])
    }

    private func message(_ text: String) -> JSON { .object(["text": .string(text)]) }

    private func level(_ level: Level) -> String {
        switch level {
        case .error: "error"
        case .warning: "warning"
        case .info: "note"
        case .off: "none"
        }
    }

    /// Returns the word that GitHub filters by.
    private func problemSeverity(_ level: Level) -> String {
        switch level {
        case .error: "error"
        case .warning: "warning"
        case .info, .off: "recommendation"
        }
    }

    /// Returns the path as a relative reference; an absolute path becomes a `file` URI (RFC 3986).
    private func uri(_ path: String) -> String {
        let encoded = path.utf8.map { byte in
            let scalar = Unicode.Scalar(byte)
            let isPlain =
                scalar.properties.isASCIIHexDigit || ("a"..."z").contains(scalar)
                || ("A"..."Z").contains(scalar) || "/-._~".unicodeScalars.contains(scalar)
            let digits = String(byte, radix: 16, uppercase: true)
            return isPlain ? String(scalar) : "%" + (digits.count < 2 ? "0" : "") + digits
        }.joined()
        return path.hasPrefix("/") ? "file://" + encoded : encoded
    }
}
