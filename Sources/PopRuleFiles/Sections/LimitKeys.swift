internal import PopSource
internal import PopYAML

extension Table<CapModel> {
    static let cap = Table(
        "a popup's cap",
        [
            Key(
                "lifetime", .integer(1...1_000_000), { $0.lifetime = $1 },
                alsoCalled: ["total", "ever"],
                "how often it is shown at all"),
            Key(
                "per_session", .integer(1...1_000_000), { $0.perSession = $1 },
                alsoCalled: ["session"],
                "how often it is shown in one session"),
            Key(
                "every", .duration(atLeast: 1), { $0.every = $1 },
                alsoCalled: ["cooldown", "interval", "gap"],
                "the time in which it is shown once at most"),
            Key(
                "windows", .list(of: .windowCap, minimum: 1), { $0.windows = $1 },
                alsoCalled: ["window"] + periods.keys,
                holds: ["max", "per"],
                "how often it is shown in periods, such as `[{ max: 2, per: 7d }]`"
            ).such(as: "[{ max: 1, per: 1d }]")
                .such(as: periods.mapValues { "[{ max: #, per: \($0) }]" }),
        ], rules: [.anyOf(["lifetime", "per_session", "every", "windows"])])
}

/// Periods as people name them, as they are written here.
private let periods = [
    "per_hour": "1h", "per_day": "1d", "per_week": "7d", "per_month": "30d",
    "hourly": "1h", "daily": "1d", "weekly": "7d", "monthly": "30d",
]

extension Format<CapModel> {
    static var cap: Self {
        let table = Self.table(.cap, startingWith: CapModel(), mayBeEmpty: false)
        return Format(table.schema) { node, decoder in
            guard let text = node.scalar?.text, let help = helpWithCap(text) else {
                return table.read(node, &decoder)
            }
            return decoder.mismatch(table.schema, node, help: help)
        }
    }
}

/// What a number alone may mean, or one with a period such as `2 per week`.
private func helpWithCap(_ text: String) -> [String]? {
    let words = text.split { " /".contains($0) }
    guard let number = words.first.flatMap({ Int($0) }), number > 0 else { return nil }
    if words.count > 1, let period = words.last.flatMap({ calendarWords[String($0)] }) {
        return ["write `cap: { windows: [{ max: \(number), per: \(period) }] }`"]
    }
    guard words.count == 1 else { return nil }
    let times = number == 1 ? "once" : "\(number) times"
    return [
        "`cap: { lifetime: \(number) }` is \(times) in all",
        "`cap: { per_session: \(number) }` is \(times) in each session",
        "`cap: { windows: [{ max: \(number), per: 1d }] }` is \(times) in a day",
    ]
}

extension Table<RolloutModel> {
    static let rollout = Table(
        "a rollout",
        [
            Key(
                "percent", .number(0...100), { $0.percent = $1 },
                alsoCalled: ["percentage", "share"],
                "how many of a hundred users see the popup"
            ).required,
            Key(
                "by", .reference(to: "context key"), { $0.by = $1 },
                alsoCalled: ["key", "user", "on"],
                "the context key that tells users apart"
            ).required,
            Key(
                "salt", .text, { $0.salt = $1 }, alsoCalled: ["seed"],
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
                "from", .bound, { $0.from = $1 },
                alsoCalled: ["start", "begin", "starts", "since"],
                "when it may show for the first time"),
            Key(
                "until", .bound, { $0.until = $1 }, alsoCalled: ["to", "end", "ends", "expires"],
                "from when on it may not show any more"),
            Key(
                "days", .dayList, { $0.days = $1 }, alsoCalled: ["day", "weekdays"],
                "the days of the week"),
            Key(
                "hours", .hours, { $0.hours = $1 }, alsoCalled: ["hour", "times"],
                "the part of the day"),
            Key(
                "zone", .zone, { $0.zone = $1 }, alsoCalled: ["timezone", "time_zone", "tz"],
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
            decoder.schedule = node
            defer { decoder.schedule = nil }
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
