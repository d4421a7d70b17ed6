import PopCEL
import PopScheduler
import PopSource
import PopStories
import Testing

@Suite struct `A test` {
    private let shop = """
        context: { launches: { type: int, default: 0 } }
        events: { bought: {} }
        popups:
          hello: { when: launches > 1, cap: { lifetime: 2 } }
          thanks: { trigger: { event: bought, nth: 3 } }

        """

    private func result(_ test: String, _ rulesText: String? = nil) throws -> TestResult {
        let tests = try tests("tests:\n  t: \(test)\n", of: rules(rulesText ?? shop))
        return TestRunner.run(tests.tests[0], of: tests, within: .ofCommand())
    }

    private func failures(_ test: String, _ rulesText: String? = nil) throws -> [String] {
        try result(test, rulesText).failures.map { "\($0.message) | \($0.label)" }
    }

    @Test func `checks why a dropped popup could not show (A22)`() throws {
        let rules = """
            events: { delivered: {}, complained: {} }
            popups:
              rating:
                trigger: { event: delivered }
                when: since("complained") > duration("2d")
                untriggered: discard
                cap: { windows: [{ max: 1, per: 90d }] }

            """
        func story(_ past: String, _ reason: String) -> String {
            "{ history: { \(past) }, steps: [{ send: delivered, expect: { dropped: { rating:"
                + " \(reason) } } }] }"
        }
        let (complaint, seen) = (
            "complained: { sent: 1, last: -1d }",
            "complained: { sent: 1, last: -9d }, rating: { shown: 1, last: -89d }"
        )
        #expect(try failures(story(complaint, "CONDITION_FALSE"), rules) == [])
        #expect(try failures(story(seen, "PERIOD_CAP"), rules) == [])
        #expect(
            try failures(story(complaint, "PERIOD_CAP"), rules) == [
                "`rating` was dropped because of `CONDITION_FALSE` | expected `PERIOD_CAP`"
            ])
        #expect(
            try failures(
                "{ steps: [{ poke: true, expect: { dropped: { rating: PERIOD_CAP } } }] }", rules
            ).first?.hasPrefix("`rating` has not ended by 0s") == true)
    }

    @Test func `sets the zone of its device (A95)`() throws {
        let rules =
            "popups: { late: { schedule: { hours: 20:00-24:00, zone: local } } }\n"
        let steps = "start: 2027-01-11T09:00:00Z, steps: [{ expect: { showing: { main: late } } }]"
        #expect(try failures("{ zone: Asia/Tokyo, \(steps) }", rules).count == 1)
        #expect(try failures("{ zone: Pacific/Auckland, \(steps) }", rules) == [])
    }

    @Test(arguments: ["n", "[n]"])
    func `removes the value of one key or of a list of keys (A105)`(_ keys: String) throws {
        let rules = """
            context: { n: { type: int } }
            popups: { p: { when: has(n), dismiss_when: '!has(n)' } }

            """
        let steps =
            "{ expect: { showing: { main: p } } },"
            + " { unset: \(keys), expect: { showing: { main: none } } }"
        #expect(try failures("{ context: { n: 1 }, steps: [\(steps)] }", rules) == [])
    }

    @Test func `can have a history for keys that no cap counts by (A106)`() throws {
        let rules =
            "context: { plan: { type: string, default: a } }\npopups: { p: { cap: { lifetime: 2 } }"
            + " }\n"
        let past = "{ p: { shown: 1, last: -1h, context: { plan: a } } }"
        let steps = "[{ expect: { showing: { main: p } } }]"
        #expect(try failures("{ history: \(past), steps: \(steps) }", rules) == [])
    }

    @Test func `starts with earlier impressions`() throws {
        let story = "steps: [{ expect: { reasons: { hello: LIFETIME_CAP } } }]"
        #expect(try failures("{ history: { hello: { shown: 2 } }, \(story) }") == [])
        #expect(try failures("{ history: { hello: { shown: [-2d, -1d] } }, \(story) }") == [])
        #expect(
            try failures("{ history: { hello: { shown: 1 } }, \(story) }") == [
                "`hello` has the reason code `CONDITION_FALSE` at 0s | expected `LIFETIME_CAP`"
            ])
    }

    @Test func `starts with earlier sessions, and with its own persona`() throws {
        let rules = """
            context: { id: { type: string, default: "" } }
            popups:
              third:
                when: >-
                  session.count == 3 && now - session.previous_end >= duration("2d")
                  && now - first_seen >= duration("30d")
                rollout: { percent: 1, by: id }
              back: { when: session.count == 2 }

            """
        let persona = "persona: { id: u, rollout: { third: in } }"
        func story(_ sessions: String, _ shows: String) -> String {
            "{ \(persona), history: { session: \(sessions) },"
                + " steps: [{ expect: { showing: { main: \(shows) } } }] }"
        }
        #expect(try failures(story("{ begun: 2, ended: -2d, first: -30d }", "third"), rules) == [])
        #expect(try failures(story("{ begun: 2, ended: -2d, first: -29d }", "none"), rules) == [])
        #expect(try failures(story("{ begun: 2, ended: -1d, first: -30d }", "none"), rules) == [])
        #expect(try failures(story("{ ended: -1d }", "back"), rules) == [])
        #expect(try failures(story("{ begun: 1 }", "back"), rules) == [])
    }

    @Test func `checks the resolved content of a popup`() throws {
        let rules = """
            context: { name: string, locale: { type: string, default: de } }
            locales: { key: locale, required: [en, de], fallback: en }
            templates: { card: { required: { title: { type: string, localized: true }, n: double } } }
            popups:
              a: { template: card, content: { title: { en: "Hi", de: "Hallo {{name | du}}" }, n: 2 } }
              b: { trigger: manual, content: { title: Hi } }

            """
        func found(_ content: String) throws -> [String] {
            try failures("{ steps: [{ expect: { content: \(content) } }] }", rules)
        }
        #expect(try found("{ a: { title: Hallo du, n: 2 } }") == [])
        #expect(
            try found("{ a: { title: Hi } }") == [
                "`title` of `a` is `Hallo du` | expected `Hi`"
            ])
        #expect(
            try found("{ b: { title: Hi } }") == [
                "`b` was not presented by 0s | expected `Hi`"
            ])
        #expect(throws: Rejected.self) { try found("{ a: { titel: Hallo du } }") }
        let later = "{ after: 1s, expect: { content: { a: { title: Hallo du } } } }"
        let first = "{ expect: { showing: { main: a } } }"
        #expect(try failures("{ steps: [\(first), \(later)] }", rules) == [])
    }

    @Test func `starts with earlier events`() throws {
        let story = "steps: [{ send: bought, expect: { showing: { main: thanks } } }]"
        #expect(try failures("{ history: { bought: { sent: 2, last: -1h } }, \(story) }") == [])
    }

    @Test func `postpones a popup for the given time`() throws {
        let story = """
            { context: { launches: 2 }, steps: [
              { postpone: { thanks: 5s }, send: [] }] }
            """
        #expect(throws: Rejected.self) { try failures(story) }
        let rules = "popups: { a: { trigger: manual } }"
        #expect(
            try failures(
                """
                { steps: [
                  { postpone: { a: 5s }, enqueue: a, expect: { reasons: { a: POSTPONED } } },
                  { after: 4999ms, expect: { showing: { main: none } } },
                  { after: 1ms, expect: { showing: { main: a } } }] }
                """, rules) == [])
    }

    @Test func `continues when a presentation hangs`() throws {
        let story = """
            { steps: [
              { hang: a, enqueue: a, expect: { showing: { main: a }, shown: { a: 0 } } },
              { after: 10s, expect: { showing: { main: a }, shown: { a: 1 } } }] }
            """
        #expect(try failures(story, "popups: { a: { trigger: manual } }") == [])
    }

    private static let sheet = """
        templates: { sheet: { actions: [accept, { never: { refusal: true } }] } }
        popups:
          a: { template: sheet, cap: { closes: 3, after_close: { close: 7d } } }
          b: { after: [{ popup: a, action: accept, since: 2d }] }
          c: { trigger: { popup: a, action: accept }, priority: high }
        """

    @Test func `can use actions of popups`() throws {
        let story = """
            { steps: [
              { act: { a: { action: accept, stay: true } }, expect: { showing: { main: a }, waiting: { main: [c] } } },
              { act: { a: accept }, expect: { dismissed: { a: ACTED }, showing: { main: c } } },
              { close: c }, { after: 2d, expect: { showing: { main: b } } }] }
            """
        #expect(try failures(story, Self.sheet) == [])
    }

    @Test func `can have a history of actions`() throws {
        let stories = [
            "{ history: { a: { closed: [-8d, -3d] } }, steps: [{ expect: { reasons: { a:"
                + " CLOSED_RECENTLY } } }] }",
            "{ history: { a: { closed: 3, last: -9d } }, steps: [{ expect: { reasons: { a:"
                + " CLOSED_TOO_OFTEN } } }] }",
            "{ history: { a: { actions: { never: [-9d], accept: [-3d] } } }, steps: [{ expect: {"
                + " showing: { main: a }, waiting: { main: [b] } } }] }",
            "{ history: { a: { actions: { accept: 1 }, last: -1d } }, steps: [{ close: a, expect: {"
                + " reasons: { b: AWAITING_PREDECESSOR } } }] }",
        ]
        for story in stories { #expect(try failures(story, Self.sheet) == [], "\(story)") }
    }

    private static let goals = """
        context: { user: { type: string, default: u } }
        events: { paid: { total: double }, tried: {} }
        popups:
          a:
            experiment: { by: user, control: 50, variants: { as_is: {} } }
            goals:
              - { name: buy, event: paid, where: event.total > 1.0, within: 7d, ends: true }
              - { name: try, event: tried, within: 1d }
          b: { trigger: { event: tried }, when: popups.a.converted, priority: high }
        """

    @Test func `reaches goals in time after an impression or an exposure`() throws {
        for (arm, control) in [("as_is", "control: 0"), ("control", "control: 99.9999")] {
            let rules = Self.goals.replacing("control: 50", with: control)
            let story = """
                { steps: [
                  { expect: { converted: { a: [] }, exposed: { a: \(arm) } } }, { dismiss: a },
                  { after: 2d, send: { tried: {} }, expect: { converted: { a: [] }, waiting: { main: [b] } } },
                  { send: { paid: { total: 5.0 } }, expect: { converted: { a: [buy] }, showing: { main: b } } }] }
                """
            let isSeen = arm != "control"
            let steps = isSeen ? story : story.replacing(", { dismiss: a }", with: "")
            #expect(try failures(steps, rules) == [], "\(arm)")
        }
    }

    @Test func `can have a history of reached goals`() throws {
        let stories = [
            "{ history: { a: { converted: [-1d] } }, steps: [{ expect: { reasons: { a: GOAL_REACHED"
                + " } } }] }",
            "{ history: { a: { shown: 2, last: -9d, converted: 1 } }, steps: [{ send: tried,"
                + " expect: { showing: { main: b } } }] }",
        ]
        for story in stories { #expect(try failures(story, Self.goals) == [], "\(story)") }
    }

    private static let versions = """
        context: { app.version: version, plan: { type: string, default: free } }
        popups:
          a: { cap: { windows: [{ max: 1, per: app.version }], closes: { max: 1, per: plan } } }
        """

    @Test func `can have a history of impressions and closings by value`() throws {
        let stories = [
            // Impressions without a stated value happened for the values at the beginning.
            "{ history: { a: { shown: 2, last: -3d } }, steps: [{ expect: { reasons: { a:"
                + " PERIOD_CAP } } }] }",
            "{ history: { a: { closed: 1 } }, steps: [{ expect: { reasons: { a: CLOSED_TOO_OFTEN }"
                + " } }] }",
            "{ history: { a: { shown: 1, context: { app.version: '2.0' } } }, steps: [{ expect: {"
                + " showing: { main: a } } }] }",
            "{ history: { a: { shown: 1, context: { app.version: '2.0.0' } } }, context: {"
                + " app.version: '2.0' }, steps: [{ expect: { reasons: { a: PERIOD_CAP } } }, {"
                + " set: { app.version: '2.1' }, expect: { showing: { main: a } } }] }",
            "{ history: { a: { closed: 1, context: { plan: pro, app.version: '1' } } }, steps: [{"
                + " expect: { showing: { main: a } } }] }",
        ]
        for story in stories { #expect(try failures(story, Self.versions) == [], "\(story)") }
    }

    @Test func `fails if a goal was not reached`() throws {
        let story = "{ steps: [{ send: tried, expect: { converted: { a: [buy] } } }] }"
        #expect(
            try failures(story, Self.goals).first?.hasPrefix(
                "the goals of `a` reached by 0s: `try`") == true)
    }

    @Test(arguments: [
        ("{ send: { paid: { total: 5.0 } }", ["`paid` was sent at 0s, before `a` was seen at 1s"]),
        ("{ poke: true", ["`paid`, the event of `buy`, was not sent"]),
        (
            "{ after: 2s, send: { paid: { total: 0.0 } }",
            ["the payload of `paid` did not match the `where` of `buy`"]
        ),
        (
            "{ after: 8d1s, send: { paid: { total: 5.0 } }",
            ["`paid` was sent 8d after `a` was seen, and its `within` is 7d"]
        ),
    ])
    func `explains why a goal was not reached`(step: String, notes: [String]) throws {
        let rules = """
            events: { paid: { total: double } }
            popups:
              a: { delay: 1s, goals: [{ name: buy, event: paid, where: event.total > 0.0, within: 7d }] }
            """
        let last = "{ after: 1s, expect: { converted: { a: [buy] } } }"
        let story = "{ steps: [\(step) }, \(last)] }"
        #expect(try result(story, rules).failures.map(\.notes) == [notes], "\(story)")
    }

    @Test func `reports that nothing was shown if nothing could be converted`() throws {
        let story = "{ steps: [{ expect: { converted: { b: [go] } } }] }"
        let rules = """
            events: { paid: {} }
            popups: { b: { enabled: false, goals: [{ name: go, event: paid, within: 1d }] } }
            """
        #expect(
            try result(story, rules).failures.first?.notes.first
                == "`b` was not seen in this test")
    }

    @Test func `reports that a popup waited until a restart`() throws {
        let story = """
            { steps: [{ after: 1s, restart: true },
              { after: 5s, expect: { showing: { main: b } } }] }
            """
        let rules = "popups: { b: { trigger: start, delay: 5s } }"
        #expect(try failures(story, rules) == [])
        let event = """
            { steps: [{ send: won }, { after: 1s, restart: true },
              { after: 5s, expect: { showing: { main: b } } }] }
            """
        let sent = """
            events: { won: {} }
            popups: { b: { trigger: { event: won }, delay: 5s } }
            """
        #expect(
            try result(event, sent).failures.first?.notes.last
                == "`b` waited when the app was restarted; popups that wait do not survive a"
                + " restart")
    }

    private static let heldOut = """
        context: { user: { type: string, default: "" } }
        holdout: { percent: 50, by: user }
        popups: { a: {}, b: { essential: true, trigger: manual } }
        """

    @Test func `puts a persona into the holdout or outside it`() throws {
        for user in ["ann", "ben", "cid", "dan"] {
            let held = "{ persona: { user: \(user), holdout: in }, "
            let seen = "{ persona: { user: \(user), holdout: out }, "
            #expect(
                try failures(
                    held + "steps: [{ expect: { reasons: { a: HELD_OUT } } }] }", Self.heldOut)
                    == [])
            #expect(
                try failures(seen + "steps: [{ expect: { showing: { main: a } } }] }", Self.heldOut)
                    == [])
        }
    }

    @Test func `explains why a user is not in the holdout`() throws {
        let held = "steps: [{ expect: { reasons: { a: HELD_OUT } } }] }"
        let without = try result("{ \(held)", Self.heldOut).failures
        #expect(
            without.first?.notes.last
                == "users without a value of `user` are not in the holdout, because the holdout is"
                + " assigned by `user`"
        )
        let essential = "steps: [{ expect: { reasons: { b: HELD_OUT } } }] }"
        #expect(
            try result("{ persona: { user: x, holdout: in }, \(essential)", Self.heldOut)
                .failures.first?.notes.last
                == "`b` is essential, so it also shows to users in the holdout")
        let none = try result("{ steps: [{ expect: { reasons: { hello: HELD_OUT } } }] }").failures
        #expect(none.first?.notes.last == "the rules have no `holdout`")
    }

    @Test func `has its own start time`() throws {
        let rules = "popups: { a: { schedule: { until: 2026-06-01T00:00:00Z } } }"
        let story =
            "{ start: 2026-07-01T00:00:00Z, steps: [{ expect: { reasons: { a: EXPIRED } } }] }"
        #expect(try failures(story, rules) == [])
        #expect(
            try failures(story.replacing("start: 2026-07-01T00:00:00Z, ", with: ""), rules) != [])
    }

    @Test func `fails if it acts on a popup that does not show`() throws {
        let story = "{ steps: [{ close: a, act: { a: accept } }] }"
        #expect(
            try failures(story, Self.sheet).first?.hasPrefix(
                "`a` is not on the screen at 0s, so the user cannot use its actions") == true)
    }

    @Test func `keeps a separate history per user`() throws {
        let rules = "popups: { a: { cap: { lifetime: 1 } } }"
        let story = """
            { steps: [
              { close: a },
              { switch_user: anna, expect: { showing: { main: a } } },
              { switch_user: "", expect: { reasons: { a: LIFETIME_CAP } } },
              { switch_user: anna, expect: { reasons: { a: LIFETIME_CAP } } }] }
            """
        #expect(try failures(story, rules) == [])
    }

    @Test func `switches to a user with a context and a history`() throws {
        let rules = """
            context: { user.plan: { type: string, default: free }, app.screen: string }
            popups:
              once: { when: user.plan == "pro", cap: { lifetime: 1 } }
              map: { priority: low, when: has(app.screen) }
            """
        let story = """
            { context: { app.screen: map }, steps: [
              { expect: { showing: { main: map } } },
              { switch_user: { user: ann, context: { user.plan: pro }, history: { once: { shown: 1 } } },
                expect: { reasons: { once: LIFETIME_CAP, map: CONDITION_FALSE } } },
              { switch_user: { user: bob, context: { user.plan: pro } }, expect: { showing: { main: once } } },
              { restart: true, expect: { showing: { main: none }, reasons: { once: LIFETIME_CAP } } }] }
            """
        #expect(try failures(story, rules) == [])
    }

    @Test func `erases the history of popups and of users`() throws {
        let rules = """
            popups: { a: { cap: { lifetime: 1 } }, b: { after: [a], cap: { lifetime: 1 } } }
            """
        let story = """
            { steps: [
              { close: a, expect: { showing: { main: b } } },
              { close: b, reset: a, enqueue: a, expect: { showing: { main: a }, reasons: { b: LIFETIME_CAP } } },
              { switch_user: ann, close: a, expect: { showing: { main: b } } },
              { forget: ann, expect: { showing: { main: a } } },
              { forget: "", switch_user: "", expect: { showing: { main: a } } }] }
            """
        #expect(try failures(story, rules) == [])
    }

    @Test func `makes popups disappear, and puts its user into arms`() throws {
        let rules = """
            context: { user.id: { type: string, default: "" } }
            popups:
              a:
                trigger: manual
                content: { text: Long }
                experiment: { by: user.id, control: 50, variants: { short: { content: { text: S } } } }
            """
        let story = """
            { context: { user.id: ann }, steps: [
              { arm: { a: short }, enqueue: a, expect: { content: { a: { text: S } } } },
              { disappear: a, expect: { dismissed: { a: DISAPPEARED } } },
              { arm: { a: control }, enqueue: a, expect: { showing: { main: none }, ended: { a: CONTROL } } },
              { disappear: a }] }
            """
        #expect(
            try failures(story, rules)
                == [
                    "`a` is not on the screen at 0s, so it cannot disappear | not on the screen"
                ])
    }

    @Test func `reports in which row of a table it fails`() throws {
        let result = try result(
            "{ for_each: { launches: [1, 2, 3] }, eligible: { hello: launches > 2 } }")
        #expect(result.steps == 3)
        #expect(result.failures.map(\.notes.first) == ["in the case `launches: 2`"])
    }

    @Test func `reports a limited number of failures`() throws {
        let row = "{ expect: { showing: { main: hello } } }"
        let rows = Array(repeating: row, count: 30).joined(separator: ", ")
        #expect(try result("{ steps: [\(rows)] }").failures.count == TestRunner.mostFailures)
    }

    @Test func `reports once that an invariant is not met`() throws {
        let story = "{ always: ['launches > 5'], steps: [{ poke: true }, { after: 1s }] }"
        #expect(
            try failures(story) == ["an `always` condition is not true at 0s | this is false"])
    }

    @Test func `compares all popups only on request`() throws {
        let rules = "popups: { a: {}, b: {}, c: {} }"
        let some = "steps: [{ expect: { showing: { main: a }, waiting: { main: [c] } } }]"
        #expect(try failures("{ \(some) }", rules) == [])
        #expect(
            try failures("{ exactly: true, \(some) }", rules) == [
                "`main` has `b`, `c` waiting at 0s"
                    + " | this step does not name all waiting popups"
            ])
        let wrong = "steps: [{ expect: { showing: { main: a }, waiting: { main: [c, b] } } }]"
        #expect(
            try failures("{ exactly: true, \(wrong) }", rules) == [
                "`main` has `b`, `c` waiting at 0s | expected `c`, `b`, in this order"
            ])
    }
}

