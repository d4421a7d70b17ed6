import PopRuleFiles
import PopScheduler
import PopSource
import PopStories
import Testing

/// S-H1, S-M1.
@Suite struct `The work for tests` {
    /// Values of a key, as a table of one column has them.
    private static func assignments(_ count: Int) throws -> [RunnableTest.Assignment] {
        let values = (0..<count).map(String.init).joined(separator: ", ")
        let test = "tests:\n  t: { for_each: { k: [\(values)] }, eligible: { a: k > 1 } }\n"
        let tests = try tests(test, of: rules(shop))
        return tests.tests[0].combinations.compactMap(\.first)
    }

    @Test func `is refused for a table with too many rows`() throws {
        for counts in [[46, 46, 46, 1_000], [16, 16, 16, 16, 16], [316, 317]] {
            var table = Combinations()
            let last = counts.indices.last
            for (index, count) in counts.enumerated() {
                let isAdded = table.add(try Self.assignments(count))
                #expect(isAdded == (index != last), "\(counts)")
            }
            #expect(table.count <= Combinations.most)
        }
    }

    @Test func `is refused for a table whose product overflows`() throws {
        var table = Combinations()
        let digits = try Self.assignments(10)
        for _ in 0..<30 { _ = table.add(digits) }
        #expect(table.count == Combinations.most)
    }

    @Test func `covers a row for each combination, the last key first`() throws {
        var table = Combinations()
        #expect(table.map(\.count) == [0])
        for count in [2, 1, 3] {
            let isAdded = table.add(try Self.assignments(count))
            #expect(isAdded)
        }
        let rows = table.map { $0.map { $0.text.dropFirst(3) }.joined() }
        #expect(rows == ["000", "001", "002", "100", "101", "102"])
    }

    @Test func `covers no rows if the file is refused`() throws {
        let names = ["a", "b", "c", "d"]
        func list(_ count: Int) -> String { (0..<count).map(String.init).joined(separator: ", ") }
        let keys = names.map { "\($0): { type: int, default: 0 }" }.joined(separator: ", ")
        let rules = "context: { \(keys) }\npopups: { hello: { when: a > 3 } }\n"
        let columns = zip(names, [46, 46, 46, 1_000]).map { "\($0): [\(list($1))]" }
        let test =
            "{ for_each: { \(columns.joined(separator: ", ")) }, eligible: { hello: a > 3 } }"
        let found = try `A mistake in a test`.findings(test, rules: rules)
        #expect(found.map(\.message) == ["the table has more than 100000 combinations"])
    }

    @Test func `the work of a test includes the records for coverage`() throws {
        let rules = try rules(
            "context: { k: { type: int, default: 0 } }\npopups:\n"
                + (0..<20).map { "  p\($0): { when: k > \($0), cap: { lifetime: 1 } }\n" }.joined())
        let steps = (0..<20).map { "{ set: { k: \(-$0) } }" }.joined(separator: ", ")
        let tests = try tests("tests:\n  t: { steps: [\(steps)] }\n", of: rules)
        func judged(_ coverage: Coverage?) -> Int {
            let most = 1_000_000
            let budget = WorkBudget([.judgedPopups: most])
            var coverage = coverage
            _ = TestRunner.run(
                tests.tests[0], of: tests, isDrawn: false, coverage: &coverage, within: budget)
            return most - budget.rest(of: .judgedPopups)
        }
        // Twenty popups that wait are judged at twenty steps.
        #expect(judged(Coverage()) >= judged(nil) + 20 * 20 * 2)
    }

    /// Each of them makes a scheduler for all popups.
    @Test(arguments: [
        "{ for_each: { k: LIST }, eligible: { p1: k > 1 } }",
        "{ for_each: { k: LIST }, steps: [{ expect: { showing: { main: p0 } } }] }",
        "{ steps: [RESTARTS] }", "{ steps: [USERS] }",
    ])
    func `the work of a test includes restarting with all popups`(test: String) throws {
        let popups = (0..<50).map { "  p\($0): {}\n" }.joined()
        let rules = try rules("context: { k: { type: int, default: 0 } }\npopups:\n\(popups)")
        func repeated(_ text: String) -> String {
            Array(repeating: text, count: 40).joined(separator: ", ")
        }
        let list = "[\((0..<40).map(String.init).joined(separator: ", "))]"
        let text = test.replacing("LIST", with: list)
            .replacing("RESTARTS", with: repeated("{ restart: true }"))
            .replacing("USERS", with: repeated("{ switch_user: b }"))
        let tests = try tests("tests:\n  t: \(text)\n", of: rules)
        let most = 1_000_000
        let budget = WorkBudget([.judgedPopups: most])
        _ = TestRunner.run(tests.tests[0], of: tests, within: budget)
        #expect(most - budget.rest(of: .judgedPopups) >= 40 * 50 / 2)
    }

    private static let shop =
        "context: { k: { type: int, default: 2000 } }\npopups: { a: {"
        + " when: now.getMilliseconds() > k } }\n"

    private func results(_ text: String, _ amounts: [WorkBudget.Kind: Int]) throws -> [TestResult] {
        let tests = try tests("tests:\n" + text, of: rules(Self.shop))
        let budget = WorkBudget(amounts)
        return tests.tests.map { TestRunner.run($0, of: tests, within: budget) }
    }

    private let stories = """
          t:
            steps:
              - { after: 1d, expect: { showing: { main: none } } }
              - { after: 1d, expect: { showing: { main: none } } }
          u: { steps: [{ expect: { showing: { main: none } } }] }

        """

    @Test(arguments: [WorkBudget.Kind.simulatedSteps, .judgedPopups])
    func `a used-up budget fails a test that is cut short, and tests that do not run`(
        kind: WorkBudget.Kind
    ) throws {
        let results = try results(stories, [kind: 1_000])
        #expect(results.map(\.isCutShort) == [true, true])
        #expect(
            results.map { $0.failures.map(\.message) } == [
                ["the test was stopped: it exceeds the work limit"],
                ["the test was not run: earlier tests used up the work limit"],
            ])
        #expect(results.allSatisfy { !$0.passed })
        #expect(results[0].steps == 0)
    }

    @Test func `fails a test with rows that were not run`() throws {
        let table = "  t: { for_each: { k: [1, 2, 3] }, steps: [{ send: x }] }\n"
            .replacing("send: x", with: "expect: { reasons: { a: CONDITION_FALSE } }")
        let results = try results(table, [.generatedRows: 2])
        #expect(results[0].plays.count == 2)
        #expect(
            results[0].failures.map(\.message) == [
                "the test was stopped: it exceeds the work limit"
            ])
    }

    @Test func `fails a test for which a command has no time`() throws {
        let results = try results(stories, [.simulatedSteps: 20_000])
        #expect(!results[0].passed)
    }
}
