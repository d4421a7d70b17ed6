import PopAnalysis
import PopCEL
import PopScenario
import PopScheduler
import PopSource
import Testing

/// Pairs that share a cap, together with other popups that count in it or are on the screen.
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
        // It shows only to other users.
        ("third: { priority: high, when: 'app.mode == \"busy\"' }", "per: app.mode"),
        ("third: { priority: high, when: 'app.mode == \"busy\"' }", "per: 365d"),
    ])
    func `a third popup does not hide a colliding pair under a cap`(
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

    @Test func `a pair is reported once, under its trigger`() throws {
        let found = try pairs(
            """
            groups: { offers: { cap: { max: 1, per: 1d } } }
            popups:
              a: { group: offers }
              b: { group: offers, priority: high }
            """)
        #expect(found == [["a", "b"]])
    }

    @Test func `a cap that popups on another screen use up is found among many popups`() throws {
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

    @Test func `skipped pairs are counted once, whatever they share`() throws {
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
        // The pairs of a, b and c, and also a with d, and b with d.
        #expect(Collisions(rules, limits: limits).untried == 5)
        #expect(Collisions(rules, among: [3], limits: limits).untried == 2)
        #expect(Collisions(rules, among: [0, 1, 4], limits: limits).untried == 1)
        limits.countedKinds = 1
        #expect(Collisions(rules, limits: limits).isUntriedAtMost)
        #expect(Collisions(rules).pairs == 5)
    }

    @Test func `a pair does not collide if a third popup always uses up the cap`() throws {
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

    private static let screens = """
        context: { app.screen: { type: string, values: [home, cart, plus], default: home } }
        limits: [{ max: 1, per: 7d }]
        popups:
          cart_promo: { trigger: { changed: app.screen }, when: app.screen == "cart" }
          plus_paywall: { trigger: { changed: app.screen }, when: app.screen == "plus" }
        """

    /// (A2)
    @Test func `two popups on two screens collide under a cap that counts both`() throws {
        let rules = try Rules(Self.screens).rules
        let collisions = Collisions(rules)
        #expect(collisions.withoutStory == 0)
        let found = try #require(collisions.found.first)
        #expect(
            found.text(in: rules)
                == "seeing `cart_promo` suppresses `plus_paywall` for 7d: one of the `limits`,"
                + " which several popups share, is reached (GLOBAL_CAP)")
        #expect(found.user.isEmpty)
        let acts = try #require(found.story).acts
        #expect(acts.contains(.set(["app.screen": .string("cart")])))
        #expect(acts.contains(.set(["app.screen": .string("plus")])))
    }

    /// (A2)
    /// (A112)
    @Test func `pairs that may collide but have no scenario are counted`() throws {
        let rules = try Rules(
            """
            context: { n: { type: int, default: 1, momentary: true } }
            limits: [{ max: 1, per: 7d }]
            popups:
              a: { trigger: manual, when: n * n == 49 }
              b: { trigger: manual, when: n * n == 121 }
            """
        ).rules
        let collisions = Collisions(rules)
        if collisions.found.isEmpty {
            #expect(collisions.withoutStory == 1)
            #expect(
                collisions.text(in: rules)
                    == "0 collisions in 1 checked pair; no scenario was found for 1 pair that may"
                    + " compete\n")
        }
    }

    /// (A2)
    @Test func `a cap of two is reported with two impressions`() throws {
        let rules = try Rules(
            """
            events: { a.done: {}, b.done: {} }
            limits: [{ max: 2, per: 7d }]
            popups:
              pa: { trigger: { event: a.done } }
              pb: { trigger: { event: b.done } }
            """
        ).rules
        let found = try #require(Collisions(rules).found.first)
        #expect(found.text(in: rules).hasPrefix("seeing `pa` twice suppresses `pb` for 7d: "))
        #expect(found.times == 2)
    }

    /// (R3)
    @Test func `no scenario starts before the date that its condition requires`() throws {
        let rules = try Rules(
            """
            context: { joined: { type: timestamp, default: 2000-01-01T00:00:00Z } }
            events: { a: {} }
            groups: { g: { cap: { max: 1, per: 1d } } }
            popups:
              first:
                group: g
                trigger: { event: a }
                when: 'joined < timestamp("2019-10-31T00:00:00Z")'
              second:
                group: g
                trigger: { event: a }
                when: 'now - joined < duration("2520h")'
            """
        ).rules
        let today = try #require(Timestamp(parsing: "2026-11-27T09:00:00Z"))
        let collisions = Collisions(rules, at: today)
        #expect(collisions.found.isEmpty)
        #expect(
            collisions.text(in: rules).hasPrefix(
                "0 collisions in 1 checked pair, from 2026-11-27T09:00:00Z on"))
        let then = try #require(Timestamp(parsing: "2019-11-01T09:00:00Z"))
        let before = Collisions(rules, at: then)
        let story = try #require(before.found.first?.story)
        #expect(story.beginning.start >= then)
        #expect(before.json(in: rules).compact.contains("\"at\":\"2019-11-01T09:00:00Z\""))
    }
}
