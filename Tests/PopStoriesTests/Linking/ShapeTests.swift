import PopRuleFiles
import PopScheduler
import PopSource
import PopStories
import Testing

@Suite struct `A test file with a value of another shape` {
    private static let shop = """
        context: { plan: { type: string, default: free } }
        popups: { welcome: { trigger: manual } }
        """

    /// Returns the findings in a file, in its order.
    private func findings(_ text: String) throws -> [String] {
        let source = SourceFile(path: "a.test.yaml", text: "poprules_test: 1\n" + text)
        let rules = try rules(Self.shop)
        let checked = TestFile.parse(source).then { file in
            TestLinker.link(file, of: source, rules: rules) { _ in nil }
        }
        return checked.diagnostics.list.map(\.message)
    }

    @Test(arguments: [
        ("tests: { a: start }", "`a` must be a map with"),
        ("tests: { a: }", "nothing happens in this test"),
        ("tests: { a: { steps: [3s] } }", "an item of `steps` must be a map with"),
        ("tests: { a: { for_each: { plan: free } } }", "`plan` must be a list, but is the string"),
        ("tests: { a: { for_each: { plan: [1] } } }", "an item of `plan` must be a string, but is"),
        ("tests: { a: { history: { welcome: 3 } } }", "`welcome` must be a map with"),
        ("tests: { a: { history: { session: 3 } } }", "`session` must be a map with"),
        ("tests: { a: { history: { session: {} } } }", "the history of `session` is empty"),
        (
            "tests: { a: { history: { session: { first: -1d, ended: -2d } } } }",
            "the first session starts after the last one ended"
        ),
        (
            "tests: { a: { history: { session: { first: -2d }, welcome: { last: -3d } } } }",
            "the user's first session started after"
        ),
        (
            "tests: { a: { history: { welcome: { shown: [-1d] }, session: { ended: -2d } } } }",
            "the user's last session ended before"
        ),
        (
            "tests: { a: { persona: [b] } }",
            "`persona` must be the name of a persona, but is a list"
        ),
        ("tests: { a: { context: { rollout: {} } } }", "`rollout` is not a context key"),
        ("tests: { a: { always: [[true]] } }", "an item of `always` must be an expression"),
        ("tests: { a: { eligible: { welcome: 1 } } }", "`welcome` must be an expression such as"),
        ("personas: { vip: pro }\ntests: {}", "`vip` must be a map, but is the string"),
        (
            "tests: { a: { steps: [{ expect: { showing: { main: [] } } }] } }",
            "`main` must be the name of a popup, but is a list"
        ),
        (
            "tests: { a: { steps: [{ expect: { waiting: { main: x } } }] } }",
            "`main` must be a list, but is the string"
        ),
    ])
    func `is reported once, with the right shape`(text: String, message: String) throws {
        let found = try findings(text)
        #expect(found.count { $0.hasPrefix(message) } == 1, "\(found)")
    }
}
