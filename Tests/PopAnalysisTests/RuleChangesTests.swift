import PopAnalysis
import PopScheduler
import PopTestSupport
import Testing

@testable import PopRuleFiles

@Suite struct RuleChangesTests {
    /// What no app sees.
    private static let leftBehind: Set = ["examples"]
    /// What the audience says.
    private static let ofAudience: Set = ["when", "dismiss_when"]

    @Test(arguments: Table.popup.keys.map(\.name))
    func `each key of a popup has one line`(key: String) throws {
        let changes = RuleChanges(
            from: try PopupSamples.rules("{}"), to: try PopupSamples.rules(having: key))
        let lines = changes.entries.flatMap(\.lines)
        if Self.leftBehind.contains(key) {
            #expect(changes.isSame)
        } else if Self.ofAudience.contains(key) {
            #expect(lines.map(\.key) == ["audience"])
        } else {
            // A group has a condition, which says something of the audience.
            #expect(lines.filter { $0.key != "audience" }.map(\.key) == [key])
            #expect(lines.contains { $0.key == "audience" } == (key == "group"))
        }
        #expect(changes.isDecided)
    }

    private static let head = """
        context:
          plan: { type: string, values: [free, pro, team], default: free }
          launches: { type: int, default: 0 }
        events: { bought: { total: double, items: int } }

        """

    private static func changes(_ old: String, _ new: String) throws -> RuleChanges {
        RuleChanges(from: try .parse(head + old), to: try .parse(head + new))
    }

    @Test func `what is written otherwise means the same`() throws {
        let old = """
            conditions: { paying: 'plan in ["pro", "team"]' }
            popups:
              a: { when: paying && launches >= 3, cap: { every: 24h }, priority: 1000 }
              b:
                trigger: { event: bought, where: event.total > 5.0 && event.items > 1 }
                content: { title: Hi, body: Ho }
            """
        let new = """
            conditions: { rich: 'plan != "free"' }
            popups:
              b:
                content: { body: Ho, title: Hi }
                trigger: { event: bought, where: event.items >= 2 && event.total > 5.0 }
              a: { cap: { every: 1d }, when: launches > 2 && rich, priority: high }
            """
        #expect(try Self.changes(old, new).text == "same meaning\n")
    }

    @Test func `among popups that wait with one priority the place in the file is a change`() throws
    {
        let text = try Self.changes("popups: { a: {}, b: {} }", "popups: { b: {}, a: {} }").text
        #expect(text.contains("now before a where they wait with one priority"), "\(text)")
        #expect(
            try Self.changes(
                "popups: { a: {}, b: { trigger: manual } }",
                "popups: { b: { trigger: manual }, a: {} }"
            ).text == "same meaning\n")
    }

    @Test func `a schedule is open while a popup shows, and its when is one of the popup's`() throws
    {
        let old = """
            popups:
              a:
                schedule: { hours: 08:00-10:00, when: launches > 2 }
                dismiss_when: "!schedule.open"
            """
        let moved = """
            popups:
              a: { when: launches > 2, schedule: { hours: 08:00-10:00 } }
            """
        let text = try Self.changes(old, moved).text
        #expect(!text.contains("audience"), "\(text)")
        #expect(text.contains("dismiss_when"), "\(text)")
    }

    @Test func `an audience grows and shrinks, each side with somebody`() throws {
        let changes = try Self.changes(
            "popups: { a: { when: plan == \"free\" } }", "popups: { a: { when: launches > 3 } }")
        #expect(
            changes.text == """
                popup a
                  audience      grows, shrinks
                                now also plan not free, launches from 4 on
                                such as context: { plan: "pro", launches: 4 }
                                no more plan is free, launches below 4
                                such as context: { plan: "free", launches: 0 }

                """)
    }

    @Test func `a named condition counts through what uses it`() throws {
        let changes = try Self.changes(
            "conditions: { c: launches > 3, d: launches > 9 }\npopups: { a: { when: c }, b: {} }",
            "conditions: { c: launches > 4, d: launches > 8 }\npopups: { a: { when: c }, b: {} }")
        #expect(changes.entries.map(\.name) == ["popup a"])
        #expect(changes.entries.first?.lines.first?.text == "shrinks")
        #expect(changes.entries.first?.lines.first?.details.first == "no more launches is 4")
    }

    @Test func `popups come and go`() throws {
        let changes = try Self.changes("popups: { a: {}, b: {} }", "popups: { b: {}, c: {} }")
        #expect(
            changes.text == """
                popup c added
                  audience      everyone
                popup a removed
                  audience      everyone

                """)
    }

    @Test func `a changed default is told, and what reads it is not decided`() throws {
        let rules = "popups: { a: { when: x > 3 } }"
        let changes = RuleChanges(
            from: try .parse("context: { x: { type: int, default: 0 } }\n" + rules),
            to: try .parse("context: { x: { type: int, default: 9 } }\n" + rules))
        #expect(changes.entries.map(\.name) == ["popup a", "context x"])
        #expect(!changes.isDecided)
    }

    @Test func `events that a trigger lets pass are told, and what is written otherwise is not`()
        throws
    {
        func popup(_ condition: String) -> String {
            "popups: { a: { trigger: { event: bought, where: '\(condition)' } } }"
        }
        let more = try Self.changes(popup("event.total >= 5.0"), popup("event.total >= 4.0"))
        #expect(
            more.text == """
                popup a
                  trigger       bought: grows
                                now also event.total from 4.0 and below 5.0
                                such as event: { total: 4.0 }

                """)
        let less = try Self.changes(
            "popups: { a: { trigger: { event: bought } } }", popup("event.items > 1"))
        #expect(less.entries.first?.lines.first?.text == "bought: shrinks")
        #expect(less.isDecided)
    }

    @Test func `of long texts what differs is told`() throws {
        func popup(_ days: String) -> String {
            """
            popups:
              a:
                schedule: { from: 2027-01-01, until: 2027-12-31, days: [\(days)], hours: 09:00-18:00 }
            """
        }
        let changes = try Self.changes(popup("mon, sun"), popup("mon, tue, sun"))
        #expect(changes.entries.first?.lines.first?.text == "… → … tue …")
    }

    @Test func `another salt moves people, another priority goes before others`() throws {
        func popup(_ salt: String, _ priority: String) -> String {
            """
            popups:
              a:
                priority: \(priority)
                experiment: { by: plan, salt: \(salt), variants: { one: {}, two: {} } }
              b: {}
            """
        }
        let changes = try Self.changes(popup("x", "low"), popup("y", "high"))
        let lines = try #require(changes.entries.first?.lines)
        #expect(lines.map(\.key) == ["priority", "experiment"])
        #expect(lines.map(\.details) == [["now before b"], ["people move between arms"]])
    }
}
