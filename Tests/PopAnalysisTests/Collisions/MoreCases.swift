/// Faults, and rules that are one step from each, of the same number.
enum MoreCases {
    /// `winter` never shows.
    static let impossible = [
        PlantedCase(
            "versions of a group",
            """
            groups: { old: { when: 'app.version < version("2.0")' } }
            popups: { winter: { group: old, when: 'app.version > version("2.10")' } }
            """),
        PlantedCase(
            "the condition of a schedule",
            """
            popups:
              winter:
                when: user.plan == "free"
                schedule: { from: 2026-12-01, until: 2027-01-01, zone: UTC, when: user.plan == "pro" }
            """),
        PlantedCase(
            "dismissed by what it asks for",
            """
            popups:
              winter: { when: user.plan == "pro", dismiss_when: user.plan != "free" || user.launches > 9 }
            """),
        PlantedCase(
            "the ends of a short text",
            """
            popups:
              winter:
                when: user.country.startsWith("D") && user.country.endsWith("EX") && user.country.size() < 3
            """),
        PlantedCase(
            "between two whole numbers",
            "groups: { g: { when: user.launches > 3 } }\npopups: { winter: { group: g, when: user.launches < 4 } }"
        ),
    ]

    static let nearlyImpossible = [
        PlantedCase(
            "versions of a group",
            """
            groups: { old: { when: 'app.version < version("2.0")' } }
            popups: { winter: { group: old, when: 'app.version > version("1.10")' } }
            """),
        PlantedCase(
            "the condition of a schedule",
            """
            popups:
              winter:
                when: user.plan == "free"
                schedule:
                  - { until: 2027-01-01, zone: UTC, when: user.plan == "pro" }
                  - { from: 2027-01-01, zone: UTC }
            """),
        PlantedCase(
            "dismissed by what it asks for",
            """
            popups:
              winter: { when: user.plan == "pro", dismiss_when: user.plan != "pro" || user.launches > 9 }
            """),
        PlantedCase(
            "the ends of a short text",
            """
            popups:
              winter:
                when: user.country.startsWith("D") && user.country.endsWith("EX") && user.country.size() < 4
            """),
        PlantedCase(
            "between two whole numbers",
            "groups: { g: { when: user.launches > 3 } }\npopups: { winter: { group: g, when: user.launches < 5 } }"
        ),
    ]

    /// `winter` never shows while `flash` can.
    static let shadowed = [
        PlantedCase(
            "none of",
            """
            popups:
              flash: { priority: high }
              winter: { when: { none: [popups.flash.shown_count > 0] } }
            """),
        PlantedCase(
            "more triggers",
            """
            popups:
              flash: { priority: high, trigger: [start, { event: search.used }] }
              winter: { trigger: { event: search.used }, when: "!has(popups.flash.last_shown)" }
            """),
        PlantedCase(
            "a name for it",
            """
            conditions: { fresh: popups.flash.shown_count < 1 }
            popups:
              flash: { priority: 101, when: user.launches > 2 }
              winter: { when: fresh && user.launches > 5 }
            """),
        PlantedCase(
            "urgent",
            """
            popups:
              flash: { priority: very_high, urgent: true, trigger: { changed: user.plan } }
              winter:
                priority: 5
                trigger: { changed: user.plan }
                when: popups.flash.shown_count == 0
            """),
        PlantedCase(
            "a part of its part",
            """
            popups:
              flash: { priority: high, rollout: { range: [0, 60], by: user.id, salt: s } }
              winter:
                when: popups.flash.shown_count == 0
                rollout: { range: [10, 50], by: user.id, salt: s }
            """),
    ]

    static let nearlyShadowed = [
        PlantedCase(
            "none of",
            """
            popups:
              flash: { priority: high, hide_after: 5s }
              winter: { when: { none: [popups.flash.closed_count > 0] } }
            """),
        PlantedCase(
            "more triggers",
            """
            popups:
              flash: { priority: high, trigger: [start, { event: search.used, nth: 2 }], when: user.launches > 4 }
              winter: { trigger: { event: search.used }, when: "!has(popups.flash.last_shown)" }
            """),
        PlantedCase(
            "a name for it",
            """
            conditions: { fresh: popups.flash.shown_count < 1 }
            popups:
              flash: { priority: 101, when: user.launches > 7 }
              winter: { when: fresh && user.launches > 5 }
            """),
        PlantedCase(
            "urgent",
            """
            popups:
              flash: { priority: 4, urgent: true, trigger: { changed: user.plan } }
              winter:
                priority: 5
                trigger: { changed: user.plan }
                when: popups.flash.shown_count == 0
            """),
        PlantedCase(
            "a part of its part",
            """
            popups:
              flash: { priority: high, rollout: { range: [0, 30], by: user.id, salt: s } }
              winter:
                when: popups.flash.shown_count == 0
                rollout: { range: [10, 50], by: user.id, salt: s }
            """),
    ]

