import PopRuleFiles
import PopScheduler
import PopSource
import PopStories
import Testing

/// B7: if a test checks nothing, this is reported, before it runs or by a failure.
@Suite struct `A mistake in a test` {
    static let shop = """
        schedulers: { toast: { strategy: fifo } }
        context:
          plan: { type: string, default: free }
          screen: string
          user: { type: string, default: u }
        events: { paid: { total: double, currency: string }, opened: {} }
        templates: { sheet: { optional: { title: string }, actions: [accept] } }
        popups:
          hello: { trigger: manual }
          offer:
            template: sheet
            rollout: { percent: 50, by: user }
            goals: [{ name: buy, event: paid, within: 7d }]
            experiment: { by: user, control: 10, variants: { short: { content: { title: Hi } }, long: {} } }
          thanks: { scheduler: toast, trigger: { event: paid, where: event.total > 50.0 } }

        """

    /// S-M2: each unknown name is compared with all that exist.
    @Test
    func `a mistake in a name is compared with similar names at most a hundred times`() throws {
        let steps = (0..<300).map { "{ expect: { showing: { main: thanks_for_paying\($0) } } }" }
        let found = try Self.findings(
            "{ steps: [\(steps.joined(separator: ", "))] }",
            rules: "popups: { thanks_for_paying: {} }"
        ).filter { $0.check == .testUnknownPopup }
        #expect(found.count == 300)
        #expect(found.count { !$0.help.isEmpty } == 100)
    }

    /// Returns the findings in a file that contains this test.
    static func findings(
        _ test: String, personas: String = "{}", rules rulesText: String = shop
    ) throws -> [Diagnostic] {
        let text = "poprules_test: 1\npersonas: \(personas)\ntests:\n  t: \(test)\n"
        let source = SourceFile(path: "a.test.yaml", text: text)
        let rules = try rules(rulesText)
        let checked = TestFile.parse(source).then { file in
            TestLinker.link(file, of: source, rules: rules) { _ in nil }
        }
        return checked.diagnostics.list
    }

    /// Findings 18 and 25 of the product manager.
    @Test func `in its keys is reported with the key that takes such a value`() throws {
        let given = try Self.findings("{ given: payer, steps: [{ enqueue: hello, \(Self.seen) }] }")
        #expect(given.first?.help.first == "if you mean a persona, write `persona: payer`")
        let map = try Self.findings(
            "{ given: { plan: pro }, steps: [{ enqueue: hello, \(Self.seen) }] }")
        #expect(map.first?.help.first?.hasPrefix("use `context` instead") == true)
        let list = try Self.findings(
            "{ steps: [{ enqueue: hello, expect: { reasons: { hello: [IN_GAP] } } }] }")
        #expect(list.first?.help == ["write a single value without brackets: `IN_GAP`"])
    }

