package import PopReports
package import PopSource

extension TestReport {
    /// Returns JSON for programs: every test, and every failure in the form of findings in
    /// `validate --format json`.
    package func json(_ sources: SourceSet) -> JSON {
        let findings = Diagnostics(files.flatMap(\.results).flatMap(\.failures))
        let summary = Summary(popups: 0, files: files.count, diagnostics: findings)
        let report = Report(findings, sources: sources, summary: summary)
        var tests: [JSON] = []
        for file in files {
            for result in file.results {
                let place = LineIndex(sources[result.name.range.file])
                    .place(at: result.name.range.lower)
                tests.append(
                    .object([
                        "file": .string(file.path), "line": .int(place.line),
                        "name": .string(result.name.value), "passed": .bool(result.passed),
                        "steps": .int(result.steps),
                        "failures": .array(
                            result.failures.map { JSONRenderer.json($0, in: report) }),
                    ]))
            }
        }
        return .object([
            "schemaVersion": .int(JSONRenderer.schemaVersion), "tests": .array(tests),
            "summary": .object([
                "passed": .int(passed), "failed": .int(failed), "leftOut": .int(leftOut),
            ]),
        ])
    }

    /// Returns JUnit's XML for build servers, one suite per file.
    package func junit(_ renderer: inout TextRenderer) -> String {
        let suites = files.enumerated().map { number, file in
            let cases = file.results.map { result in
                XMLElement(
                    name: "testcase",
                    attributes: [
                        "name": result.name.value, "classname": file.path, "time": "0",
                    ],
                    children: result.failures.map { failure in
                        XMLElement(
                            name: "failure",
                            attributes: ["message": failure.message, "type": failure.check.name],
                            text: renderer.render(failure))
                    })
            }
            return XMLElement(
                name: "testsuite",
                attributes: suite(file.results, named: file.path, number: number),
                children: cases)
        }
        return XMLElement(
            name: "testsuites", attributes: counts(files.flatMap(\.results), named: Product.name),
            children: suites
        ).document
    }

    private func suite(
        _ results: [TestResult], named name: String, number: Int
    ) -> KeyValuePairs<String, String> {
        [
            "name": name, "package": Product.name, "id": "\(number)",
            "tests": "\(results.count)", "failures": "\(results.count { !$0.passed })",
            "errors": "0", "time": "0",
        ]
    }

    private func counts(
        _ results: [TestResult], named name: String
    ) -> KeyValuePairs<String, String> {
        [
            "name": name, "tests": "\(results.count)",
            "failures": "\(results.count { !$0.passed })", "errors": "0", "time": "0",
        ]
    }

    /// Returns the Test Anything Protocol, version 14.
    package func tap(_ renderer: inout TextRenderer) -> String {
        let results = files.flatMap { file in file.results.map { (file.path, $0) } }
        var lines = ["TAP version 14", "1..\(results.count)"]
        for (position, (path, result)) in results.enumerated() {
            let name = escapedForTerminal("\(path): \(result.name.value)")
                .replacing("#", with: "\\#")
            lines.append("\(result.passed ? "ok" : "not ok") \(position + 1) - \(name)")
            guard !result.passed else { continue }
            lines.append("  ---")
            lines.append("  message: |")
            let text = result.failures.map { renderer.render($0) }.joined(separator: "\n")
            lines += text.split(separator: "\n").map { "    \($0)" }
            lines.append("  ...")
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
