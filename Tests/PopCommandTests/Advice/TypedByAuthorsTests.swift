import PopSource
import Testing

/// Rules that authors typed who wrote rules for the first time, numbered as they reported them, and
/// the messages that they must read.
///
/// A1 to A6, B and D are the numbers of an earlier report.
@Suite struct `A mistake that authors made` {
    struct Typed: Sendable, CustomTestStringConvertible {
        var number: String
        /// The entry under `popups:`.
        var popup: String
        /// The text of one finding: its message, and parts of its help.
        var message: String
        var help: [String] = []

        var testDescription: String { "\(number): \(popup)" }
    }

    static let declared = """
        poprules: 1
        context:
          user.plan: { type: string, values: [free, pro], default: free }
          user.launches: { type: int, default: 0 }
          user.tags: { type: list<string>, default: [] }
          user.joined: { type: timestamp, default: "2026-01-01T00:00:00Z" }
          c.d: { type: bool, default: false }
          a.b: { type: int, default: 0 }
          app.screen: { type: string, default: home }
          app.version: { type: version, default: "1.0" }
        events:
          order.paid: { total: double, currency: string }
        popups:

        """

    @Test(arguments: advice + silent + words + fair + conventions)
    func `gets help that leads to the fix at the first try`(_ typed: Typed) throws {
        let found = try findings(in: typed.popup)
        let meant = found.filter { $0.message == typed.message }
        #expect(meant.count == 1, "\(found.map(\.message))")
        let help = meant.flatMap(\.help).joined(separator: "\n")
        for text in typed.help { #expect(help.contains(text), "\(help)") }
        #expect(found.filter { $0.level == .error && $0.message != typed.message } == [])
    }

    @Test func `with nested and and or is reported in one run (A58)`() throws {
        let found = try findings(in: "p: { when: { and: [{ or: [{ c.d: true }, { a.b: 3 }] }] } }")
        #expect(
            found.map(\.message) == [
                "unknown key `and` in a condition", "unknown key `or` in a condition",
            ])
    }