    @Test func `in a persona is reported if the persona is in two experiments of a layer`() throws {
        let rules = """
            context: { user: { type: string, default: u } }
            holdout: { percent: 5, by: user }
            layers: { prices: { by: user } }
            popups:
              a: { experiment: { layer: prices, range: [0, 50], variants: { low: {} } } }
              b: { experiment: { layer: prices, range: [50, 100], variants: { high: {} } } }
            """
        let persona = "{ p: { variant: { a: low, b: high } }, q: { holdout: maybe } }"
        let found = try Self.findings(
            "{ persona: p, steps: [{ \(Self.seen) }] }", personas: persona, rules: rules)
        #expect(
            found.map(\.message) == [
                "a user cannot be in the experiments of both `a` and `b`",
                "`holdout` must be `in` or `out`, but is `maybe`",
            ])
        let none = try Self.findings(
            "{ persona: { holdout: in }, steps: [{ \(Self.seen) }] }")
        #expect(none.map(\.message) == ["the rules have no `holdout`"])
    }

    @Test func `in a persona is reported if a holdout has no value to assign by`() throws {
        let rules = """
            context: { user: string }
            holdout: { percent: 5, by: user }
            popups: { a: {} }
            """
        func found(_ test: String) throws -> [String] {
            try Self.findings("{ \(test), steps: [{ \(Self.seen) }] }", rules: rules).map(\.message)
        }
        #expect(
            try found("persona: { holdout: in }")
                == ["the user is not in the holdout: `user` has no value"])
        #expect(
            try found("persona: { user: '', holdout: in }")
                == ["the user is not in the holdout: `user` is empty"])
        #expect(try found("persona: { user: u, holdout: in }") == [])
        #expect(try found("persona: { holdout: in }, context: { user: u }") == [])
        #expect(try found("persona: { holdout: out }") == [])
        #expect(try found("persona: { holdout: in }, for_each: { user: [u] }") == [])
    }

    @Test func `in a persona is reported if a variant isn't a string`() throws {
        let rules = """
            context: { user: { type: string, default: u } }
            popups: { a: { experiment: { by: user, variants: { low: {}, high: {} } } } }
            """
        let found = try Self.findings(
            "{ persona: { variant: { a: true } }, steps: [{ \(Self.seen) }] }", rules: rules)
        #expect(found.map(\.message) == ["unknown variant `true`"])
        #expect(found.flatMap(\.help) == ["use one of its variants: `high`, `low`"])
    }

    @Test(arguments: [
        ("holdout: in", "holdout: in"), ("holdout: out", "holdout: out"),
        ("holdout: true", "holdout: in"), ("rollout: { offer: in }", "rollout: { offer: in }"),
    ])
    func `in the context is reported with the matching key of a persona`(
        written: String, meant: String
    ) throws {
        let found = try Self.findings("{ context: { \(written) }, steps: [{ \(Self.seen) }] }")
        #expect(
            found.map(\.help) == [
                ["set the assignment of a user in a persona: `persona: { \(meant) }`"]
            ])
    }

    @Test func `in an assignment is reported with the valid words`() throws {
        let found = try Self.findings(
            "{ persona: { holdout: true }, steps: [{ \(Self.seen) }] }")
        #expect(
            found.map(\.help) == [
                [
                    "write `holdout: in` for a user in the holdout, or `holdout: out`"
                ]
            ])
    }

    static let seen = "expect: { showing: { main: none } }"

    @Test(arguments: [
        // A payload in a form that is lost, or without a field that is read.
        ("{ steps: [{ send: { paid: 80 }, \(seen) }] }", "the payload of `paid` must be a map"),
        ("{ steps: [{ send: { paid: [80] }, \(seen) }] }", "the payload of `paid` must be a map"),
        (
            "{ steps: [{ send: { opened: now }, \(seen) }] }",
            "the payload of `opened` must be a map"
        ),
        ("{ steps: [{ send: paid, \(seen) }] }", "`paid` is sent without `total`"),
        (
            "{ steps: [{ send: { paid: { currency: EUR } }, \(seen) }] }",
            "`paid` is sent without `total`"
        ),
        (
            "{ steps: [{ send: { paid: { totl: 8.0 } }, \(seen) }] }",
            "unknown payload field `totl`"
        ),
        // Nothing happens.
        ("{ steps: [{}, { \(seen) }] }", "this step does nothing and expects nothing"),
        ("{ steps: [{ set: {}, \(seen) }] }", "an action with an empty value does nothing"),
        ("{ steps: [{ send: {}, \(seen) }] }", "an action with an empty value does nothing"),
        ("{ steps: [{ suspend: false, \(seen) }] }", "`suspend` can only be `true`"),
        // An action that nobody can use.
        ("{ steps: [{ act: { offer: acept }, \(seen) }] }", "unknown action `acept`"),
        ("{ steps: [{ act: { offer: close }, \(seen) }] }", "`close` is not an action of `offer`"),
        ("{ steps: [{ act: { ofer: accept }, \(seen) }] }", "unknown popup `ofer`"),
        ("{ steps: [{ act: { offer: { stay: true } }, \(seen) }] }", "an action of the user needs"),
        ("{ steps: [{ act: offer, \(seen) }] }", "`act` must be a map"),
        ("{ steps: [{ act: {}, \(seen) }] }", "an action with an empty value does nothing"),
        (
            "{ history: { offer: { actions: { acept: 1 } } }, steps: [{ \(seen) }] }",
            "unknown action `acept`"
        ),
        (
            "{ history: { offer: { shown: 1, closed: 2 } }, steps: [{ \(seen) }] }",
            "a popup that was shown 1× cannot have been ended 2× by the user"
        ),
        (
            "{ history: { offer: { closed: [2030-01-01T00:00:00Z] } }, steps: [{ \(seen) }] }",
            "2030-01-01T00:00:00Z is not before the start of the test"
        ),
        // A goal that is unknown, or was never reached.
        (
            "{ steps: [{ enqueue: offer, expect: { converted: { offer: [by] } } }] }",
            "unknown goal `by`"
        ),
        (
            "{ steps: [{ enqueue: offer, expect: { converted: { offer: buy } } }] }",
            "`offer` must be a list, but is the string"
        ),
        (
            "{ steps: [{ enqueue: offer, expect: { converted: { hello: [buy] } } }] }",
            "unknown goal `buy`"
        ),
        (
            "{ history: { hello: { converted: [-1d] } }, steps: [{ \(seen) }] }",
            "`hello` has no `goals` that a user can reach"
        ),
        (
            "{ history: { offer: { converted: -1h } }, steps: [{ \(seen) }] }",
            "`converted` must be an integer, or a list, but is the string `-1h`"
        ),
        (
            "{ history: { offer: { last: -1d, converted: [-2d] } }, steps: [{ \(seen) }] }",
            "`offer` cannot have been converted before it was seen"
        ),
        (
            "{ history: { offer: { shown: 1, last: -3d, converted: [2030-01-01T00:00:00Z] } },"
                + " steps: [{ \(seen) }] }",
            "2030-01-01T00:00:00Z is not before the start of the test"
        ),
        // A key for whose values nothing is counted.
        (
            "{ history: { offer: { shown: 1, context: { plan: free } } }, steps: [{ \(seen) }] }",
            "no cap counts `offer` for each value of `plan`"
        ),
        // Nothing is compared.
        ("{ steps: [{ enqueue: hello, expect: {} }] }", "this test expects nothing"),
        ("{ steps: [{ enqueue: hello, expect: { showing: {} } }] }", "this test expects nothing"),
        ("{ always: [], steps: [{ enqueue: hello }] }", "this test expects nothing"),
        ("{ for_each: { plan: [free] }, eligible: {} }", "nothing happens in this test"),
        ("{ steps: [{ expect: {} }, { \(seen) }] }", "an `expect` is empty"),
        ("{ steps: [{ \(seen) }, { enqueue: hello }] }", "nothing is checked after the last step"),
        (
            "{ exactly: true, always: ['shown.hello < 9'], steps: [{ poke: true }] }",
            "`exactly` applies to `expect`, but no step has an `expect`"
        ),
        (
            "{ always: ['shown.hello < 9'], eligible: { hello: true } }",
            "`always` applies to `steps`, but the test has no steps"
        ),
        // Always met.
        (
            "{ always: ['size([1]) == 1'], steps: [{ poke: true }] }",
            "this condition is always true"
        ),
        ("{ never: [false], steps: [{ poke: true }] }", "this condition is always false"),
        (
            "{ never: ['showing.main == \"helo\"'], steps: [{ poke: true }] }",
            "`showing.main` is never"
        ),
        ("{ never: ['showing.main == \"thanks\"'], steps: [{ poke: true }] }", "`showing.main` is"),
        // Without effect on the beginning of the test.
        ("{ missing: [plan], steps: [{ \(seen) }] }", "`plan` is never missing: it has a default"),
        (
            "{ context: { plan: pro }, for_each: { plan: [free] }, steps: [{ \(seen) }] }",
            "`for_each` sets `plan` in every case"
        ),
        (
            "{ for_each: { plan: [a, a] }, eligible: { hello: true } }",
            "`plan` has the value `a` twice"
        ),
        ("{ history: { hello: {} }, steps: [{ \(seen) }] }", "the history of `hello` is empty"),
        (
            "{ history: { hello: { shown: 0, last: -3d } }, steps: [{ \(seen) }] }",
            "`last` has no effect with the given `shown` or `sent`"
        ),
        (
            "{ history: { hello: { shown: [-3d], last: -1d } }, steps: [{ \(seen) }] }",
            "`last` has no effect with the given `shown` or `sent`"
        ),
        (
            "{ history: { hello: { reason: USER_CLOSED } }, steps: [{ \(seen) }] }",
            "`reason` has no effect without `shown` or `last`"
        ),
        // Situations that can never occur.
        (
            "{ history: { hello: { last: 2099-01-01T00:00:00Z } }, steps: [{ \(seen) }] }",
            "2099-01-01T00:00:00Z is not before the start of the test"
        ),
        (
            "{ history: { hello: { last: -3d, reason: IN_GAP } }, steps: [{ \(seen) }] }",
            "`IN_GAP` is not a reason why a visible popup is dismissed"
        ),
        (
            "{ steps: [{ expect: { showing: { main: thanks } } }] }",
            "`thanks` is never on the scheduler `main`"
        ),
        (
            "{ steps: [{ expect: { waiting: { toast: [hello] } } }] }",
            "`hello` is never on the scheduler `toast`"
        ),
        ("{ steps: [{ expect: { waiting: { main: none } } }] }", "`main` must be a list of popups"),
        ("{ steps: [{ expect: { showing: { main: } } }] }", "`main` has no value"),
        // Another order than it reads.
        (
            "{ steps: [{ enqueue: hello, after: 3s, \(seen) }] }",
            "`after` takes effect before everything else in the step"
        ),
        (
            "{ steps: [{ \(seen), enqueue: hello }] }",
            "`expect` is checked after everything else in the step"
        ),
    ])
    func `is reported before the test runs`(test: String, message: String) throws {
        let found = try Self.findings(test).map(\.message)
        #expect(found.count == 1 && found[0].hasPrefix(message), "\(found)")
    }

    @Test func `is reported with what to write`() throws {
        let helps = try Self.findings("{ steps: [{ send: { paid: 80 }, \(Self.seen) }] }")
            .flatMap(\.help)
        #expect(helps == ["name the fields: `paid: { total: … }`"])
        let none = try Self.findings("{ steps: [{ expect: { waiting: { main: none } } }] }")
            .flatMap(\.help)
        #expect(none == ["to check that nothing waits, write `main: []`"])
        let sent = try Self.findings("{ steps: [{ send: paid, \(Self.seen) }] }").flatMap(\.help)
        #expect(
            sent == ["write `send: { paid: { total: … } }` with the values that the app sends"])
        let given = try Self.findings(
            "{ steps: [{ send: { paid: { currency: EUR } }, \(Self.seen) }] }"
        ).flatMap(\.help)
        #expect(
            given == [
                "write `paid: { currency: EUR, total: … }` with the values that the app sends"
            ])
    }

    @Test(arguments: [
        ("{ vip: { rollout: { offer: yes } } }", "`offer` must be `in` or `out`, but is `yes`"),
        ("{ vip: { rollout: { offer: true } } }", "`offer` must be `in` or `out`, but is `true`"),
        ("{ vip: { holdout: true } }", "`holdout` must be `in` or `out`, but is `true`"),
        ("{ vip: { rollout: { hello: in } } }", "`hello` has no `rollout`"),
        ("{ vip: { rollout: { ofer: in } } }", "unknown popup `ofer`"),
        ("{ vip: { rollout: in } }", "`rollout` must be a map of popups"),
        ("{ vip: { variant: short } }", "`variant` must be a map of popups to variants"),
        ("{ vip: { variant: { offer: shrt } } }", "unknown variant `shrt`"),
        ("{ vip: { variant: { hello: short } } }", "`hello` has no `experiment`"),
    ])
    func `of a persona is reported`(personas: String, message: String) throws {
        let found = try Self.findings(
            "{ persona: vip, steps: [{ \(Self.seen) }] }", personas: personas)
        #expect(found.map(\.message).contains { $0.hasPrefix(message) }, "\(found.map(\.message))")
    }

    private func failures(_ test: String, personas: String = "{}") throws -> [Diagnostic] {
        let text = "personas: \(personas)\ntests:\n  t: \(test)\n"
        let tests = try tests(
            text, of: rules(Self.shop.replacing("percent: 50", with: "percent: 0")))
        return TestRunner.run(tests.tests[0], of: tests, within: .ofCommand()).failures
    }

    @Test(arguments: [
        (
            "{ steps: [{ close: hello, \(seen) }] }",
            "`hello` is not on the screen at 0s, so the user cannot close it"
        ),
        ("{ steps: [{ dismiss: hello, \(seen) }] }", "`hello` neither shows nor waits at 0s"),
        ("{ steps: [{ remove: hello, \(seen) }] }", "`hello` neither shows nor waits at 0s"),
        (
            "{ steps: [{ veto: hello, \(seen) }] }",
            "`hello` was not presented afterward, so `veto` had no effect"
        ),
        (
            "{ steps: [{ hang_dismissal: hello, \(seen) }] }",
            "`hello` was not dismissed afterward, so `hang_dismissal` had no effect"
        ),
        (
            "{ steps: [{ enqueue: hello, expect: { waiting: { main: [] }, showing: { main: none } }"
                + " }] }",
            "`main` shows `hello` at 0s"
        ),
    ])
    func `fails the test`(test: String, message: String) throws {
        let found = try failures(test).map(\.message)
        #expect(found.count == 1 && found[0].hasPrefix(message), "\(found)")
    }

    @Test func `in expecting an empty queue fails if a popup waits`() throws {
        let rules = try rules("popups: { a: {}, b: {} }")
        let tests = try tests(
            "tests: { t: { steps: [{ expect: { waiting: { main: [] } } }] } }", of: rules)
        let found = TestRunner.run(tests.tests[0], of: tests, within: .ofCommand()).failures
        #expect(found.map(\.message) == ["`main` has `b` waiting at 0s"])
        #expect(found.map(\.label) == ["expected nothing"])
    }

    @Test func `in a fault of the start is reported with the key for the start`() throws {
        let rules = try rules("popups: { a: {}, b: { trigger: manual } }")
        func helps(_ step: String) throws -> [[String]] {
            let tests = try tests(
                "tests: { t: { steps: [{ \(step), expect: { shown: { a: 1 } } }] } }", of: rules)
            let found = TestRunner.run(tests.tests[0], of: tests, within: .ofCommand()).failures
            return found.map(\.help)
        }
        #expect(
            try helps("veto: a") == [
                [
                    "if you mean the presentation at the start of the test, before the first step,"
                        + " move `veto` next to `steps`, such as `at_start: { veto: a }`"
                ]
            ])
        #expect(try helps("veto: b") == [[]])
    }

    @Test func `in the zone of the start is reported with the time on the clock`() throws {
        let rules = try rules(
            "popups: { a: { schedule: { hours: 11:00-14:00, zone: local } }, b: {} }")
        func notes(_ popup: String) throws -> [String] {
            let tests = try tests(
                "start: 2026-11-20T10:30:00Z\nzone: Europe/Berlin\ntests: { t: { steps: [{"
                    + " expect: { reasons: { \(popup): OUTSIDE_HOURS } } }] } }", of: rules)
            return TestRunner.run(tests.tests[0], of: tests, within: .ofCommand())
                .failures.flatMap(\.notes)
        }
        #expect(
            try notes("a").last
                == "2026-11-20T10:30:00Z is fri 11:30 on the device, whose zone is `Europe/Berlin`,"
                + " which is in the days and hours of `a`")
        #expect(try notes("b").last == "`b` has no `schedule` with `days` or `hours`")
    }

    @Test func `in the kind of a reason code is reported with the right place of the code`() throws
    {
        let ended = try failures("{ steps: [{ expect: { reasons: { hello: TIMED_OUT } } }] }")
        #expect(
            ended.first?.help == [
                "use `ended: { hello: TIMED_OUT }`: `TIMED_OUT` is a reason why a popup ends"
            ])
        let waits = try failures("{ steps: [{ expect: { ended: { hello: IN_GAP } } }] }")
        #expect(
            waits.first?.help == [
                "use `reasons: { hello: IN_GAP }`: `IN_GAP` is a reason why a popup waits"
            ])
    }

    @Test func `in a persona isn't needed to put its user into an arm of an experiment`() throws {
        func expecting(_ expected: String, arm: String, more: String = "") throws -> [Diagnostic] {
            try failures(
                "{ persona: vip, \(more) steps: [{ expect: { \(expected) } }] }",
                personas: "{ vip: { rollout: { offer: in }, variant: { offer: \(arm) } } }")
        }
        let short =
            "variant: { offer: short }, exposed: { offer: short }, content: { offer: { title: Hi }"
            + " }"
        #expect(try expecting(short, arm: "short").isEmpty)
        let control = "variant: { offer: control }, ended: { offer: CONTROL }, shown: { offer: 0 }"
        #expect(try expecting(control, arm: "control").isEmpty)
        #expect(
            try expecting("exposed: { offer: short }", arm: "long").first?.message
                .hasPrefix("`offer` exposed the user to `long` by ") == true)
        #expect(try expecting("exposed: { offer: none }", arm: "long").count == 1)
        #expect(
            try expecting(
                "showing: { main: offer }", arm: "long",
                more: "history: { offer: { shown: 1, variant: long } },"
            ).isEmpty)
    }

    @Test func `that puts a user into two arms of one experiment is reported`() throws {
        let set = try rules(
            """
            context: { user: { type: string, default: u } }
            experiments: { tone: { by: user, variants: { x: 1, y: 1, z: 0 } } }
            popups:
              a: { experiment: { of: tone, variants: { x: {} } } }
              b: { trigger: manual, experiment: { of: tone, variants: { x: {} } } }
            """)
        func findings(_ arms: String) throws -> [String] {
            let text = """
                poprules_test: 1
                personas: { p: { variant: \(arms) } }
                tests:
                  t: { persona: p, steps: [{ expect: { variant: { a: x } } }] }
                """
            let source = SourceFile(path: "a.test.yaml", text: text)
            return TestFile.parse(source).then { file in
                TestLinker.link(file, of: source, rules: set) { _ in nil }
            }.diagnostics.list.map(\.message)
        }
        #expect(try findings("{ a: x, b: x }") == [])
        #expect(
            try findings("{ a: x, b: y }") == [
                "a user cannot be in both `x` and `y` of one experiment"
            ])
        #expect(try findings("{ a: z }") == ["no user is in `z` of `a`"])
        #expect(try findings("{ b: control }") == ["no user is in `control` of `b`"])
    }

    /// C10.
    @Test func `in a persona isn't needed to put its user into a rollout`() throws {
        let inside = "{ persona: vip, steps: [{ expect: { showing: { main: offer } } }] }"
        #expect(try failures(inside, personas: "{ vip: { rollout: { offer: in } } }").isEmpty)
        let outside =
            "{ persona: vip, steps: [{ expect: { reasons: { offer: NOT_IN_ROLLOUT } } }] }"
        #expect(try failures(outside, personas: "{ vip: { rollout: { offer: out } } }").isEmpty)
        let both = """
            { for_each: { persona: [vip, other] }, eligible: { offer: 'user == "v"' } }
            """
        let personas = """
            { vip: { user: v, rollout: { offer: in } }, other: { rollout: { offer: out } } }
            """
        #expect(try failures(both, personas: personas).isEmpty)
    }
}
