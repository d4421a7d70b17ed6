import PopRuleFiles
import PopScheduler
import PopSource
import PopStories
import Testing

@Suite struct `The payload of events before a test` {
    private static let shop = """
        events: { paid: { total: double, items: int, note: string }, opened: {} }
        popups:
          regular: { when: 'event_sum("paid", "total", duration("30d")) > 100.0' }

        """

    private func findings(_ sent: String) throws -> [Diagnostic] {
        let text = """
            poprules_test: 1
            tests:
              t:
                history: { paid: { sent: \(sent) } }
                steps: [{ expect: { showing: { main: none } } }]

            """
        let source = SourceFile(path: "a.test.yaml", text: text)
        let rules = try rules(Self.shop)
        return TestFile.parse(source).then { file in
            TestLinker.link(file, of: source, rules: rules) { _ in nil }
        }.diagnostics.list
    }

    private func failures(_ history: String, showing: String) throws -> [String] {
        let text = """
            tests:
              t:
                history: { paid: \(history) }
                steps: [{ expect: { showing: { main: \(showing) } } }]

            """
        let tests = try tests(text, of: rules(Self.shop))
        return TestRunner.run(tests.tests[0], of: tests, within: .ofCommand()).failures.map(
            \.message)
    }

    @Test func `is summed for events inside the window`() throws {
        func both(_ first: String) -> String {
            "{ sent: [{ at: -1h, payload: { total: 60 } }, { at: \(first), payload: { total: 60.0 }"
                + " }] }"
        }
        #expect(try failures(both("-29d"), showing: "regular") == [])
        #expect(try failures(both("-30d"), showing: "none") == [])
        #expect(try failures("{ sent: 3 }", showing: "none") == [])
        let mixed = "{ sent: [-2d, { at: -1d }, { at: -1h, payload: { total: 101 } }] }"
        #expect(try failures(mixed, showing: "regular") == [])
    }

    @Test(arguments: [
        ("[{ at: -1h, payload: { totl: 8.0 } }]", "unknown payload field `totl`"),
        ("[{ at: -1h, payload: { total: much } }]", "`total` must be a number"),
        ("[{ at: -1h, payload: { items: 2 } }]", "no condition sums `items` of `paid`"),
        ("[{ at: -1h, payload: 8.0 }]", "`payload` must be a map"),
        ("[{ payload: { total: 8.0 } }]", "a time at which an event was sent needs the key `at`"),
        ("[{ at: -1h, total: 8.0 }]", "unknown key `total` in a time at which an event was sent"),
        ("{ at: -1h, payload: { total: 8.0 } }", "`sent` must be"),
        (
            "[{ at: 2099-01-01T00:00:00Z }]",
            "2099-01-01T00:00:00Z is not before the start of the test"
        ),
        ("[{ at: 1h }]", "`at` must be a time before the test"),
    ])
    func `is read strictly`(sent: String, message: String) throws {
        let found = try findings(sent).map(\.message)
        #expect(found.count == 1 && found[0].hasPrefix(message), "\(found)")
    }
}
