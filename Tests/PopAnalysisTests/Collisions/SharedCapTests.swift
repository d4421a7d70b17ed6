import PopAnalysis
import PopScheduler
import Testing

/// Pairs that share a cap, beside others that count in it or have the screen.
struct SharedCapTests {
    private func pairs(_ text: String) throws -> [[String]] {
        let rules = try Rules(
            """
            context: { app.mode: { type: string, values: [calm, busy], default: busy } }
            events: { one: {}, other: {} }
            \(text)
            """
        ).rules
        return Collisions(rules).found.map { collision in
            [rules.popups[collision.winner].id, rules.popups[collision.loser].id].sorted()
        }
    }

    @Test(arguments: [
        // It uses the cap up at the start, until the day is over.
        ("third: { priority: high }", "per: 1d"),
        ("third: { priority: high }", "per: calendar_day, zone: UTC"),
        ("third: { priority: high }", "per: session"),
        // It shows to other users alone.
        ("third: { priority: high, when: 'app.mode == \"busy\"' }", "per: app.mode"),
        ("third: { priority: high, when: 'app.mode == \"busy\"' }", "per: 365d"),
    ])
    func `a third popup does not hide a pair under a cap`(
        _ third: String, _ period: String
    ) throws {
        let found = try pairs(
            """
            limits: [{ max: 1, \(period) }]
            popups:
              a: { trigger: { event: one } }
              b: { trigger: { event: other } }
              \(third)
            """)
        #expect(found.contains(["a", "b"]))
    }

    @Test func `a pair is told once, under its trigger`() throws {
        let found = try pairs(
            """
            groups: { offers: { cap: { max: 1, per: 1d } } }
            popups:
              a: { group: offers }
              b: { group: offers, priority: high }
            """)
        #expect(found == [["a", "b"]])
    }

    @Test func `where a third one always takes the last room, a pair does not collide`() throws {
        let found = try pairs(
            """
            limits: [{ max: 1, per: 1d }]
            popups:
              a: { trigger: { event: one }, untriggered: discard }
              b: { trigger: { event: other }, untriggered: discard }
              third: { priority: high, trigger: { event: one } }
              fourth: { priority: high, trigger: { event: other } }
            """)
        #expect(!found.contains(["a", "b"]))
    }
}
