package import PopCEL
package import PopReports
package import PopSource

/// The selection of tests to run, and how to run them.
package struct TestOptions {
    /// Selects only tests whose name the pattern matches.
    package var pattern: RegularExpression?
    /// True if the first failure ends the run.
    package var failsFast = false
    /// True if snapshots that differ are rewritten.
    package var updatesSnapshots = false
    /// The coverage that the tests record; nil if nobody requested it.
    package var coverage: Coverage?
    /// The work that all tests together may use up.
    package var budget = WorkBudget.ofCommand()

    package init() {}
}

/// The results of the tests of some files.
package struct TestReport: Sendable {
    package struct File: Sendable {
        package var path: String
        package var results: [TestResult]
    }

    package var files: [File] = []
    /// The number of tests that weren't run because another test has `only`.
    package var leftOut = 0

    package var passed: Int { files.reduce(0) { $0 + $1.results.count { $0.passed } } }
    package var failed: Int { files.reduce(0) { $0 + $1.results.count { !$0.passed } } }

    /// Such as `3 passed, 1 failed`.
    package var summary: String {
        "\(passed) passed, \(failed) failed"
            + (leftOut > 0 ? ", \(leftOut) skipped because of `only`" : "")
    }
}

extension Workspace {
    /// Runs the tests that can be run, in the order of the files.
    package func run(_ options: inout TestOptions) throws -> TestReport {
        var report = TestReport()
        let files = tests.compactMap { test in link(test).value.map { (test, $0) } }
        let hasOnly = files.contains { $0.1.tests.contains(where: \.isOnly) }
        for (test, runnable) in files {
            let snapshots = Snapshots(
                besideFile: test.source.path, isUpdating: options.updatesSnapshots)
            var file = TestReport.File(path: test.source.path, results: [])
            for test in runnable.tests where options.wants(test.name.value) {
                if hasOnly, !test.isOnly {
                    report.leftOut += 1
                    continue
                }
                if options.failsFast, report.failed + file.failed > 0 { break }
                var result = TestRunner.run(
                    test, of: runnable, coverage: &options.coverage, within: options.budget)
                if let name = test.snapshot, !result.isCutShort,
                    var difference = try snapshots.difference(result, from: name)
                {
                    difference.subject = "test `\(test.name.value)`"
                    result.failures.append(difference)
                }
                file.results.append(result)
            }
            report.files.append(file)
        }
        return report
    }
}

extension TestReport.File {
    fileprivate var failed: Int { results.count { !$0.passed } }
}

extension TestOptions {
    /// Returns true if a test of that name is to be run.
    package func wants(_ name: String) -> Bool {
        pattern.map { $0.isMatch(name) || $0.pattern == name } ?? true
    }
}

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
            // GitHub Actions passes over blanks in front of a command.
            lines += TerminalLines.lines(text).text.split(separator: "\n").map { "    \($0)" }
            lines.append("  ...")
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
