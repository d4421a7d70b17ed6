internal import PopSource
internal import PopYAML

extension Table<CapModel> {
    static let cap = Table(
        "a popup's cap",
        [
            Key(
                "lifetime", .integer(1...1_000_000), \.lifetime, alsoCalled: ["total", "ever"],
                "how often it is shown at all"),
            Key(
                "per_session", .integer(1...1_000_000), \.perSession, alsoCalled: ["session"],
                "how often it is shown in one session"),
            Key(
                "every", .duration(atLeast: 1), \.every,
                alsoCalled: ["cooldown", "interval", "gap"],
                "the time in which it is shown once at most"),
            Key(
                "windows", .list(of: .windowCap, minimum: 1), \.windows,
                alsoCalled: [
                    "window", "per_hour", "per_day", "per_week", "per_month", "hourly", "daily",
                    "weekly", "monthly",
                ],
                holds: ["max", "per"],
                "how often it is shown in periods, such as `[{ max: 2, per: 7d }]`"
            ).such(as: "[{ max: 1, per: 1d }]"),
        ], rules: [.anyOf(["lifetime", "per_session", "every", "windows"])])
}

extension Format<CapModel> {
    static var cap: Self {
        .table(.cap, startingWith: CapModel(), mayBeEmpty: false)
    }
}

extension Table<RolloutModel> {
    static let rollout = Table(
        "a rollout",
        [
            Key(
                "percent", .number(0...100), \.percent, alsoCalled: ["percentage", "share"],
                "how many of a hundred users see the popup"
            ).required,
            Key(
                "by", .reference(to: "context key"), \.by, alsoCalled: ["key", "user", "on"],
                "the context key that tells users apart"
            ).required,
            Key(
                "salt", .text, \.salt, alsoCalled: ["seed"],
                "a word whose change draws other users; the popup's id when there is none"),
        ])
}

extension Format<RolloutModel> {
    static var rollout: Self { .table(.rollout, startingWith: RolloutModel()) }
}

extension Table<ScheduleModel> {
    static let schedule = Table(
        "a schedule",
        [
            Key(
                "from", .bound, \.from, alsoCalled: ["start", "begin", "starts", "since"],
                "when it may show for the first time"),
            Key(
                "until", .bound, \.until, alsoCalled: ["to", "end", "ends", "expires"],
                "from when on it may not show any more"),
            Key(
                "days", .dayList, \.days, alsoCalled: ["day", "weekdays"],
                "the days of the week"),
            Key("hours", .hours, \.hours, alsoCalled: ["hour", "times"], "the part of the day"),
            Key(
                "zone", .zone, \.zone, alsoCalled: ["timezone", "time_zone", "tz"],
                "the time zone of all of these"),
        ], rules: [.anyOf(["from", "until", "days", "hours"])])
}

extension Format<ScheduleModel> {
    static var schedule: Self {
        let table = Self.table(.schedule, startingWith: ScheduleModel(), mayBeEmpty: false)
        return Format(table.schema) { node, decoder in
            if let zone = node.entries.first?.key, node.entries.count == 1,
                zone.scalar?.hasText("zone") == true
            {
                decoder.report(.onlyZone(at: zone.range))
            }
            return table.read(node, &decoder)
        }
    }
}

extension Diagnostic {
    fileprivate static func onlyZone(at range: SourceRange) -> Self {
        Diagnostic(
            .schemaMissingKey, "the schedule has a `zone` but no times", at: range,
            label: "says nothing alone",
            help: ["write `from`, `until`, `days` or `hours` too, or remove the schedule"])
    }
}
