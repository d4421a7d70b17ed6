/// Parts that separate `flash` and `winter` in addition to their conditions on users, and parts
/// that only seem to.
enum PlantedParts {
    static let faults = [
        PlantedCase(
            "one part within the other",
            """
            popups:
              flash: { priority: high, rollout: { percent: 20, by: user.id, salt: sale } }
              winter: { rollout: { percent: 50, by: user.id, salt: sale } }
            """),
        PlantedCase(
            "parts of two salts",
            """
            popups:
              flash: { priority: high, rollout: { range: [0, 50], by: user.id, salt: flash } }
              winter: { rollout: { range: [50, 100], by: user.id, salt: winter } }
            """),
        PlantedCase(
            "parts by two keys",
            """
            context: { device.id: { type: string, default: phone } }
            popups:
              flash: { priority: high, rollout: { range: [0, 50], by: user.id, salt: sale } }
              winter: { rollout: { range: [50, 100], by: device.id, salt: sale } }
            """),
        PlantedCase(
            "who takes no part sees both",
            """
            layers: { offers: { by: user.id, salt: l-1 } }
            popups:
              flash:
                priority: high
                experiment: { layer: offers, range: [0, 50], variants: { short: {}, long: {} } }
              winter:
                experiment: { layer: offers, range: [50, 100], variants: { short: {}, long: {} } }
            """),
        PlantedCase(
            "one experiment of both",
            """
            experiments:
              tone: { by: user.id, salt: t-1, control: 50, variants: { short: 1, long: 1 } }
            popups:
              flash: { priority: high, experiment: { of: tone, variants: { short: {} } } }
              winter: { experiment: { of: tone, variants: { long: {} } } }
            """),
        PlantedCase(
            "a variant of two",
            """
            popups:
              ask: { experiment: { by: user.id, variants: { short: {}, long: {} } } }
              flash:
                trigger: { event: cart.opened }
                priority: high
                when: popups.ask.variant == "short"
              winter: { trigger: { event: cart.opened }, when: popups.ask.variant != "long" }
            """),
        PlantedCase(
            "variants of two experiments",
            """
            popups:
              ask: { experiment: { by: user.id, variants: { short: {}, long: {} } } }
              query: { experiment: { by: user.id, variants: { short: {}, long: {} } } }
              flash:
                trigger: { event: cart.opened }
                priority: high
                when: popups.ask.variant == "short"
              winter: { trigger: { event: cart.opened }, when: popups.query.variant == "long" }
            """),
        PlantedCase(
            "another one between them",
            """
            popups:
              flash: { priority: very_high }
              between: { priority: high }
              winter: {}
            """),
        PlantedCase(
            "another one between them for some time",
            """
            popups:
              flash: { trigger: { event: search.used }, priority: very_high }
              between: { trigger: { event: search.used }, priority: high, min_show: 10s }
              winter: { trigger: { event: search.used }, when: user.plan == "pro" }
            """),
        PlantedCase(
            "a cap that three share",
            """
            groups: { sale: { cap: { max: 2, per: 7d } } }
            popups:
              flash: { group: sale, priority: very_high }
              between: { group: sale, priority: high }
              winter: { group: sale }
            """),
        PlantedCase(
            "after the same one",
            """
            popups:
              ask: { priority: very_high }
              flash: { after: [ask], priority: high }
              winter: { after: [ask] }
            """),
        PlantedCase(
            "hours that overlap",
            """
            popups:
              flash: { priority: high, schedule: { hours: 09:00-12:00, zone: UTC } }
              winter: { schedule: { hours: 11:00-14:00, zone: UTC } }
            """),
        PlantedCase(
            "dates that overlap",
            """
            popups:
              flash: { priority: high, schedule: { until: 2026-12-24 } }
              winter: { schedule: { from: 2026-12-20 } }
            """),
        PlantedCase(
            "one trigger of several",
            """
            popups:
              flash: { priority: high, trigger: [session, { event: search.used }] }
              winter: { trigger: [{ event: cart.opened }, { event: search.used }] }
            """),
        PlantedCase(
            "lists",
            """
            context: { user.tags: { type: list<string>, default: [] } }
            popups:
              flash: { priority: high, when: '"beta" in user.tags' }
              winter: { when: size(user.tags) > 2 }
            """),
    ]

