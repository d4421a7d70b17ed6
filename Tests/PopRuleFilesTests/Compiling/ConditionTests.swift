import PopCEL
import PopRuleFiles
import PopScheduler
import PopSource
import Testing

struct ConditionTests {
    private static let context = """
        context:
          user.plan: { type: string, values: [free, pro, team], default: free }
          user.launches: { type: int, default: 3 }
          user.score: { type: double, default: 1.5 }
          user.tags: { type: list<string>, default: [beta, staff] }
          user.since: { type: timestamp, default: 2026-01-01 }
          user.session: { type: duration, default: 5m }
          app.screen: string
        conditions: { newcomer: user.launches <= 3 }

        """

    /// Returns the truth of a condition when all keys have their defaults and `app.screen` is
    /// missing.
    private func truth(_ when: String) throws -> Truth {
        let rules = try checked(Self.context + "popups:\n  a:\n    when: \(when)\n").get()
        var values = SlotValues(count: rules.slots.count)
        for slot in rules.slots.places {
            if case .key(let key) = rules.slots[slot], let value = rules.keys[key].defaultValue {
                values[slot] = .value(value)
            }
            if case .condition = rules.slots[slot] { values[slot] = .value(.bool(true)) }
        }
        return rules.popups[0].when?.program.isTrue(values) ?? .yes
    }

    @Test(arguments: [
        "true", "user.plan == \"free\"", "[true, user.launches == 3]", "{ all: [true, newcomer] }",
        "{ any: [false, newcomer] }", "{ none: [false, user.plan == \"pro\"] }", "[]",
        "{ user.plan: free }", "{ user.plan: free, user.launches: 3 }",
        "{ user.plan: { ne: pro } }", "{ user.launches: { gt: 2, gte: 3, lt: 4, lte: 3 } }",
        "{ user.plan: { in: [free, team] } }", "{ user.plan: { not_in: [pro] } }",
        "{ user.tags: { contains: beta } }", "{ user.plan: { contains: re } }",
        "{ user.plan: { starts_with: fr, ends_with: ee, matches: '^f.*e$' } }",
        "{ user.score: 1.5 }", "{ user.score: { gt: 1 } }", "{ user.since: 2026-01-01 }",
        "{ user.since: { lt: 2026-02-01T00:00:00Z } }", "{ user.session: { lte: 300s } }",
        "{ newcomer: true }", "{ app.screen: { exists: false } }",
        "{ user.tags: [beta, staff] }", "{ user.plan: { exists: true } }",
    ])
    func `a condition form is true for matching values`(_ when: String) throws {
        #expect(try truth(when) == .yes)
    }

    @Test(arguments: [
        "false", "[true, false]", "{ any: [] }", "{ none: [true] }", "{ user.plan: pro }",
        "{ user.plan: free, user.launches: 4 }", "{ user.launches: { gt: 4, lt: 9 } }",
        "{ user.tags: { contains: bet } }", "{ newcomer: false }",
    ])
    func `a condition form is false for other values`(_ when: String) throws {
        #expect(try truth(when) == .no)
    }

    @Test(arguments: [
        "{ app.screen: map }", "{ app.screen: { ne: map } }", "{ app.screen: { exists: true } }",
        "{ app.screen: { not_in: [map] } }", "{ app.screen: { starts_with: m } }",
    ])
    func `a missing key passes no matcher, and no matcher fails`(_ when: String) throws {
        #expect(try truth(when) == .no)
    }

    @Test(arguments: [
        #"user.plna == "pro""#, #"'user.plna == "pro"'"#, #""user.plna == \"pro\"""#,
        ">-\n      true &&\n      user.plna == \"pro\"",
        "|\n      true &&\n      user.plna == \"pro\"",
        #"[true, user.plna == "pro"]"#, "{ any: [user.plna == \"pro\"] }", "{ user.plna: pro }",
        #""\x74rue && user.plna == 'pro'""#,
    ])
    func `an error points at its own characters in every form`(_ when: String) {
        let found = pointed(Self.context + "popups:\n  a:\n    when: \(when)\n")
        #expect(found == ["condition/unknown-key: user.plna"])
    }

    @Test func `an unreadable condition causes no other finding`() {
        let found = pointed(
            """
            context: { user.plan: nonsense, user.age: { type: int, default: 0 } }
            conditions: { grown: user.age >, free: user.plan == "free" }
            groups: { g: { when: grown } }
            popups:
              a: { group: g, when: [grown, free], examples: { match: [{ user.age: 3 }] } }
            """)
        #expect(found.map { $0.prefix { $0 != ":" } } == ["schema/enum", "condition/syntax"])
    }

    @Test func `a scheduler or group with a mistake exists for other references`() {
        let found = pointed(
            """
            schedulers: { toast: { strategy: fast } }
            groups: { g: { whn: true } }
            popups: { a: { scheduler: toast, group: g } }
            """)
        #expect(found == ["schema/enum: fast", "schema/unknown-key: whn"])
    }

    @Test func `a long chain of conditions is refused`() {
        var text = "conditions:\n  c0: true\n"
        for index in 1...100 { text += "  c\(index): c\(index - 1)\n" }
        #expect(pointed(text) == ["condition/cost: c100"])
    }

    @Test func `deep nesting is refused`() {
        let depth = 40
        let when =
            String(repeating: "[", count: depth) + "true" + String(repeating: "]", count: depth)
        let found = checked("popups: { a: { when: \(when) } }").diagnostics.sorted
        #expect(found.map(\.check) == [.schemaLimit])
    }
}
