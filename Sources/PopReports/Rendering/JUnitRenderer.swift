internal import PopSource

/// JUnit's XML as Jenkins reads it: one suite per file, one case per diagnostic; a file without
/// diagnostics is one case that passed.
struct JUnitRenderer: ReportRenderer {
    func render(_ report: Report) -> String {
        let suites = report.sources.files.enumerated()
            .compactMap { suite($0.element, number: $0.offset, in: report) }
        let cases = suites.map(\.children.count).reduce(0, +)
        return XMLElement(
            name: "testsuites",
            attributes: [
                "name": Product.name, "tests": "\(cases)",
                "failures": "\(report.findings.count(where: { fails($0, in: report) }))",
                "errors": "0",
                "time": "0",
            ], children: suites
        ).document
    }

    private func suite(_ file: SourceFile, number: Int, in report: Report) -> XMLElement? {
        let findings = report.findings.filter { $0.range.file == file.id }
        var cases = findings.map { testCase($0, in: report) }
        if cases.isEmpty {
            cases = [
                XMLElement(
                    name: "testcase",
                    attributes: ["name": "no findings", "classname": file.path, "time": "0"])
            ]
        }
        return XMLElement(
            name: "testsuite",
            attributes: [
                "name": file.path, "package": Product.name, "id": "\(number)",
                "tests": "\(cases.count)",
                "failures": "\(findings.count(where: { fails($0, in: report) }))", "errors": "0",
                "skipped": "0", "time": "0",
            ], children: cases)
    }

    private func testCase(_ finding: Diagnostic, in report: Report) -> XMLElement {
        let start = report.start(of: finding.range)
        let path = report.path(of: finding.range)
        let lines = ["\(path):\(start.line):\(start.column): \(finding.message)"] + finding.help
        let text = lines.joined(separator: "\n")
        let result =
            fails(finding, in: report)
            ? XMLElement(
                name: "failure",
                attributes: ["message": finding.message, "type": finding.check.name], text: text)
            : XMLElement(name: "system-out", text: "\(finding.level.name): \(text)")
        return XMLElement(
            name: "testcase",
            attributes: [
                "name": "\(finding.check.id) \(finding.check.name) \(start.line):\(start.column)",
                "classname": path, "time": "0",
            ], children: [result])
    }

    private func fails(_ finding: Diagnostic, in report: Report) -> Bool {
        finding.level >= report.failLevel
    }
}

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