    static let nearMisses = [
        PlantedCase(
            "percent and the rest",
            """
            popups:
              flash: { priority: high, rollout: { percent: 30, by: user.id, salt: sale } }
              winter: { rollout: { range: [30, 100], by: user.id, salt: sale } }
            """),
        PlantedCase(
            "thirds",
            """
            popups:
              flash: { priority: high, rollout: { range: [0, 33], by: user.id, salt: sale } }
              between:
                priority: high
                rollout: { range: [33, 66], by: user.id, salt: sale }
              winter: { rollout: { range: [66, 100], by: user.id, salt: sale } }
            """),
        PlantedCase(
            "variants of one experiment at two popups",
            """
            experiments:
              tone: { by: user.id, salt: t-1, variants: { short: 1, long: 1 } }
            popups:
              ask: { experiment: { of: tone, variants: { short: {}, long: {} } } }
              query: { experiment: { of: tone, variants: { short: {}, long: {} } } }
              flash:
                trigger: { event: cart.opened }
                priority: high
                when: popups.ask.variant == "short"
              winter: { trigger: { event: cart.opened }, when: popups.query.variant == "long" }
            """),
        PlantedCase(
            "ranges of a layer",
            """
            layers: { offers: { by: user.id, salt: l-1 } }
            popups:
              ask: { experiment: { layer: offers, range: [0, 50], variants: { short: {} } } }
              query: { experiment: { layer: offers, range: [50, 100], variants: { short: {} } } }
              flash:
                trigger: { event: cart.opened }
                priority: high
                when: popups.ask.variant == "short"
              winter: { trigger: { event: cart.opened }, when: popups.query.variant == "short" }
            """),
        PlantedCase(
            "steps and the rest",
            """
            popups:
              flash:
                priority: high
                rollout: { steps: { 2026-01-10: 5, 2026-02-01: 50 }, by: user.id, salt: sale }
              winter: { rollout: { range: [50, 100], by: user.id, salt: sale } }
            """),
        PlantedCase(
            "control and a variant",
            """
            popups:
              ask: { experiment: { by: user.id, control: 50, variants: { short: {} } } }
              flash:
                trigger: { event: cart.opened }
                priority: high
                when: popups.ask.variant == "control"
              winter: { trigger: { event: cart.opened }, when: popups.ask.variant == "short" }
            """),
        PlantedCase(
            "versions before and after",
            """
            popups:
              flash:
                priority: high
                when: app.version >= version("2.0") && app.version < version("3.0")
              winter: { when: app.version < version("2.0") || app.version >= version("3.0") }
            """),
        PlantedCase(
            "languages by their form",
            """
            popups:
              flash: { priority: high, when: 'app.language.matches("^de(-|$)")' }
              winter: { when: 'app.language.matches("^(en|fr)")' }
            """),
        PlantedCase(
            "days of the week",
            """
            popups:
              flash:
                priority: high
                untriggered: discard
                schedule: { days: [mon-wed], zone: UTC }
              winter: { untriggered: discard, schedule: { days: [thu-sun], zone: UTC } }
            """),
        PlantedCase(
            "screens that are left",
            """
            popups:
              flash:
                priority: high
                when: app.screen == "home"
                dismiss_when: app.screen != "home"
              winter: { when: app.screen == "cart" }
            """),
        PlantedCase(
            "one after the other",
            """
            popups:
              flash: { priority: high }
              winter: { after: [flash] }
            """),
        PlantedCase(
            "with and without a value",
            """
            context: { user.trial: timestamp }
            popups:
              flash: { priority: high, when: has(user.trial) }
              winter: { when: "!has(user.trial)" }
            """),
        PlantedCase(
            "lists without it",
            """
            context: { user.tags: { type: list<string>, default: [] } }
            popups:
              flash: { priority: high, when: '"beta" in user.tags' }
              winter: { when: 'user.tags.all(tag, tag != "beta")' }
            """),
        PlantedCase(
            "named conditions",
            """
            conditions:
              paying: user.plan in ["pro", "team"]
              near: user.country in ["DE", "AT"]
            popups:
              flash: { priority: high, when: { any: [paying, near] } }
              winter: { when: { none: [paying, near] } }
            """),
        PlantedCase(
            "a cap that is wide enough",
            """
            groups: { sale: { cap: { max: 2, per: 7d } } }
            popups:
              flash: { group: sale, trigger: { event: search.used }, cap: { lifetime: 1 } }
              winter:
                group: sale
                scheduler: toast
                trigger: { event: cart.opened }
                cap: { lifetime: 1 }
            """),
        PlantedCase(
            "the cap of another screen",
            """
            limits: [{ max: 1, per: 1d, schedulers: [main] }]
            popups:
              flash: { trigger: { event: search.used } }
              winter: { scheduler: toast, trigger: { event: cart.opened } }
            """),
        PlantedCase(
            "by what was done with it",
            """
            popups:
              flash: { priority: high }
              winter: { trigger: { popup: flash, action: close } }
            """),
        PlantedCase(
            "moments",
            """
            popups:
              flash: { priority: high, when: 'now < timestamp("2026-12-01T00:00:00Z")' }
              winter: { when: 'now >= timestamp("2026-12-01T00:00:00Z")' }
            """),
    ]
}
