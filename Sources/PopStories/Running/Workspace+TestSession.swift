package import PopCEL
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
