/// Rules in which something was planted, or that are one step from it.
struct PlantedCase: Sendable, CustomStringConvertible {
    let name: String
    /// One text for each file.
    let files: [String]

    init(_ name: String, _ files: String...) {
        self.name = name
        self.files = [Self.head] + files
    }

    var description: String { name }

    /// The declarations that all cases may read.
    private static let head = """
        context:
          user.id: { type: string, default: ada }
          user.plan: { type: string, values: [free, pro, team], default: free }
          user.launches: { type: int, min: 0, default: 0 }
          user.country: { type: string, default: DE }
          app.version: { type: version, default: "3.0.0" }
          app.language: { type: string, default: en }
          app.screen: { type: string, default: home, momentary: true }
        events:
          cart.opened: { total: double }
          search.used: {}
        schedulers:
          main: {}
          toast: {}
        """
}

// MARK: Shadowed: `winter` never shows while `flash` can

enum PlantedShadows {
    static let faults = [
        PlantedCase(
            "seen once",
            """
            popups:
              flash: { priority: high }
              winter: { when: popups.flash.shown_count == 0 }
            """),
        PlantedCase(
            "a part of the users",
            """
            popups:
              flash: { priority: high, when: user.plan != "free" }
              winter: { when: user.plan == "pro" && popups.flash.shown_count == 0 }
            """),
        PlantedCase(
            "the same event",
            """
            popups:
              flash: { priority: high, trigger: { event: cart.opened } }
              winter: { trigger: { event: cart.opened }, when: popups.flash.shown_count < 1 }
            """),
        PlantedCase(
            "fewer events",
            """
            popups:
              flash: { priority: 200, trigger: { event: cart.opened, where: event.total > 50.0 } }
              winter:
                trigger: { event: cart.opened, where: event.total > 100.0 }
                when: popups.flash.shown_count == 0
            """),
        PlantedCase(
            "by the group",
            """
            groups: { sale: { when: user.launches > 3 } }
            popups:
              flash: { priority: high, group: sale }
              winter: { group: sale, when: popups.flash.shown_count == 0 }
            """),
        PlantedCase(
            "never shown by its date",
            """
            popups:
              flash: { priority: high, when: user.launches >= 2 }
              winter: { when: "user.launches >= 2 && !has(popups.flash.last_shown)" }
            """),
        PlantedCase(
            "by a name",
            """
            conditions: { unseen: 'popups.flash.shown_count == 0 && user.country in ["DE", "AT"]' }
            popups:
              flash: { priority: high, when: 'user.country in ["DE", "AT", "CH"]' }
              winter: { when: unseen }
            """),
        PlantedCase(
            "one trigger of two",
            """
            popups:
              flash: { priority: high, trigger: [start, { event: cart.opened }] }
              winter: { trigger: { event: cart.opened }, when: popups.flash.shown_count == 0 }
            """),
        PlantedCase(
            "later by itself",
            """
            popups:
              flash: { priority: high }
              winter: { delay: 5s, when: popups.flash.shown_count == 0 }
            """),
        PlantedCase(
            "with a schedule of its own",
            """
            popups:
              flash: { priority: high }
              winter:
                schedule: { from: 2026-11-01, until: 2027-02-01 }
                when: popups.flash.shown_count == 0
            """),
        PlantedCase(
            "with a cap of its own",
            """
            popups:
              flash: { priority: high }
              winter: { cap: { lifetime: 1 }, when: popups.flash.shown_count == 0 }
            """),
        PlantedCase(
            "for half of the users",
            """
            popups:
              flash: { priority: high }
              winter:
                rollout: { percent: 50, by: user.id }
                when: popups.flash.shown_count == 0
            """),
        PlantedCase(
            "waits not for long",
            """
            popups:
              flash: { priority: high, trigger: { changed: user.plan } }
              winter:
                trigger: { changed: user.plan }
                max_wait: 1m
                when: popups.flash.shown_count == 0
            """),
        PlantedCase(
            "on a scheduler with a gap",
            """
            schedulers: { banner: { gap: 3s } }
            popups:
              flash: { scheduler: banner, priority: high, trigger: session }
              winter:
                scheduler: banner
                trigger: session
                when: popups.flash.shown_count == 0
            """),
        PlantedCase(
            "after another",
            """
            popups:
              welcome: { priority: very_high, cap: { lifetime: 1 } }
              flash: { priority: high, after: [welcome] }
              winter: { after: [welcome], when: popups.flash.shown_count == 0 }
            """),
    ]

