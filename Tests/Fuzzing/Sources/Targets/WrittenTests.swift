@testable import PopCEL
@testable import PopScheduler
@testable import PopSource
@testable import PopStories

/// Test files that the program itself writes.
enum WrittenTests {
    /// The tests of a file; a mistake in it, or something doubtful, is a violation.
    static func linked(_ text: String, with rules: RuleSet) throws -> RunnableTests {
        let checked = read(text, with: rules)
        let grave = checked.diagnostics.list.filter { $0.level >= .warning }
        guard let tests = checked.value, grave.isEmpty else {
            throw Violation(description: "\(grave.map(\.message)) in\n\(text)")
        }
        return tests
    }

    static func read(_ text: String, with rules: RuleSet) -> Checked<RunnableTests> {
        let source = SourceFile(path: "written.test.yaml", bytes: Array(text.utf8))
        return TestFile.parse(source).then { file in
            TestLinker.link(file, of: source, rules: rules) { _ in nil }
        }
    }

    /// Every test of a file passes, within the work that one command may do.
    static func requirePasses(_ text: String, with rules: RuleSet) throws {
        let tests = try linked(text, with: rules)
        let budget = WorkBudget.ofCommand()
        for test in tests.tests {
            let result = TestRunner.run(test, of: tests, within: budget)
            try require(
                result.passed,
                "`\(test.name.value)`: \(result.failures.map { [$0.message] + $0.notes }) in\n"
                    + text)
        }
    }

    /// The budget of a writer. It is small because fuzzing needs many inputs.
    static func budget() -> WorkBudget {
        WorkBudget([.simulatedSteps: 20_000, .judgedPopups: 100_000, .generatedRows: 1_000])
    }
}
