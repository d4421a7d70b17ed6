import PopAnalysis
import PopExplanations
import PopScheduler
import PopTestSupport
import Testing

@testable import PopRuleFiles

@Suite struct RuleChangesTests {
    /// The keys that no app sees.
    private static let leftBehind: Set = ["examples"]
    /// The keys that the line on the audience covers.
    private static let ofAudience: Set = ["when", "dismiss_when"]

    @Test(arguments: Table.popup.keys.map(\.name))
    func `each key of a popup has one line in the report`(key: String) throws {
        let changes = RuleChanges(
            from: try PopupSamples.rules("{}"), to: try PopupSamples.rules(having: key))
        let lines = changes.entries.flatMap(\.lines)
        if Self.leftBehind.contains(key) {
            #expect(changes.isSame)
        } else if Self.ofAudience.contains(key) {
            #expect(lines.map(\.key) == ["audience"])
        } else {
            // A group has a condition, which changes the audience.
            let own = lines.filter { !["audience", "resolved"].contains($0.key) }
            #expect(own.map(\.key) == [key])
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

    @Test func `rules written differently can have the same meaning`() throws {
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
        #expect(try Self.changes(old, new).text == "No behavior changes.\n")
    }

    @Test(arguments: [
        ("Asia/Calcutta", "Asia/Kolkata", true), ("US/Eastern", "America/New_York", true),
        ("Etc/UCT", "UTC", true), ("Asia/Kolkata", "Asia/Kathmandu", false),
        ("America/New_York", "America/Bogota", false), ("Europe/Berlin", "+01:00", false),
    ])
    func `zones whose local times are always equal count as one zone`(
        one: String, other: String, isSame: Bool
    ) throws {
        func rules(_ zone: String) -> String {
            """
            quiet: { hours: 23:00-06:00, zone: "\(zone)" }
            groups: { offers: { cap: { max: 1, per: calendar_day, zone: "\(zone)" } } }
            popups:
              a: { group: offers, schedule: { hours: 09:00-17:00, zone: "\(zone)" } }
              b:
                group: offers
                cap: { windows: [{ max: 1, per: calendar_week, zone: "\(zone)" }] }
              c:
                when: 'now.getHours("\(zone)") >= 9 && now.getDayOfWeek("\(zone)") in [0, 6]'
            """
        }
        let changes = try Self.changes(rules(one), rules(other))
        #expect(changes.isSame == isSame, "\(changes.text)")
        if !isSame {
            #expect(
                changes.entries.map(\.name) == [
                    "popup a", "popup b", "popup c", "group offers", "rules",
                ])
        }
    }

    @Test func `a new order in the file is a change for popups that wait with one priority`() throws
    {
        let text = try Self.changes("popups: { a: {}, b: {} }", "popups: { b: {}, a: {} }").text
        #expect(text.contains("now shows before a if they wait with the same priority"), "\(text)")
        #expect(
            try Self.changes(
                "popups: { a: {}, b: { trigger: manual } }",
                "popups: { b: { trigger: manual }, a: {} }"
            ).text == "No behavior changes.\n")
    }

    @Test
    func `a schedule is open while its popup shows, and its when is a condition of the popup`()
        throws
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