    static let nearMisses = [
        PlantedCase(
            "shows behind it",
            """
            popups:
              flash: { priority: high }
              winter: { when: user.plan == "free" }
            """),
        PlantedCase(
            "more users",
            """
            popups:
              flash: { priority: high, when: user.plan == "pro" }
              winter: { when: user.plan != "free" && popups.flash.shown_count == 0 }
            """),
        PlantedCase(
            "never shown when it was triggered",
            """
            popups:
              flash: { priority: high, trigger: { event: cart.opened } }
              winter: { trigger: { event: cart.opened, where: popups.flash.shown_count == 0 } }
            """),
        PlantedCase(
            "more events",
            """
            popups:
              flash: { priority: 200, trigger: { event: cart.opened, where: event.total > 100.0 } }
              winter:
                trigger: { event: cart.opened, where: event.total > 50.0 }
                when: popups.flash.shown_count == 0
            """),
        PlantedCase(
            "the other waits not for long",
            """
            popups:
              flash: { priority: high, max_wait: 1m }
              winter: { when: popups.flash.shown_count == 0 }
            """),
        PlantedCase(
            "the other has a cap",
            """
            popups:
              flash: { priority: high, cap: { every: 1d } }
              winter: { when: popups.flash.shown_count == 0 }
            """),
        PlantedCase(
            "the other is for half of the users",
            """
            popups:
              flash: { priority: high, rollout: { percent: 50, by: user.id } }
              winter: { when: popups.flash.shown_count == 0 }
            """),
        PlantedCase(
            "goes first itself",
            """
            popups:
              flash: { priority: low }
              winter: { when: popups.flash.shown_count == 0 }
            """),
        PlantedCase(
            "on another screen",
            """
            popups:
              flash: { priority: high, scheduler: toast }
              winter: { when: popups.flash.shown_count == 0 }
            """),
        PlantedCase(
            "one more trigger",
            """
            popups:
              flash: { priority: high }
              winter:
                trigger: [start, { event: cart.opened }]
                when: popups.flash.shown_count == 0
            """),
        PlantedCase(
            "the other comes later",
            """
            popups:
              flash: { priority: high, delay: 5s }
              winter: { when: popups.flash.shown_count == 0 }
            """),
        PlantedCase(
            "the other is dropped",
            """
            popups:
              flash: { priority: high, untriggered: discard, when: user.launches > 3 }
              winter: { when: user.launches > 5 && popups.flash.shown_count == 0 }
            """),
        PlantedCase(
            "a queue of one",
            """
            schedulers: { banner: { max_waiting: 1 } }
            popups:
              flash: { scheduler: banner, priority: high }
              winter: { scheduler: banner, when: popups.flash.shown_count == 0 }
            """),
        PlantedCase(
            "the other begins later",
            """
            popups:
              flash: { priority: high, schedule: { from: 2027-01-01 } }
              winter: { when: popups.flash.shown_count == 0 }
            """),
        PlantedCase(
            "the other is an experiment",
            """
            popups:
              flash:
                priority: high
                experiment: { by: user.id, control: 50, variants: { red: {} } }
              winter: { when: popups.flash.shown_count == 0 }
            """),
    ]
}

// MARK: Colliding: `flash` and `winter` conflict

