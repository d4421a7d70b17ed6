import PopScheduler
import PopSource
import PopStories
import PopTestSupport
import Testing

/// C16: in a generated test, the popup shows, or the test explains why it doesn't.
@Suite struct `A bootstrapped test` {
    private func skeleton(_ text: String) throws -> String {
        TestSkeleton(try rules(text), within: .ofCommand()).text
    }

    /// Returns the failures in the tests that are written for some rules.
    private func failures(_ text: String) throws -> [String] {
        let rules = try rules(text)
        let written = TestSkeleton(rules, within: .ofCommand()).text.replacing(
            "poprules_test: 1\n", with: "")
        let tests = try tests(written, of: rules)
        return tests.tests.flatMap {
            TestRunner.run($0, of: tests, within: .ofCommand()).failures.map(\.message)
        }
    }

    /// S-M2: the search for tests of many popups ends if it takes too long, and this is reported.
    @Test func `a bootstrapped test reports for how many popups no scenario was searched`() throws {
        func steps(_ count: Int) throws -> (charged: Int, text: String) {
            let popups = (0..<count).map { "  p\($0): { when: k == \($0) }\n" }.joined()
            let rules = try rules("context: { k: { type: int, default: 0 } }\npopups:\n" + popups)
            let budget = WorkBudget([.judgedPopups: 100_000, .logicSteps: 10_000_000])
            let text = TestSkeleton(rules, within: budget).text
            return (100_000 - budget.rest(of: .judgedPopups), text)
        }
        let few = try steps(20)
        #expect(few.charged < 100_000)
        #expect(!few.text.contains("Not looked for"))
        let many = try steps(400)
        #expect(many.charged == 100_000)
        #expect(many.text.contains("  # No tests for "))
    }

    @Test(arguments: [
        "popups: { a: { rollout: { percent: 5, by: user } } }",
        "popups: { a: { schedule: { from: 2027-03-01T00:00:00Z, until: 2027-03-02T00:00:00Z } } }",
        "popups: { a: { schedule: { until: 2025-03-02T00:00:00Z } } }",
        "popups: { a: { schedule: { days: [sun], hours: 22:00-23:00 } } }",
        "popups: { a: { trigger: { event: paid, nth: 3 } } }",
        "popups: { a: { trigger: { event: paid, every: 4, where: event.total > 5.0 } } }",
        "popups: { a: { trigger: manual, max_wait: 1h, schedule: { days: [sun] } } }",
        "popups: { b: { priority: high }, a: { delay: 2s, grace: 1s } }",
        "popups: { a: { rollout: { percent: 5, by: user }, when: user != 'x' && n > 3 } }",
        "popups: { a: { rollout: { steps: { 2027-03-01: 0, 2027-03-02: 5 }, by: user } } }",
        "popups: { a: { trigger: { event: paid, where: event.total > 5.0 }, delay: 2s } }",
        "popups: { a: { delay: 2s, trigger: { event: paid, nth: 2, where: event.total > double(n) +"
            + " 5.0 } } }",
    ])
    func `shows the popup and passes`(popups: String) throws {
        let text = """
            context: { user: { type: string, default: x }, n: { type: int, default: 0 } }
            events: { paid: { total: double } }
            \(popups)

            """
        #expect(try failures(text) == [])
        let written = try skeleton(text)
        #expect(written.contains("showing: { main: a }"), "\(written)")
        #expect(!written.contains("reasons:"), "\(written)")
    }

    @Test func `has an example user inside the audience and one just outside`() throws {
        let text = """
            context:
              plan: { type: string, values: [free, pro], default: free }
              app: { type: version, default: "1.2" }
            groups: { g: { when: plan == "pro" } }
            popups:
              a: { group: g, when: app > version("1.10") }

            """
        #expect(try failures(text) == [])
        let written = try skeleton(text)
        #expect(written.contains("showing: { main: a }"), "\(written)")
        #expect(written.contains("  a does not show:\n"), "\(written)")
        #expect(written.contains("_FALSE }"), "\(written)")
    }

    /// A31.
    @Test
    func `changes the values that are specific to a popup, not the values that all popups need`()
        throws
    {
        let text = """
            context:
              consent: bool
              orders: int
              plan: { type: string, values: [free, pro] }
            conditions: { may: consent }
            popups:
              rating: { when: may && orders > 3 }
              upgrade: { when: may && plan == "free" && orders > 0 }
              thanks: { when: consent }

            """
        #expect(try failures(text) == [])
        let written = try skeleton(text)
        #expect(written.split(separator: "consent: false").count == 2, "only `thanks`: \(written)")
        #expect(written.contains("orders: 3"), "\(written)")
        #expect(written.contains("plan: \"pro\""), "\(written)")
    }