    @Test func `that occurs twice in one expression is reported twice in one run (C12)`() throws {
        let found = try findings(in: "p: { when: user.plna == 'pro' && user.lanches > 3 }")
        #expect(
            found.map(\.message) == [
                "unknown context key `user.plna`", "unknown context key `user.lanches`",
            ])
    }

    @Test func `is not reported for durations in days, which conditions accept (C7)`() throws {
        let found = try findings(in: #"p: { when: now - user.joined > duration("30d") }"#)
        #expect(found.isEmpty)
    }

    private func findings(in popup: String) throws -> [Diagnostic] {
        let popups = popup.split(separator: "\n").map { "  \($0)\n" }.joined()
        let files = AdvisedFiles(
            name: popup, paths: ["typed.yaml"],
            given: ["typed.yaml": Array((Self.declared + popups).utf8)])
        return try files.read().findings.filter { $0.level != .info }
    }

    // MARK: A

    private static let advice = [
        Typed(
            number: "A1", popup: "p: { when: { any: { user.plan: pro, app.screen: home } } }",
            message: "`any` must be a list, but is a map",
            help: ["`any: [{ user.plan: pro }, { app.screen: home }]`"]),
        Typed(
            number: "A3", popup: #"p:"# + "\n" + #"  when: "user.plan" == "pro""#,
            message: "`user.plan` is in quotes, so it is a string, not a name",
            help: [#"write names without quotes: `when: user.plan == "pro"`"#]),
        Typed(
            number: "A5",
            popup: "p: { schedule: { from: 2027-07-14 18:00, zone: Europe/Berlin } }",
            message: "`from` must be a date such as `2026-11-01` or a time such as"
                + " `2026-11-01T09:00:00+01:00`, but is the string `2027-07-14 18:00`",
            help: ["`2027-07-14T18:00:00+02:00`"]),
        Typed(
            number: "A6", popup: "p: { preempt: true }",
            message: "unknown key `preempt` in a popup",
            help: ["add `switch: latent` to each popup that it must replace"]),
    ]

    // MARK: B

    private static let silent = [
        Typed(
            number: "B3", popup: "p: { rollout: { percent: 0.2, by: app.screen } }",
            message: "0.2 percent is one user in 500",
            help: ["if you mean 20 percent, write `20`"]),
        Typed(
            number: "B3", popup: "p: { rollout: { percent: 20, by: user.plan } }",
            message: "the rollout assigns users by `user.plan`, which has only 2 values",
            help: ["use a key that identifies users, such as the user id"]),
        Typed(
            number: "B5",
            popup: "p: { schedule: { days: [mon], from: 2026-12-08, until: 2026-12-11,"
                + " zone: Europe/Berlin } }",
            message: "no time between `from` and `until` matches `days`, so the popup never"
                + " shows", help: ["change `days`, or move `from` or `until`"]),
        Typed(
            number: "B6",
            popup: "p: { cap: { windows: [{ max: 5, per: 7d }, { max: 9, per: 1d }] } }",
            message: "the cap `max: 9` has no effect", help: ["lower `max: 9` to less than 5"]),
    ]

    // MARK: D

    private static let words = [
        Typed(
            number: "D", popup: "p: { when: user.plan == „pro“ }",
            message: "a string must be in straight quotes (`\"` or `'`)",
            help: [#"`user.plan == "pro"`"#]),
        Typed(
            number: "D", popup: "p: { when: user.plan == ´pro´ }",
            message: "a string must be in straight quotes (`\"` or `'`)",
            help: [#"`user.plan == "pro"`"#]),
        Typed(
            number: "D", popup: #"p: { when: user.plan <> "pro" }"#,
            message: "there is no operator `<>`", help: [#"`user.plan != "pro"`"#]),
        Typed(
            number: "D", popup: "p: { trigger: { event: order.paid, where: event.amount > 3.0 } }",
            message: "`order.paid` has no field `amount`",
            help: ["use one of its fields, `event.total`, `event.currency`"]),
        Typed(
            number: "D", popup: "p: { when: event_count(order.paid) > 3 }",
            message: "`event_count` takes the name of an event in quotes",
            help: [#"`event_count("order.paid") > 3`"#]),
        Typed(
            number: "D", popup: #"p: { when: user.tags.includes("beta") }"#,
            message: "unknown function `includes`", help: [#""beta" in user.tags"#]),
        Typed(
            number: "D", popup: #"p: { when: user.plan.toLowerCase() == "pro" }"#,
            message: "unknown function `toLowerCase`",
            help: [#"`user.plan.lowerAscii() == "pro"`"#]),
        Typed(
            number: "D", popup: "p: { when: user.joined > 2026-01-01 }",
            message: "the date `2026-01-01` without quotes is read as 2026 minus 1 minus 1",
            help: [#"`user.joined > timestamp("2026-01-01T00:00:00Z")`"#]),
        Typed(
            number: "D", popup: #"p: { when: user.joined > "2026-01-01" }"#,
            message: "cannot compare a timestamp with a string",
            help: [#"`user.joined > timestamp("2026-01-01T00:00:00Z")`"#]),
        Typed(
            number: "D", popup: "p: { when: now.hour >= 9 }",
            message: "`now` is a timestamp and has no field `hour`",
            help: [#"`now.getHours("Europe/Berlin")`"#]),
        Typed(
            number: "D", popup: "p: { when: { user.launches: > 3 } }",
            message: "a comparison must be written with a word: `{ gt: 3 }`",
            help: ["write `user.launches: { gt: 3 }`"]),
        Typed(
            number: "D", popup: #"p: { "owner": "growth" "priority": "high" }"#,
            message: #"a comma is missing after `"growth"`"#),
        Typed(
            number: "D", popup: "p: { when: { not: { c.d: true } } }",
            message: "unknown key `not` in a condition", help: ["write `none: [{ c.d: true }]`"]),
        Typed(
            number: "D", popup: "p: { when: a.b between 1 and 3 }",
            message: "there is no operator `between`", help: ["`a.b >= 1 && a.b <= 3`"]),
        Typed(
            number: "D", popup: "p: { when: 1 < a.b < 4 }",
            message: "a value cannot be part of two comparisons, as in `1 < a.b < 4`",
            help: ["`1 < a.b && a.b < 4`"]),
        Typed(
            number: "D", popup: "p: { when: if c.d then true else false }",
            message: "unexpected `if` in a condition", help: ["c.d ? true : false"]),
    ]

    // MARK: Conventions of other tools

    private static let conventions = [
        Typed(
            number: "A9", popup: "p:\n  when: \"user.plan == 'pro'\" && c.d",
            message: "quotes around a part of the condition make that part a string",
            help: ["`when: user.plan == 'pro' && c.d`"]),
        Typed(
            number: "A9", popup: "p: { after: order.paid }",
            message: "`after` must be a list, but is the string `order.paid`",
            help: ["`trigger: { event: order.paid }`"]),
        Typed(
            number: "A12", popup: "p: { variant: a }", message: "unknown key `variant` in a popup",
            help: ["use `experiment` instead"]),
        Typed(
            number: "A12", popup: "p: { gap: 10s }", message: "unknown key `gap` in a popup",
            help: ["move `gap` into a scheduler"]),
        Typed(
            number: "A13", popup: "p: { schedule: { until: 31.12.2026, zone: UTC } }",
            message: "`until` must be a date such as `2026-11-01` or a time such as"
                + " `2026-11-01T09:00:00+01:00`, but is the string `31.12.2026`",
            help: [
                "until the start of 31 December 2026", "the day before is the last day): `2026",
                "until the end of 31 December 2026 (this is the last day): `2027-01-01`",
            ]),
        Typed(
            number: "A55", popup: "p: { frequency_cap: 2 per week }",
            message: "unknown key `frequency_cap` in a popup",
            help: ["`cap: { windows: [{ max: 2, per: 7d }] }`"]),
        Typed(
            number: "A56", popup: "p: { frequency_cap: { limit: 2, period: week } }",
            message: "unknown key `frequency_cap` in a popup",
            help: ["`cap: { windows: [{ max: 2, per: 7d }] }`"]),
        Typed(
            number: "A59", popup: "p: { cap: { max: 2, per: week } }",
            message: "`max` and `per` of a popup's cap belong in `windows`",
            help: ["write `windows: [{ max: 2, per: 7d }]`"]),
        Typed(
            number: "A57", popup: "p: { when: [{ field: user.plan, op: eq, value: pro }] }",
            message: "unknown key `field` in a condition", help: ["write `{ user.plan: pro }`"]),
        Typed(
            number: "A57", popup: "p: { when: { key: a.b, operator: \">\", value: 3 } }",
            message: "unknown key `key` in a condition", help: ["write `{ a.b: { gt: 3 } }`"]),
        Typed(
            number: "A77",
            popup: "p: { when: { operator: or, conditions: [{ c.d: true }, { a.b: 3 }] } }",
            message: "unknown key `operator` in a condition",
            help: ["write `any: [{ c.d: true }, { a.b: 3 }]`"]),
        Typed(
            number: "A81", popup: "p: { when: 'semver(app.version) >= \"3.1\"' }",
            message: "unknown function `semver`",
            help: ["app.version >= version(\"3.1\")"]),
        Typed(
            number: "A79", popup: "p: { when: 'shown(\"p\") < 3' }",
            message: "unknown function `shown`", help: ["popups.p.shown_count < 3"]),
        Typed(
            number: "A97",
            popup:
                "p: { rollout: { steps: { 2027-05-03: 0.05, 2027-05-10: 100 }, by: user.plan } }",
            message: "0.05 percent is one user in 2000",
            help: ["if you mean 5 percent, write `5`"]),
    ]

    // MARK: Fair ones under D

    private static let fair = [
        Typed(
            number: "fair", popup: "p: { prio: high }", message: "unknown key `prio` in a popup",
            help: ["`priority`"]),
        Typed(
            number: "fair", popup: "p: { cap: { every: 7 } }",
            message: "`every` must be a duration such as `30s`, but is the number `7`",
            help: ["if you mean 7 days: `7d`"]),
        Typed(
            number: "fair", popup: "p:\n  priority: high#important",
            message: "a comment needs a space before its `#`",
            help: ["write `high # important`"]),
        Typed(
            number: "fair", popup: "p:\n  trigger: event: order.paid",
            message: "the value of `trigger` is neither a map nor a string",
            help: ["`trigger: { event: order.paid }`"]),
        Typed(
            number: "fair", popup: #"p: { when: user.tags == "beta" }"#,
            message: "cannot compare a list<string> with a string", help: [#""beta" in user.tags"#]),
        Typed(
            number: "fair", popup: "p: { schedule: { hours: 9am-9pm, zone: Europe/Berlin } }",
            message: "`hours` must be two times of day such as `09:00-21:00`, but is the string"
                + " `9am-9pm`", help: ["write `09:00-21:00`"]),
        Typed(
            number: "fair", popup: "p: { hide_after: PT5S }",
            message: "`hide_after` must be a duration such as `30s`, but is the string `PT5S`",
            help: ["write `5s`"]),
    ]
}