enum PlantedCollisions {
    static let faults = [
        PlantedCase("the start", "popups: { flash: { priority: high }, winter: {} }"),
        PlantedCase(
            "an event",
            """
            popups:
              flash: { priority: high, trigger: { event: cart.opened } }
              winter: { trigger: { event: cart.opened } }
            """),
        PlantedCase(
            "a key",
            """
            popups:
              flash: { trigger: { changed: user.plan } }
              winter: { priority: low, trigger: { changed: user.plan } }
            """),
        PlantedCase(
            "a session",
            """
            popups:
              flash: { trigger: session, priority: high, when: user.launches > 2 }
              winter: { trigger: session, when: user.launches < 9 }
            """),
        PlantedCase(
            "an action",
            """
            popups:
              ask: { priority: very_high }
              flash: { priority: high, trigger: { popup: ask, action: close } }
              winter: { trigger: { popup: ask, action: close } }
            """),
        PlantedCase(
            "versions that overlap",
            """
            popups:
              flash: { priority: high, when: app.version >= version("2.0") }
              winter: { when: app.version < version("4.0") }
            """),
        PlantedCase(
            "events that overlap",
            """
            popups:
              flash: { priority: high, trigger: { event: cart.opened, where: event.total > 50.0 } }
              winter: { trigger: { event: cart.opened, where: event.total < 90.0 } }
            """),
        PlantedCase(
            "first come first served",
            """
            schedulers: { banner: { strategy: fifo } }
            popups:
              flash: { scheduler: banner }
              winter: { scheduler: banner }
            """),
        PlantedCase(
            "the cap of a group",
            """
            groups: { sale: { cap: { max: 1, per: 7d } } }
            popups:
              flash: { group: sale }
              winter: { group: sale, scheduler: toast, trigger: { event: cart.opened } }
            """),
        PlantedCase(
            "a limit",
            """
            limits: [{ max: 1, per: 1d }]
            popups:
              flash: { trigger: { event: search.used } }
              winter: { scheduler: toast, trigger: { event: cart.opened } }
            """),
        PlantedCase(
            "the cap of a scheduler",
            """
            schedulers: { banner: { cap: { max: 1, per: session } } }
            popups:
              flash: { scheduler: banner, trigger: { event: search.used } }
              winter: { scheduler: banner, trigger: { event: cart.opened } }
            """),
        PlantedCase(
            "a limit by tags",
            """
            limits: [{ max: 1, per: 3d, tags: [promo] }]
            popups:
              flash: { tags: [promo], trigger: { event: search.used }, when: user.plan == "free" }
              winter: { tags: [promo, winter], trigger: { event: cart.opened } }
            """),
        PlantedCase(
            "parts that overlap",
            """
            popups:
              flash:
                trigger: { event: search.used }
                rollout: { range: [0, 60], by: user.id, salt: sale }
              winter:
                trigger: { event: cart.opened }
                rollout: { range: [50, 100], by: user.id, salt: sale }
            """),
        PlantedCase(
            "waits not for long",
            """
            popups:
              flash: { priority: high, min_show: 5m }
              winter: { max_wait: 1m }
            """),
        PlantedCase(
            "starved",
            """
            popups:
              flash: { priority: high }
              winter: { when: popups.flash.shown_count == 0 }
            """),
        PlantedCase(
            "events of one name that no event is both of, under one cap",
            """
            groups: { sales: { cap: { max: 1, per: 1d } } }
            popups:
              flash: { group: sales, trigger: { event: cart.opened, where: event.total > 100.0 } }
              winter: { group: sales, trigger: { event: cart.opened, where: event.total < 10.0 } }
            """),
    ]

    static let nearMisses = [
        PlantedCase("two screens", "popups: { flash: {}, winter: { scheduler: toast } }"),
        PlantedCase(
            "plans",
            """
            popups:
              flash: { priority: high, when: user.plan == "free" }
              winter: { when: user.plan == "pro" }
            """),
        PlantedCase(
            "versions",
            """
            popups:
              flash: { priority: high, when: app.version >= version("4.0") }
              winter: { when: app.version < version("4.0") }
            """),
        PlantedCase(
            "languages",
            """
            popups:
              flash: { priority: high, when: app.language.startsWith("de") }
              winter: { when: 'app.language in ["en", "fr"]' }
            """),
        PlantedCase(
            "dates",
            """
            popups:
              flash: { priority: high, schedule: { from: 2026-12-01, until: 2026-12-24 } }
              winter: { schedule: { from: 2026-12-24, until: 2027-02-01 } }
            """),
        PlantedCase(
            "variants",
            """
            popups:
              ask: { experiment: { by: user.id, variants: { short: {}, long: {} } } }
              flash:
                trigger: { event: cart.opened }
                priority: high
                when: popups.ask.variant == "short"
              winter: { trigger: { event: cart.opened }, when: popups.ask.variant == "long" }
            """),
        PlantedCase(
            "triggers",
            """
            popups:
              flash: { trigger: { event: search.used } }
              winter: { trigger: { event: cart.opened } }
            """),
        PlantedCase(
            "events",
            """
            popups:
              flash: { priority: high, trigger: { event: cart.opened, where: event.total > 50.0 } }
              winter: { trigger: { event: cart.opened, where: event.total <= 50.0 } }
            """),
        PlantedCase(
            "parts",
            """
            popups:
              flash: { priority: high, rollout: { range: [0, 50], by: user.id, salt: sale } }
              winter: { rollout: { range: [50, 100], by: user.id, salt: sale } }
            """),
        PlantedCase("off", "popups: { flash: { enabled: false }, winter: {} }"),
        PlantedCase(
            "groups",
            """
            groups:
              buyers: { when: user.plan != "free" }
              others: { when: user.plan == "free" }
            popups:
              flash: { priority: high, group: buyers }
              winter: { group: others }
            """),
        PlantedCase(
            "essential",
            """
            limits: [{ max: 1, per: 1d }]
            popups:
              flash: { essential: true }
              winter: { scheduler: toast }
            """),
        PlantedCase(
            "tags",
            """
            limits: [{ max: 1, per: 1d, tags: [promo] }]
            popups:
              flash: { tags: [promo], trigger: { event: search.used } }
              winter: { trigger: { event: cart.opened } }
            """),
        PlantedCase(
            "numbers",
            """
            popups:
              flash: { priority: high, when: user.launches > 3 }
              winter: { when: user.launches < 4 }
            """),
        PlantedCase(
            "a cap of one group and users of another",
            """
            groups: { sale: { cap: { max: 1, per: 7d } } }
            popups:
              flash: { group: sale, trigger: { event: search.used }, when: user.plan == "pro" }
              winter: { group: sale, trigger: { event: cart.opened }, when: user.plan == "team" }
            """),
    ]
}