    @Test func `an audience that grows and shrinks has an example user on each side`() throws {
        let changes = try Self.changes(
            "popups: { a: { when: plan == \"free\" } }", "popups: { a: { when: launches > 3 } }")
        #expect(
            changes.text == """
                popup a
                  audience      some users gained, some lost
                                newly shown to: plan is not free, launches is at least 4
                                example: context: { plan: "pro", launches: 4 }
                                no longer shown to: plan is free, launches is below 4
                                example: context: { plan: "free", launches: 0 }

                """)
    }

    @Test func `a changed named condition is reported for the popups that use it`() throws {
        let changes = try Self.changes(
            "conditions: { c: launches > 3, d: launches > 9 }\npopups: { a: { when: c }, b: {} }",
            "conditions: { c: launches > 4, d: launches > 8 }\npopups: { a: { when: c }, b: {} }")
        #expect(changes.entries.map(\.name) == ["popup a"])
        #expect(changes.entries.first?.lines.first?.text == "some users lost")
        #expect(
            changes.entries.first?.lines.first?.details.first == "no longer shown to: launches is"
                + " 4")
    }

    @Test(arguments: [
        (1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th"), (10, "10th"), (11, "11th"), (12, "12th"),
        (13, "13th"), (21, "21st"), (22, "22nd"), (103, "103rd"), (111, "111th"),
    ])
    func `an ordinal number has the right ending`(number: Int, text: String) {
        #expect(ordinal(number) == text)
    }

    @Test func `added and removed popups are reported`() throws {
        let changes = try Self.changes("popups: { a: {}, b: {} }", "popups: { b: {}, c: {} }")
        #expect(
            changes.text == """
                popup c added
                  trigger       start
                  audience      everyone
                popup a removed
                  trigger       start
                  audience      everyone
                collisions
                  new           `b` and `c`, on `main` when the app starts
                                `b` shows first; `c` waits until `b` is closed
                  resolved      `a` and `b`, on `main` when the app starts
                                `a` shows first; `b` waits until `a` is closed

                """)
    }

    @Test func `a changed default admits users for whom the app has set no value`() throws {
        let rules = "popups: { a: { when: x > 3 && y } }"
        func changes(_ old: String, _ new: String) throws -> RuleChanges {
            RuleChanges(
                from: try .parse("context: { y: bool, x: \(old) }\n" + rules),
                to: try .parse("context: { y: bool, x: \(new) }\n" + rules))
        }
        let grows = try changes("{ type: int, default: 0 }", "{ type: int, default: 9 }")
        #expect(
            grows.text == """
                popup a
                  audience      some users gained
                                newly shown to: x not set, y
                                example: context: { y: true }
                context x
                  default       0 → 9

                """)
        #expect(grows.isDecided)
        let none = try changes("{ type: int, default: 9 }", "int")
        #expect(
            none.entries.first?.lines.first?.details.first == "no longer shown to: x not set, y")
        let same = try changes("{ type: int, default: 1 }", "{ type: int, default: 2 }")
        #expect(same.entries.map(\.name) == ["context x"])
        let wider = try changes("{ type: int, max: 5, default: 0 }", "{ type: int, default: 0 }")
        #expect(wider.entries.map(\.name) == ["context x"])
        let other = try changes("{ type: int, default: 0 }", "{ type: double, default: 0.0 }")
        #expect(other.entries.first?.lines.first?.text == "not compared: the type of `x` changed")
        #expect(!other.isDecided)
    }

    @Test func `a changed default also affects string conditions and unknown parts`() throws {
        let rules = """
            popups:
              a: { when: x.startsWith("de") }
              b: { when: '(x + "!").size() > 3', trigger: manual }
            """
        let changes = RuleChanges(
            from: try .parse("context: { x: { type: string, default: de-AT } }\n" + rules),
            to: try .parse("context: { x: { type: string, default: en } }\n" + rules))
        let lines = changes.entries.map { $0.lines[0] }
        #expect(lines[0].details.first == "no longer shown to: x not set")
        #expect(
            lines[1].text
                == "some users lost; it could not be determined whether users are gained")
        #expect(lines[1].details.first?.hasPrefix("no longer shown to: x not set, ") == true)
    }

    @Test func `moving a condition from a trigger to the popup changes when it is checked`()
        throws
    {
        let changes = try Self.changes(
            "popups: { a: { trigger: { event: bought, where: event.items > 1 && launches > 3 } } }",
            """
            popups:
              a: { trigger: { event: bought, where: event.items > 1 }, when: launches > 3 }
            """
        )
        #expect(
            changes.text.contains("in total, the same users as before meet all conditions"),
            "\(changes.text)")
        #expect(changes.affected.isEmpty)
        #expect(changes.entries.flatMap(\.lines).map(\.key) == ["when", "trigger"])
    }

    @Test func `examples have round numbers and consistent histories`() throws {
        func such(_ old: String, _ new: String) throws -> String? {
            try Self.changes(old, new).entries.first?.lines.first?.details
                .first { $0.hasPrefix("example: ") }
        }
        func bought(_ condition: String) -> String {
            "popups: { a: { trigger: { event: bought, where: '\(condition)' } } }"
        }
        #expect(
            try such(bought("event.total > 20.0"), bought("event.total > 0.0"))
                == "example: event: { total: 1.0 }")
        #expect(
            try such(bought("event.total > 20.25"), bought("event.total > 20.2"))
                == "example: event: { total: 20.21 }")
        func past(_ condition: String) -> String {
            "popups: { a: { when: '\(condition)' }, b: { trigger: manual } }"
        }
        let ended = #"popups.b.last_reason == "USER_CLOSED""#
        #expect(
            try such(past("false"), past("\(ended) || popups.b.shown_count > 3"))
                == "example: with b last ended as USER_CLOSED, with b shown once")
        #expect(
            try such(past("false"), past("popups.b.closed_count > 1 || popups.b.shown_count > 3"))?
                .contains("never shown") == false)
    }

    @Test func `users gained by a named condition are described by its name`() throws {
        let changes = try Self.changes(
            "conditions: { loyal: launches > 9 }\npopups: { a: { when: 'false' } }",
            "conditions: { loyal: launches > 9 }\npopups: { a: { when: loyal } }")
        #expect(
            changes.entries.first?.lines.first?.details.first
                == "newly shown to: loyal (launches is at least 10)", "\(changes.text)")
    }

    @Test func `added and removed collisions are reported`() throws {
        let apart = """
            popups:
              a: { priority: high, when: plan == "free", cap: { lifetime: 1 } }
              b: { when: plan == "pro" }
              c: { when: plan == "free" }
            """
        let meeting = apart.replacing(#"b: { when: plan == "pro" }"#, with: "b: {}")
        let changes = try Self.changes(apart, meeting)
        let lines = changes.entries.first { $0.name == "collisions" }?.lines
        #expect(lines?.map(\.key) == ["new", "new"], "\(changes.text)")
        #expect(lines?.first?.text == "`a` and `b`, on `main` when the app starts")
        #expect(
            lines?.first?.details.first == "`a` shows first; `b` waits until `a` is closed",
            "\(changes.text)")
        let back = try Self.changes(meeting, apart)
        #expect(
            back.entries.first { $0.name == "collisions" }?.lines.map(\.key)
                == ["resolved", "resolved"])
        let described = apart.replacing("a: {", with: "a: { description: First,")
        #expect(try Self.changes(apart, described).entries.map(\.name) == ["popup a"])
    }

    @Test func `collisions that were not checked are counted`() throws {
        let popups =
            "popups:\n" + (0..<8).map { "  p\($0): { priority: \($0 + 1) }\n" }.joined()
        var limits = AnalysisLimits.standard
        limits.triedPopupsOfChange = 16
        let changes = RuleChanges(
            from: try .parse(Self.head + popups.replacing("p0: {", with: "p0: { enabled: false,")),
            to: try .parse(Self.head + popups), limits: limits)
        let lines = changes.entries.first { $0.name == "collisions" }?.lines
        #expect(lines?.last?.key == "not checked", "\(changes.text)")
        #expect(lines?.last?.text == "5 pairs of popups that may compete now", "\(changes.text)")
        #expect(changes.isDecided)
    }

    @Test func `events that a trigger accepts are reported, but a rewritten condition is not`()
        throws
    {
        func popup(_ condition: String) -> String {
            "popups: { a: { trigger: { event: bought, where: '\(condition)' } } }"
        }
        let more = try Self.changes(popup("event.total >= 5.0"), popup("event.total >= 4.0"))
        #expect(
            more.text == """
                popup a
                  trigger       bought: some events gained
                                newly shown to: event.total is at least 4.0 and below 5.0
                                example: event: { total: 4.0 }

                """)
        let less = try Self.changes(
            "popups: { a: { trigger: { event: bought } } }", popup("event.items > 1"))
        #expect(less.entries.first?.lines.first?.text == "bought: some events lost")
        #expect(less.isDecided)
    }

    @Test func `for long values only the difference is reported`() throws {
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

    @Test func `a new salt reassigns users, and a new priority changes the order`() throws {
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
        #expect(lines.map(\.details) == [["now shows before b"], ["users move between variants"]])
    }

    @Test(arguments: [
        ("content: { title: '§' }", "content"), ("owner: '§'", "owner"),
        ("description: '§'", "description"),
        ("trigger: { event: bought, where: 'event.note == \"§\"' }", "trigger"),
        ("trigger: { event: bought, where: 'event.note.contains(\"§\")' }", "trigger"),
        ("when: 'name == \"§\"'", "audience"), ("when: 'name.contains(\"§\")'", "audience"),
        ("rollout: { range: [50, 60], by: name, salt: '§' }", "rollout"),
        ("experiment: { by: name, salt: '§', variants: { one: {}, two: {} } }", "experiment"),
    ])
    func `texts that differ only in their normalization differ`(popup: String, key: String)
        throws
    {
        func rules(_ letter: String) throws -> RuleSet {
            try .parse(
                """
                context: { name: { type: string, default: "" } }
                events: { bought: { note: string } }
                popups: { a: { \(popup.replacing("§", with: letter)) } }
                """)
        }
        let (one, other) = (try rules("\u{E9}"), try rules("e\u{301}"))
        let changes = RuleChanges(from: one, to: other)
        #expect(changes.entries.flatMap(\.lines).map(\.key).contains(key), "\(changes.text)")
        #expect(RuleChanges(from: other, to: other).isSame)
    }

    @Test func `steps of a rollout are reported with the dates on which users are gained or lost`()
        throws
    {
        func popup(_ rollout: String) -> String { "popups: { a: { rollout: \(rollout) } }" }
        func details(_ old: String, _ new: String) throws -> [String]? {
            try Self.changes(popup(old), popup(new)).entries.first?.lines.first?.details
        }
        let steps = "{ steps: { 2027-01-10: 5, 2027-01-20: 100 }, by: plan }"
        #expect(
            try details(steps, "{ steps: { 2027-01-10: 10, 2027-01-25: 100 }, by: plan }") == [
                "more users from 2027-01-10T00:00:00Z until 2027-01-20T00:00:00Z: 5% → 10%",
                "fewer users from 2027-01-20T00:00:00Z until 2027-01-25T00:00:00Z: 100% → 10%",
            ])
        #expect(
            try details("{ percent: 5, by: plan }", steps) == [
                "fewer users until 2027-01-10T00:00:00Z: 5% → 0%",
                "more users from 2027-01-20T00:00:00Z: 5% → 100%",
            ])
        #expect(
            try details("{ range: [50, 60], by: plan, salt: a }", steps)?[1]
                == "different users from 2027-01-10T00:00:00Z until 2027-01-20T00:00:00Z: "
                + "50% to 60% → 5%")
        #expect(
            try Self.changes(popup(steps), "popups: { a: {} }").entries.first?.lines.first?.details
                == [
                    "more users until 2027-01-10T00:00:00Z: 0% → 100%",
                    "more users from 2027-01-10T00:00:00Z until 2027-01-20T00:00:00Z: 5% → 100%",
                ])
    }

    @Test func `a new maximum of a shared cap is reported with its effect on the popups under it`()
        throws
    {
        func rules(_ cap: String) -> String {
            """
            groups: { g: { cap: \(cap) } }
            popups:
              a: { group: g, priority: high }
              b: { group: g, priority: low }
            """
        }
        let changes = try Self.changes(rules("{ max: 2, per: 1d }"), rules("{ max: 1, per: 1d }"))
        let lines = changes.entries.flatMap(\.lines)
        #expect(
            lines.first?.details == [
                "the 2nd impression of a, b in 1d is now suppressed; before, the 3rd was"
            ])
        #expect(lines.map(\.key) == ["cap", "new"], "\(changes.text)")
        #expect(
            lines.last?.details.first?.hasPrefix("seeing `a` suppresses `b` for 1d") == true,
            "\(changes.text)")
        let back = try Self.changes(rules("{ max: 1, per: 1d }"), rules("{ max: 2, per: 1d }"))
        #expect(back.entries.flatMap(\.lines).map(\.key) == ["cap", "resolved"], "\(back.text)")
    }

    @Test func `limits and caps of schedulers cause collisions as caps of groups do`() throws {
        let popups = "popups: { a: { trigger: { event: bought } }, b: { trigger: manual } }"
        for (before, after) in [
            ("limits: [{ max: 2, per: 7d }]", "limits: [{ max: 1, per: 7d }]"),
            (
                "schedulers: { main: { cap: { max: 3, per: session } } }",
                "schedulers: { main: { cap: { max: 1, per: session } } }"
            ),
        ] {
            let changes = try Self.changes("\(before)\n\(popups)", "\(after)\n\(popups)")
            let lines = changes.entries.flatMap(\.lines)
            #expect(lines.contains { $0.key == "new" }, "\(changes.text)")
            #expect(!lines.contains { $0.key == "resolved" }, "\(changes.text)")
        }
    }

    @Test func `a group with a new name and a new cap is the same group`() throws {
        let popups = "popups: { a: { group: NAME }, b: { group: NAME, priority: low } }"
        let changes = try Self.changes(
            "groups: { g: { cap: { max: 1, per: 1d } } }\n" + popups.replacing("NAME", with: "g"),
            "groups: { h: { cap: { max: 3, per: 1d } } }\n" + popups.replacing("NAME", with: "h"))
        #expect(changes.entries.map(\.name).first == "group g", "\(changes.text)")
        #expect(
            changes.entries.first?.lines.first?.details
                == ["the 4th impression of a, b in 1d is now suppressed; before, the 2nd was"])
    }

    @Test func `a limit of more tags reports the popups that it suppresses in addition`()
        throws
    {
        func rules(_ tags: String) -> String {
            """
            limits: [{ max: 1, per: 1d, tags: [\(tags)] }]
            popups: { a: { tags: [promo] }, b: { tags: [sale], priority: low } }
            """
        }
        let changes = try Self.changes(rules("promo"), rules("promo, sale"))
        let lines = changes.entries.flatMap(\.lines)
        #expect(lines.first?.details == ["the 2nd impression of a, b in 1d is now suppressed"])
        #expect(lines.map(\.key) == ["limits", "new"], "\(changes.text)")
        let back = try Self.changes(rules("promo, sale"), rules("promo"))
        #expect(
            back.entries.first?.lines.first?.details
                == ["the 2nd impression of a, b in 1d is no longer suppressed by this cap"],
            "\(back.text)")
    }

    /// (R1)
    @Test(arguments: [
        ("now - joined <= duration(\"336h\")", "joined is more than 14 days ago"),
        ("joined >= now - duration(\"336h\")", "joined is more than 14 days ago"),
        ("now - joined >= duration(\"336h\")", "joined is less than 14 days ago"),
    ])
    func `a condition on an age takes away only users who can exist`(_ age: String, _ lost: String)
        throws
    {
        let head = """
            context:
              joined: { type: timestamp, default: 2000-01-01T00:00:00Z }
              pro: { type: bool, default: false }
            popups:

            """
        let changes = RuleChanges(
            from: try .parse(head + "  a: { when: pro }\n"),
            to: try .parse(head + "  a: { when: 'pro && \(age)' }\n"))
        let text = changes.text
        #expect(text.contains("no longer shown to: pro, \(lost)"), "\(text)")
        #expect(text.contains("with now = 2026-01-01T00:00:00Z"), "\(text)")
        #expect(!text.contains("shown to: some"), "\(text)")
    }
}