    @Test func `quotes names that YAML would read as other values`() throws {
        let text = """
            schedulers: { "off": {} }
            events: { "y": { "n": double } }
            context: { "on": { type: int, default: 0 } }
            popups:
              "NULL": { scheduler: "off", when: on > 3 }
              "no": { scheduler: "off", trigger: { event: "y", where: event.n > 5.0 } }
              "Yes": { scheduler: "off", trigger: manual, after: ["no"] }

            """
        #expect(try failures(text) == [])
        let written = try skeleton(text)
        for part in ["\"off\": \"NULL\"", "\"off\": \"no\"", "enqueue: \"Yes\""] {
            #expect(written.contains(part), "\(written)")
        }
    }

    @Test func `explains why the popup cannot be shown`() throws {
        let text = "popups: { a: { enabled: false } }"
        #expect(try failures(text) == [])
        #expect(
            try skeleton(text).contains(
                "  # no case was found in which this popup shows: DISABLED, it is switched off; its\n"
                    + "  # rule sets `enabled: false`\n"
            ))
    }

    /// S-H3.
    @Test(arguments: [
        "popups: { p: { when: \"false\", untriggered: discard } }",
        "popups: { p: { schedule: { until: 2020-01-01 }, untriggered: discard, delay: 1s } }",
        "popups: { p: { group: g, untriggered: discard } }\ngroups: { g: { when: \"false\" } }",
    ])
    func `ends if nothing makes the popup return`(text: String) throws {
        #expect(try failures(text) == [])
    }

    /// S-H3.
    @Test func `ends for random rules`() throws {
        let keys = [
            "enabled", "priority", "untriggered", "switch", "after", "trigger", "when",
            "dismiss_when", "delay", "grace", "max_wait", "schedule", "cap", "rollout",
        ]
        var generator = SeededGenerator(seed: 37)
        var valid = 0
        for _ in 0..<150 {
            let some = keys.filter { _ in Int.random(in: 0..<3, using: &generator) == 0 }
            let entries = try some.map { "\($0): \(try PopupSamples.value(of: $0))" }
            let text = PopupSamples.text("{ \(entries.joined(separator: ", ")) }")
            guard let rules = try? rules(text) else { continue }
            valid += 1
            #expect(TestSkeleton(rules, within: .ofCommand()).text.contains("  a:"), "\(text)")
        }
        #expect(valid > 50)
    }

    /// S-M1.
    @Test func `is not written for popups that the budget does not cover`() throws {
        let rules = try rules("popups: { a: {}, b: {}, c: {} }")
        let text = TestSkeleton(rules, within: WorkBudget([.simulatedSteps: 3])).text
        #expect(text.contains("# No tests for "), "\(text)")
        #expect(!text.contains("  c:"), "\(text)")
    }

    /// S-L2.
    @Test(arguments: [
        "b: { after: [{ popup: a, since: 1ms }] }",
        "b: { after: [a, { popup: a, since: 3d }] }",
        "b: { after: [{ popup: a, since: 36500d }] }",
        "b: { trigger: manual, schedule: { from: 2200-01-01 } }",
        "b: { trigger: manual, when: 'now > timestamp(\"2300-01-01T00:00:00Z\")' }",
        "b: { delay: 36500d, grace: 36500d }",
    ])
    func `contains only what a test file can express`(popup: String) throws {
        let text = "popups:\n  a: { trigger: manual }\n  \(popup)\n"
        let written = try skeleton(text)
        #expect(try failures(text) == [], "\(written)")
    }

    @Test func `has no negative durations, which test files don't have`() throws {
        let text = """
            context: { wait: { type: duration, default: 0s } }
            popups:
              early: { trigger: manual, when: 'wait < duration("-5s")' }
              late: { trigger: manual, when: 'wait > duration("5s")' }
              other: { trigger: manual, when: 'wait != duration("0s")' }
            """
        let written = try skeleton(text)
        #expect(
            written.contains("  # no case was found in which this popup shows: CONDITION_FALSE"),
            "\(written)")
        #expect(written.contains("    context: { wait: 6s }"), "\(written)")
        #expect(written.contains("  other:\n    context: { wait: 1"), "\(written)")
        #expect(try failures(text) == [])
    }
}
