import PopAnalysis
import PopCEL
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

    @Test func `a cap that others use up on another screen is found among many`() throws {
        let crowd = (0..<150).map { "  crowd\($0): { trigger: manual, scheduler: side }\n" }
        let found = try pairs(
            """
            schedulers: { side: { strategy: fifo } }
            limits: [{ max: 2, per: 1d }]
            popups:
              a: { trigger: { event: one }, cap: { lifetime: 1 } }
              b: { trigger: { event: other } }
              third: { scheduler: side, cap: { lifetime: 1 } }
            \(crowd.joined())
            """)
        #expect(found.contains(["a", "b"]))
    }

    @Test func `pairs that are not looked at are counted once, whatever they share`() throws {
        let rules = try Rules(
            """
            events: { one: {}, other: {} }
            groups: { offers: { cap: { max: 1, per: 1d } } }
            popups:
              a: { group: offers, trigger: [{ event: one }, { event: other }] }
              b: { group: offers, trigger: [{ event: one }, { event: other }] }
              c: { group: offers, trigger: { event: other } }
              d: { trigger: { event: one } }
              e: { trigger: manual }
            """
        ).rules
        var limits = AnalysisLimits.standard
        limits.triedPairs = 0
        // Beside a, b and c with each other a with d, and b with d.
        #expect(Collisions(rules, limits: limits).untried == 5)
        #expect(Collisions(rules, among: [3], limits: limits).untried == 2)
        #expect(Collisions(rules, among: [0, 1, 4], limits: limits).untried == 1)
        limits.countedKinds = 1
        #expect(Collisions(rules, limits: limits).isUntriedAtMost)
        #expect(Collisions(rules).pairs == 5)
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