// MARK: Tied: files decide whether `flash` or `winter` has priority

enum PlantedTies {
    static let faults = [
        PlantedCase("the start", "popups: { flash: {} }", "popups: { winter: {} }"),
        PlantedCase(
            "an event", "popups: { flash: { trigger: { event: cart.opened } } }",
            "popups: { winter: { trigger: { event: cart.opened } } }"),
        PlantedCase(
            "a session", "popups: { flash: { trigger: session } }",
            "popups: { winter: { trigger: session } }"),
        PlantedCase(
            "a key", "popups: { flash: { trigger: { changed: user.plan } } }",
            "popups: { winter: { trigger: { changed: user.plan } } }"),
        PlantedCase(
            "users in common", "popups: { flash: { when: user.launches > 2 } }",
            "popups: { winter: { when: user.launches < 5 } }"),
        PlantedCase(
            "events in common",
            "popups: { flash: { trigger: { event: cart.opened, where: event.total > 2.0 } } }",
            "popups: { winter: { trigger: { event: cart.opened, where: event.total < 5.0 } } }"),
        PlantedCase(
            "without priorities",
            "schedulers: { banner: { strategy: fifo } }\npopups: { flash: { scheduler: banner } }",
            "popups: { winter: { scheduler: banner, priority: high } }"),
        PlantedCase(
            "the newest first",
            "schedulers: { banner: { tie_break: lifo } }\npopups: { flash: { scheduler: banner } }",
            "popups: { winter: { scheduler: banner } }"),
        PlantedCase(
            "the same delay", "popups: { flash: { delay: 2s, priority: high } }",
            "popups: { winter: { delay: 2s, priority: high } }"),
        PlantedCase(
            "lost for good",
            """
            limits: [{ max: 1, per: session, schedulers: [main] }]
            popups: { flash: { min_show: 5m } }
            """, "popups: { winter: { max_wait: 1m } }"),
    ]

    static let nearMisses = [
        PlantedCase(
            "priorities", "popups: { flash: { priority: high } }", "popups: { winter: {} }"),
        PlantedCase(
            "plans", "popups: { flash: { when: user.plan == \"free\" } }",
            "popups: { winter: { when: user.plan == \"pro\" } }"),
        PlantedCase(
            "versions", "popups: { flash: { when: 'app.version >= version(\"4.0\")' } }",
            "popups: { winter: { when: 'app.version < version(\"4.0\")' } }"),
        PlantedCase(
            "dates", "popups: { flash: { schedule: { until: 2026-12-24 } } }",
            "popups: { winter: { schedule: { from: 2026-12-24 } } }"),
        PlantedCase(
            "events",
            "popups: { flash: { trigger: { event: cart.opened, where: event.total > 5.0 } } }",
            "popups: { winter: { trigger: { event: cart.opened, where: event.total < 5.0 } } }"),
        PlantedCase(
            "parts",
            "popups: { flash: { rollout: { range: [0, 50], by: user.id, salt: sale } } }",
            "popups: { winter: { rollout: { range: [50, 100], by: user.id, salt: sale } } }"),
        PlantedCase(
            "other triggers", "popups: { flash: {} }",
            "popups: { winter: { trigger: { event: cart.opened } } }"),
        PlantedCase("screens", "popups: { flash: {} }", "popups: { winter: { scheduler: toast } }"),
        PlantedCase(
            "one after the other", "popups: { flash: {} }",
            "popups: { winter: { after: [flash] } }"),
        PlantedCase(
            "languages", "popups: { flash: { when: app.language == \"de\" } }",
            "popups: { winter: { when: app.language == \"en\" } }"),
    ]
}
