import PopAnalysis
import PopRuleFiles
import PopScenario
import PopScheduler
import Testing

/// The shape of scenarios of two popups: they request the popups as an app would.
@Suite struct StoryShapeTests {
    private static let lanes = "schedulers: { cheer: { strategy: lifo } }\n"

    @Test
    func `under LIFO one event that triggers both popups decides the order, after earlier events`()
        throws
    {
        let rules = try Rules(
            Self.lanes + """
                events: { finished: { mistakes: int } }
                popups:
                  perfect:
                    { scheduler: cheer, trigger: { event: finished, where: event.mistakes == 0 } }
                  tenth: { scheduler: cheer, trigger: { event: finished, every: 10 } }
                """)
        let found = try #require(Collisions(rules.rules).found.first)
        #expect(found.text(in: rules.rules).hasPrefix("`tenth` shows first; `perfect` waits"))
        let story = try #require(found.story)
        #expect(story.acts.count { if case .send = $0 { true } else { false } } == 1)
        #expect(story.testFile.contains("history: { finished: { sent: [-9m,"))
    }

    @Test
    func `if triggers count an event by its payload, a scenario sends the event several times`()
        throws
    {
        let rules = try Rules(
            Self.lanes + """
                events: { finished: { mistakes: int } }
                popups:
                  perfect:
                    { scheduler: cheer, trigger: { event: finished, where: event.mistakes == 0 } }
                  third:
                    scheduler: cheer
                    trigger: { event: finished, where: event.mistakes == 0, nth: 3 }
                """)
        let found = try #require(Collisions(rules.rules).found.first)
        #expect(found.text(in: rules.rules).hasPrefix("`third` shows first; `perfect` waits"))
        let acts = try #require(found.story).acts
        for (place, act) in acts.enumerated() {
            guard case .send = act, case .send? = acts.dropFirst(place + 1).first else { continue }
            Issue.record("two events at one moment: \(acts)")
        }
        #expect(acts.count { if case .send = $0 { true } else { false } } == 3)
    }

    @Test func `a state that time would end soon is checked with a later end`() throws {
        let rules = try Rules(
            """
            schedulers: { main: { gap: 2s } }
            context: { exam: timestamp }
            popups:
              first: { priority: high }
              second:
                when: has(exam) && exam > now && exam - now <= duration("336h")
            """)
        let found = try #require(Collisions(rules.rules).found.first)
        #expect(
            found.text(in: rules.rules)
                == "`first` shows first; `second` waits until `first` is closed")
    }

    @Test func `dates of a user are reported together with the start date of the scenario`() throws
    {
        let rules = try Rules(
            """
            context: { exam: timestamp }
            popups: { first: { priority: high }, second: { when: has(exam) && exam > now } }
            """)
        #expect(
            Collisions(rules.rules).text(in: rules.rules).contains(
                "with { exam: 2026-01-01T00:00:00Z } at 2025-12-31T23:5"))
    }

    @Test func `an end that only time causes is not blamed on the popup that shows`() throws {
        let rules = try Rules(
            """
            schedulers: { main: { gap: 2s } }
            context: { exam: timestamp }
            popups:
              first: { priority: high }
              second:
                when: has(exam) && exam > now && exam - now <= duration("1s")
            """)
        let found = try #require(Collisions(rules.rules).found.first)
        #expect(
            found.text(in: rules.rules)
                == "`first` shows first; when `first` is closed, it is too late for `second`:"
                + " its condition is not met (CONDITION_FALSE)")
    }
}
