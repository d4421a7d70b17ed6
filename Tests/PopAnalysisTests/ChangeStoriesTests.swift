import PopAnalysis
import PopScheduler
import PopStories
import Testing

/// Tests that show the effect of a change, for kinds of changes.
@Suite struct ChangeStoriesTests {
    private func stories(_ earlier: String, _ later: String) throws -> ChangeStories {
        let (old, new) = (try Rules(earlier).rules, try Rules(later).rules)
        return ChangeStories(
            of: RuleChanges(from: old, to: new), from: old, to: new, limits: .ofCommand())
    }

    private static let lanes = """
        schedulers: { top: {}, bottom: {} }
        events: { e: {} }

        """

    @Test func `a scenario shows which popup replaces a popup that moves to another scheduler`()
        throws
    {
        let one = "popups:\n  one: { scheduler: top, trigger: { event: e } }\n"
        let two = "  two: { scheduler: top, trigger: { event: e }, priority: low }\n"
        let moved = one.replacing("top", with: "bottom")
        let alone = try stories(Self.lanes + one, Self.lanes + moved)
        #expect(alone.text?.contains("expect: { showing: { top: none } }") == true)
        let among = try stories(Self.lanes + one + two, Self.lanes + moved + two)
        #expect(among.text?.contains("expect: { showing: { top: two } }") == true)
    }

    @Test func `an added popup shows in a scenario, which the earlier rules cannot run`() throws {
        let one = "popups:\n  one: { scheduler: top, trigger: { event: e } }\n"
        let two = "  two: { scheduler: bottom, trigger: { event: e } }\n"
        let added = try stories(Self.lanes + one, Self.lanes + one + two)
        #expect(
            added.text?.contains(
                """
                  # The earlier rules cannot run this test: they have no two.
                  two shows now:
                    start: 2026-01-01T09:00:00Z
                    steps:
                      - send: e
                        expect: { showing: { bottom: two } }
                """) == true)
        #expect(added.untold.isEmpty)
    }

    @Test func `a scenario quotes names that YAML would read as other values`() throws {
        let lanes = "schedulers: { \"off\": {} }\nevents: { \"y\": {} }\n"
        let one = "popups:\n  \"no\": { scheduler: \"off\", trigger: { event: \"y\" } }\n"
        let two = "  \"NULL\": { scheduler: \"off\", trigger: { event: \"y\" } }\n"
        let added = try stories(lanes + one, lanes + one + two)
        #expect(added.untold.isEmpty)
        #expect(added.text?.contains("- close: \"no\"") == true)
        #expect(added.text?.contains("showing: { \"off\": \"NULL\" }") == true)
        let limits = AnalysisLimits.standard
        let found = Collisions(try Rules(lanes + one + two).rules, limits: limits).found
        let story = try #require(found.first?.story)
        #expect(story.testFile.contains("showing: { \"off\": \"no\" }"), "\(story.testFile)")
    }

    @Test func `each of several added popups has a scenario that closes the other added popups`()
        throws
    {
        let one = "popups:\n  one: { scheduler: top }\n"
        let more = "  two: { scheduler: top }\n  three: { scheduler: top }\n"
        let added = try stories(Self.lanes + one, Self.lanes + one + more)
        #expect(added.count == 2)
        #expect(added.text?.contains("- close: two") == true)
    }

    @Test func `the number of added popups that get a scenario is limited`() throws {
        let one = "popups:\n  one: { scheduler: top }\n"
        let more = "  two: { scheduler: top }\n  three: { scheduler: top }\n"
        let (old, new) = (
            try Rules(Self.lanes + one).rules, try Rules(Self.lanes + one + more).rules
        )
        var limits = AnalysisLimits.standard
        limits.storiesOfPresence = 1
        let found = ChangeStories(
            of: RuleChanges(from: old, to: new), from: old, to: new, limits: limits)
        #expect(found.count == 1)
        #expect(
            found.untold == [
                "popup three: not searched, because too many popups were added or removed"
            ])
    }

    @Test func `a scenario shows that a removed popup is missing or which popup replaces it`()
        throws
    {
        let one = "popups:\n  one: { scheduler: top, trigger: { event: e } }\n"
        let two = "  two: { scheduler: top, trigger: { event: e }, priority: low }\n"
        let removed = try stories(Self.lanes + one + two, Self.lanes + "popups:\n" + two)
        #expect(
            removed.text?.contains(
                """
                  one no longer shows:
                    start: 2026-01-01T09:00:00Z
                    steps:
                      - send: e
                        expect: { showing: { top: two } }
                """) == true)
        #expect(removed.untold.isEmpty)
    }

    @Test(arguments: [
        ("{ event: e }", "{ event: f }"), ("{ changed: k }", "{ event: e }"),
        ("start", "{ changed: k }"), ("{ popup: two, action: close }", "{ event: e }"),
    ])
    func `a scenario shows a changed trigger by an event that only one trigger matches`(
        old: String, new: String
    ) throws {
        func rules(_ trigger: String) -> String {
            """
            context: { k: { type: int, default: 0 } }
            events: { e: {}, f: {} }
            popups: { one: { trigger: \(trigger) }, two: { trigger: manual, priority: low } }
            """
        }
        for (earlier, later) in [(old, new), (new, old)] {
            let found = try stories(rules(earlier), rules(later))
            #expect(found.count == 1, "\(earlier) to \(later): \(found.untold)")
        }
    }

    @Test(arguments: [
        ("within: 7d", "within: 1d"), ("within: 7d", "within: 7d, where: event.n > 5"),
        ("within: 7d, where: event.n > 5", "within: 7d, where: event.n > 7"),
    ])
    func `a scenario shows a changed goal by an event that only one goal matches`(
        old: String, new: String
    ) throws {
        func rules(_ goal: String) -> String {
            """
            events: { e: { n: int } }
            popups: { one: { goals: [{ name: buy, event: e, \(goal) }] } }
            """
        }
        for (earlier, later) in [(old, new), (new, old)] {
            let found = try stories(rules(earlier), rules(later))
            #expect(found.count == 1, "\(earlier) to \(later): \(found.untold)")
        }
    }

    @Test func `adding manual to other triggers is reported to have no visible effect`() throws {
        let found = try stories(
            "popups: { one: { trigger: start } }\n",
            "popups: { one: { trigger: [start, manual] } }\n")
        #expect(
            found.untold == [
                "popup one, trigger: only `manual` changed, and an app can request a popup with or"
                    + " without `manual`"
            ])
    }

    @Test func `a scenario shows an arm of only one rule set by the content of the arm`() throws {
        func rules(_ arm: String) -> String {
            """
            context: { u: { type: string, default: "" } }
            popups:
              one:
                content: { text: usual }
                experiment:
                  { by: u, salt: s, variants: { a: {}, \(arm): { content: { text: \(arm) } } } }
            """
        }
        let found = try stories(rules("b"), rules("c"))
        #expect(
            found.text?.contains("content: { one: { \"text\": \"c\" } }") == true, "\(found.untold)"
        )
    }
}