    /// Cases in which `flash` and `winter` conflict.
    static let colliding = [
        PlantedCase(
            "one in a session",
            """
            limits: [{ max: 1, per: session }]
            popups:
              flash: { trigger: { event: cart.opened } }
              winter: { trigger: { event: search.used } }
            """),
        PlantedCase(
            "the cap of a group, and a delay",
            """
            groups: { offers: { cap: { max: 1, per: 2d } } }
            popups:
              flash: { group: offers, trigger: { event: cart.opened }, delay: 5s }
              winter: { group: offers, trigger: { event: search.used } }
            """),
        PlantedCase(
            "the third of some events",
            """
            popups:
              flash: { priority: high, trigger: { event: cart.opened, nth: 3 } }
              winter: { trigger: { event: cart.opened, every: 3 } }
            """),
        PlantedCase(
            "parts that grow",
            """
            popups:
              flash:
                trigger: manual
                rollout: { steps: { 2027-01-01: 30, 2027-03-01: 80 }, by: user.id, salt: s }
              winter: { trigger: session, rollout: { range: [60, 100], by: user.id, salt: s } }
            """),
        PlantedCase(
            "days of the week",
            """
            popups:
              flash: { trigger: session, schedule: { days: [mon-wed], zone: UTC }, priority: high }
              winter: { trigger: session, schedule: { days: [wed-fri], zone: UTC } }
            """),
    ]

    static let nearlyColliding = [
        PlantedCase(
            "one of each version",
            """
            limits: [{ max: 1, per: app.version }]
            popups:
              flash: { trigger: { event: cart.opened }, when: 'app.version < version("2.0")' }
              winter: { trigger: { event: search.used }, when: 'app.version >= version("2.0")' }
            """),
        PlantedCase(
            "the caps of two groups, and a delay",
            """
            groups: { offers: { cap: { max: 1, per: 2d } }, others: { cap: { max: 1, per: 2d } } }
            popups:
              flash: { group: offers, trigger: { event: cart.opened }, delay: 5s }
              winter: { group: others, trigger: { event: search.used } }
            """),
        PlantedCase(
            "what a key becomes",
            """
            popups:
              flash: { priority: high, trigger: { changed: user.plan }, when: user.plan == "free" }
              winter: { trigger: { changed: user.plan }, when: user.plan == "pro" }
            """),
        PlantedCase(
            "parts that grow",
            """
            popups:
              flash:
                trigger: session
                rollout: { steps: { 2027-01-01: 30, 2027-03-01: 60 }, by: user.id, salt: s }
              winter: { trigger: session, rollout: { range: [60, 100], by: user.id, salt: s } }
            """),
        PlantedCase(
            "days of the week",
            """
            popups:
              flash: { trigger: session, schedule: { days: [mon-tue], zone: UTC }, priority: high }
              winter: { trigger: session, schedule: { days: [thu-fri], zone: UTC }, max_wait: 1h }
            """),
    ]

    /// Cases in which only the order of files decides whether `flash` or `winter` has priority.
    static let tied = [
        PlantedCase(
            "a start and a session", "popups: { flash: { trigger: [start, manual] } }",
            "popups: { winter: { trigger: session } }"),
        PlantedCase(
            "the priority of a group",
            "groups: { g: { defaults: { priority: 70 } } }\npopups: { flash: { group: g } }",
            "popups: { winter: { priority: 70 } }"),
        PlantedCase(
            "after the same one", "popups: { intro: {}, flash: { priority: 7, after: [intro] } }",
            "popups: { winter: { priority: 7, after: [intro] } }"),
        PlantedCase(
            "what is done with another",
            """
            popups: { intro: {}, flash: { priority: 9, trigger: { popup: intro, action: close } } }
            """,
            "popups: { winter: { priority: 9, trigger: { popup: intro, action: close } } }"),
        PlantedCase(
            "hours of the day",
            "popups: { flash: { schedule: { hours: 08:00-20:00, zone: UTC } } }",
            "popups: { winter: { schedule: { hours: 10:00-22:00, zone: UTC } } }"),
    ]

    static let nearlyTied = [
        PlantedCase(
            "a start and a session", "popups: { flash: { trigger: manual } }",
            "popups: { winter: { trigger: session } }"),
        PlantedCase(
            "the priority of a group",
            "groups: { g: { defaults: { priority: 70 } } }\npopups: { flash: { group: g } }",
            "popups: { winter: { priority: 71 } }"),
        PlantedCase(
            "after the same one", "popups: { intro: {}, flash: { priority: 7, after: [intro] } }",
            "popups: { winter: { priority: 7, after: [intro, flash] } }"),
        PlantedCase(
            "what is done with another",
            """
            popups:
              intro: {}
              second: { priority: low }
              flash: { priority: 9, trigger: { popup: intro, action: close } }
            """,
            "popups: { winter: { priority: 9, trigger: { popup: second, action: close } } }"),
        PlantedCase(
            "hours of the day",
            "popups: { flash: { schedule: { hours: 08:00-12:00, zone: UTC }, max_wait: 1h } }",
            "popups: { winter: { schedule: { hours: 14:00-22:00, zone: UTC }, max_wait: 1h } }"),
    ]
}
