import PopRuleFiles
import PopScheduler
import PopSource
import PopStories
import Testing

@Suite struct `A test in an unsupported short form` {
    private static let shop = """
        context:
          screen: { type: string, values: [home, map], default: map }
          launches: { type: int, default: 0 }
        events: { paid: { total: double }, opened: {}, closed: {} }
        popups:
          welcome: { when: screen == "home" }
          offer: { trigger: manual, goals: [{ name: buy, event: paid, within: 7d }] }
        """

    private func findings(_ text: String) throws -> [Diagnostic] {
        let source = SourceFile(path: "a.test.yaml", text: text)
        let rules = try rules(Self.shop)
        let checked = TestFile.parse(source).then { file in
            TestLinker.link(file, of: source, rules: rules) { _ in nil }
        }
        return checked.diagnostics.list
    }

    private func file(_ test: String) -> String { "poprules_test: 1\ntests: { t: \(test) }\n" }

    private func applied(_ fix: Diagnostic.Fix, to text: String) -> String {
        var bytes = Array(text.utf8)
        for edit in fix.edits.sorted(by: { $0.range > $1.range }) {
            bytes.replaceSubrange(edit.range.bytes, with: edit.replacement.utf8)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static let seen = "expect: { showing: { main: none } }"

    /// Each of them with a part of the message about it.
    @Test(arguments: [
        (
            "{ given: { screen: map }, when: { screen: home } }",
            "write `context` instead of `given`"
        ),
        ("{ steps: [{ at: 5s, \(seen) }] }", "such as `after: 5s`"),
        ("{ steps: [{ travel_to: 2027-01-01T00:00:00Z, \(seen) }] }", "such as `after: 5s`"),
        ("{ steps: [{ When: the app starts, \(seen) }] }", "write keys instead of a sentence"),
        (
            "{ steps: [{ event: paid, payload: { total: 9.5 }, \(seen) }] }",
            "`send: { paid: { total: 9.5 } }`"
        ),
        (
            "{ steps: [{ expect: { welcome: { visible: true } } }] }",
            "if `welcome` is a popup: `showing: { main: welcome }` if it shows"
        ),
        ("{ steps: { 1: { send: opened }, 2: { \(seen) } } }", "`steps: [{ send: opened }, {"),
        (
            "{ context: { scren_size: 3 }, steps: [{ \(seen) }] }",
            "use one of the context keys `launches` and `screen`"
        ),
        (
            "{ for_each: [{ launches: 1, expected: true }, { launches: 2 }] }",
            "`for_each: { launches: [1, 2] }`"
        ),
        (
            "{ steps: [{ expect: { reasons: { welcome: FREQUENCY_CAPPED } } }] }",
            "if you mean the reason code of `cap: { lifetime: … }`: `LIFETIME_CAP`"
        ),
        (
            "{ steps: [{ expect: { dismissed: { welcome: xyzzy } } }] }",
            "use one of the reason codes: DISABLED, NOT_IN_ROLLOUT"
        ),
        ("{ steps: [{ background: 30m }, { foreground: true, \(seen) }] }", "- after: 30m"),
        ("{ steps: [{ restart: 5m, \(seen) }] }", "above it in the step `after: 5m`"),
        (
            "{ steps: [{ expect: { converted: { offer: [sale] } } }] }",
            "use one of its goals: `buy`"
        ),
        (
            "{ steps: [{ expect: { converted: { welcome: true } } }] }",
            "declare `goals` in `welcome`, which has none"
        ),
        ("{ snapshot: the first, steps: [{ \(seen) }] }", "use only letters"),
    ])
    func `is reported with the correct form`(test: String, help: String) throws {
        let found = try findings(file(test)).flatMap(\.help)
        #expect(found.contains { $0.contains(help) }, "\(found)")
    }

    @Test func `is reported if it nests the keys of a persona too deeply`() throws {
        let text =
            "poprules_test: 1\npersonas: { new: { description: a, context: { launches: 0 } } }\n"
            + "tests: { t: { persona: new, steps: [{ \(Self.seen) }] } }\n"
        let found = try findings(text)
        #expect(found.map(\.help) == [["write `new: { launches: 0 }`"]])
    }

    @Test func `is reported with an example of a test if it is written as a scenario`() throws {
        for word in ["Feature", "describe", "it"] {
            let found = try findings("poprules_test: 1\n\(word): { a: { \(Self.seen) } }\n")
            #expect(found.count == 1, "\(found.map(\.message))")
            #expect(found.flatMap(\.help).contains { $0.contains("`tests: {") })
        }
    }

    @Test(arguments: [
        ("expect: welcome", "expect: { showing: { main: welcome } }"),
        ("expect: nothing", "expect: { showing: { main: none } }"),
        ("expect: { showing: none }", "expect: { showing: { main: none } }"),
        ("expect: { showing: welcome }", "expect: { showing: { main: welcome } }"),
        ("expect: { showing: [welcome] }", "expect: { showing: { main: welcome } }"),
        ("expect: { waiting: welcome }", "expect: { waiting: { main: [welcome] } }"),
        (
            "expect: { waiting: [welcome, offer] }",
            "expect: { waiting: { main: [welcome, offer] } }"
        ),
        ("expect: { shown: { welcome: true } }", "expect: { shown: { welcome: 1 } }"),
        ("expect: { shown: { welcome: false } }", "expect: { shown: { welcome: 0 } }"),
        (
            "expect: { reasons: { welcome: condition false } }",
            "expect: { reasons: { welcome: CONDITION_FALSE } }"
        ),
        ("set: screen = home, \(seen)", "set: { screen: home }, \(seen)"),
        (
            "set: [{ screen: home }, { launches: 1 }], \(seen)",
            "set: { screen: home, launches: 1 }, \(seen)"
        ),
        (
            "send: { event: paid, payload: { total: 9.5 } }, \(seen)",
            "send: { paid: { total: 9.5 } }, \(seen)"
        ),
        ("send: { event: opened }, \(seen)", "send: opened, \(seen)"),
        (
            "expect: { reasons: { welcome: condition not met } }",
            "expect: { reasons: { welcome: CONDITION_FALSE } }"
        ),
        ("set.screen: home, \(seen)", "set: { screen: home }, \(seen)"),
        ("set: { screen: Home }, \(seen)", "set: { screen: home }, \(seen)"),
        ("send: 'paid(total=8.0)', \(seen)", "send: { paid: { total: 8.0 } }, \(seen)"),
        ("send: opened(), \(seen)", "send: opened, \(seen)"),
        ("send: [opened], \(seen)", "send: opened, \(seen)"),
        (
            "send: [opened, closed], \(seen)", "send: { opened: {}, closed: {} }, \(seen)"
        ),
        (
            "send: { event: paid, total: 9.5 }, \(seen)", "send: { paid: { total: 9.5 } }, \(seen)"
        ),
        (
            "send: { total: 9.5, event: paid }, \(seen)", "send: { paid: { total: 9.5 } }, \(seen)"
        ),
        ("expect: { converted: { offer: true } }", "expect: { converted: { offer: [buy] } }"),
        ("expect: { converted: { offer: false } }", "expect: { converted: { offer: [] } }"),
        (
            "expect: { dismissed: { welcome: HIDE_AFTER } }",
            "expect: { dismissed: { welcome: TIMED_OUT } }"
        ),
        ("begin_session: now, \(seen)", "begin_session: true, \(seen)"),
        ("background: yes, \(seen)", "background: true, \(seen)"),
    ])
    func `is corrected by its fix`(step: String, mended: String) throws {
        let text = file("{ steps: [{ \(step) }] }")
        let found = try findings(text)
        #expect(found.count == 1, "\(found.map(\.message))")
        let fix = try #require(found.first?.fixes.first)
        let after = applied(fix, to: text)
        #expect(after == file("{ steps: [{ \(mended) }] }"))
        #expect(try findings(after).isEmpty)
    }

    @Test(arguments: [
        ("eligible: [welcome]", "eligible: { welcome: true }"),
        ("eligible: offer", "eligible: { offer: true }"),
        ("eligible: [welcome, offer]", "eligible: { welcome: true, offer: true }"),
        (
            "snapshot: snapshots/first.log, steps: [{ \(seen) }]",
            "snapshot: first, steps: [{ \(seen) }]"
        ),
        ("snapshot: first.log, steps: [{ \(seen) }]", "snapshot: first, steps: [{ \(seen) }]"),
    ])
    func `is fixed if it is a key of the test`(keys: String, mended: String) throws {
        let text = file("{ \(keys) }")
        let found = try findings(text)
        #expect(found.count == 1, "\(found.map(\.message))")
        let fix = try #require(found.first?.fixes.first)
        let after = applied(fix, to: text)
        #expect(after == file("{ \(mended) }"))
        #expect(try findings(after).isEmpty)
    }

    @Test func `gets help on the expected result of a row only if it has one`() throws {
        let found = try findings(file("{ for_each: [{ launches: 1 }], eligible: { offer: true } }"))
        #expect(
            found.map(\.help) == [
                [
                    "write the values of each key, to test every combination:"
                        + " `for_each: { launches: [1] }`"
                ]
            ])
    }

    @Test(arguments: [
        ("{ welcome: 2 }", "{ welcome: { shown: 2 } }"),
        ("{ welcome: { last: 3 days ago } }", "{ welcome: { last: -3d } }"),
        ("{ welcome: { last: 3d } }", "{ welcome: { last: -3d } }"),
    ])
    func `is fixed if it is a history`(history: String, mended: String) throws {
        let text = file("{ history: \(history), steps: [{ \(Self.seen) }] }")
        let fix = try #require(try findings(text).first?.fixes.first)
        let after = applied(fix, to: text)
        #expect(after == file("{ history: \(mended), steps: [{ \(Self.seen) }] }"))
        #expect(try findings(after).isEmpty)
    }

    @Test(arguments: ["welcome", "[welcome]"])
    func `is never fixed to the opposite for popups that do not show`(popup: String) throws {
        for name in ["not_showing", "hidden", "not_shown"] {
            let found = try findings(file("{ steps: [{ expect: { \(name): \(popup) } }] }"))
            #expect(found.flatMap(\.fixes).isEmpty)
            #expect(
                found.first?.help == [
                    "use `showing` instead, such as `showing: { main: none }`",
                    "if another popup may show, add `never: ['showing.main == \"welcome\"']` next"
                        + " to `steps`",
                ])
        }
    }

    @Test(arguments: [
        ("resume: true", true), ("suspend: true }, { resume: true", false),
        ("suspend: { owner: a } }, { resume: true", true),
        ("suspend: { owner: a } }, { resume: { owner: a }", false),
        ("suspend: true }, { restart: true }, { resume: true", true),
        ("suspend: true }, { resume: true }, { resume: true", true),
    ])
    func `is reported if it resumes something that is not suspended`(steps: String, isFound: Bool)
        throws
    {
        let found = try findings(file("{ steps: [{ \(steps), \(Self.seen) }] }"))
        #expect(
            found.map(\.message)
                == (isFound ? ["there is no suspension that `resume` can end"] : []))
    }

    @Test(arguments: [("bob", false), ("\"\"", true)])
    func `is reported if it gives a history to users who cannot have one`(
        user: String, isFound: Bool
    ) throws {
        let step = "switch_user: { user: \(user), history: { welcome: { shown: 1 } } }"
        let found = try findings(file("{ steps: [{ \(step), \(Self.seen) }] }"))
        #expect(
            found.map(\.message)
                == (isFound
                    ? ["the history of `` is already known: the test had this user before"] : []))
    }
}