extension RuleChangesTests {
    private static func details(_ old: String, _ new: String, key: String) throws -> [String] {
        let head =
            "context: { v: { type: int, default: 0 },"
            + " sites: { type: \"list<map<string, string>>\", default: [] },"
            + " locale: string, age: { type: int, default: 0 }, plan: string,"
            + " online: { type: bool, default: false },"
            + " langs: { type: list<string>, default: [] } }\n"
        let changes = RuleChanges(
            from: try .parse(head + "popups: { a: { when: '\(old)' } }"),
            to: try .parse(head + "popups: { a: { when: '\(new)' } }"))
        #expect(changes.isDecided)
        return changes.entries.flatMap(\.lines).filter { $0.key == key }
            .flatMap { [$0.text] + $0.details }
    }

    private static let hosts =
        #"sites.filter(s, "host" in s).map(s, s.host).exists(h, h == "a")"#

    @Test("an unchanged part that cannot be analyzed leaves nothing undecided (R5)")
    func unchangedPart() throws {
        let lines = try Self.details(
            "v >= 72 && \(Self.hosts)", "v >= 72 && v < 82 && \(Self.hosts)",
            key: "audience")
        #expect(
            lines == [
                "users lost, if any users can meet the unchanged parts of the conditions, which could"
                    + " not be analyzed",
                "among its former users, no longer shown to: v is at least 82",
            ])
        let back = try Self.details(
            "v >= 72 && v < 82 && \(Self.hosts)", "v >= 72 && \(Self.hosts)",
            key: "audience")
        #expect(
            back == [
                "users gained, if any users can meet the unchanged parts of the conditions, which could"
                    + " not be analyzed",
                "among its current users, newly shown to: v is at least 82",
            ])
    }

    @Test(
        "users of a part that only one version has are not claimed without an example",
        arguments: [
            ("plan == \"y\"", "plan == \"y\" || age * 2 == 3"),
            ("plan == \"y\" || age * 2 == 3", "plan == \"y\""),
            ("(age + age) < -1", "plan == \"y\""),
        ])
    func partOfOneVersion(old: String, new: String) throws {
        let head = "context: { plan: string, age: { type: int, min: 0, max: 4 } }\n"
        let changes = RuleChanges(
            from: try .parse(head + "popups: { a: { when: '\(old)' } }"),
            to: try .parse(head + "popups: { a: { when: '\(new)' } }"))
        let text = changes.text
        #expect(!changes.isDecided)
        #expect(text.contains("it could not be determined whether users are"), "\(text)")
        #expect(!text.contains("among its"), "\(text)")
    }

    @Test("an added condition is reported without the unchanged alternatives (R6)")
    func addedCondition() throws {
        let some = #"(v == 1 || age > 3 || has(plan) && plan == "pro" || "a" in langs || online)"#
        let lines = try Self.details(
            some, some + #" && has(locale) && locale in ["de", "fr"]"#, key: "audience")
        #expect(
            lines.prefix(2) == [
                "some users lost",
                "among its former users, no longer shown to: locale is missing or neither de nor"
                    + " fr",
            ], "\(lines)")
        #expect(lines.last?.hasPrefix("example: ") == true)
    }

    @Test("an added or removed popup is reported with its triggers (A34)")
    func wholePopups() throws {
        let events = "events: { bought: { total: double } }\n"
        let popup =
            "late: { trigger: [{ event: bought, where: event.total > 5.0 }, start] }"
        let changes = RuleChanges(
            from: try .parse(events + "popups: { a: {} }"),
            to: try .parse(events + "popups: { a: {}, \(popup) }"))
        let lines = changes.entries.first { $0.name == "popup late" }?.lines ?? []
        #expect(lines.map(\.key) == ["trigger", "audience"])
        #expect(lines[0].text == "bought, where event.total is above 5.0", "\(lines)")
        #expect(lines[0].details == ["start"], "\(lines)")
    }
}