extension `A test` {
    @Test("has no user in a rollout before its first step, whatever the persona is (A91)")
    func personaBeforeFirstStep() throws {
        let rules = """
            context: { id: { type: string, default: "" } }
            popups:
              a:
                rollout:
                  by: id
                  zone: UTC
                  steps: { 2027-01-01: 0, 2027-05-03: 5, 2027-06-01: 100 }
            """
        func result(at start: String, _ draw: String, _ expectation: String) throws -> Bool {
            let tests = try tests(
                """
                start: \(start)
                personas: { ann: { rollout: { a: \(draw) } } }
                tests: { t: { persona: ann, steps: [{ expect: \(expectation) }] } }
                """, of: try self.parsed(rules))
            return TestRunner.run(tests.tests[0], of: tests, within: .ofCommand()).passed
        }
        let out = "{ reasons: { a: NOT_IN_ROLLOUT } }"
        let shows = "{ showing: { main: a } }"
        #expect(try result(at: "2026-12-01T00:00:00Z", "in", out))
        #expect(try result(at: "2027-05-02T23:59:59Z", "in", out))
        #expect(try result(at: "2027-05-03T00:00:00Z", "in", shows))
        #expect(try result(at: "2027-07-01T00:00:00Z", "out", out))
    }

    private func parsed(_ text: String) throws -> RuleSet { try rules(text) }
}
