import PopRuleFiles
import PopScheduler
import PopSource

/// Writes rule files from decisions: names are known and values fit, but for one in many.
struct RuleText {
    var dice: SeededGenerator
    private let mostPopups: Int
    /// Names to replace, each with an odd name, so that writers have to quote them.
    private let names: [(name: String, odd: String)]

    init(_ bytes: [UInt8], mostPopups: Int = 6) {
        dice = SeededGenerator(bytes: bytes)
        self.mostPopups = mostPopups
        // The same for rule sets that are made of as many decisions.
        var naming = SeededGenerator(seed: UInt64(bytes.count))
        var odd = Self.oddNames
        names = Self.replacedNames.compactMap { name in
            naming.isLucky(30) ? (name, odd.remove(at: naming.roll(odd.count))) : nil
        }
    }

    private static let replacedNames = ["p0", "p1", "side", "accept"]
    private static let oddNames = ["off", "No", "y", "_", "NULL", "tests", "e3", "persona"]

    private static let keys = [
        "flag", "count", "user.plan", "user.tags", "limits", "since", "ratio",
    ]
    private static let durations = ["0s", "1s", "250ms", "5s", "1m30s", "2h", "1d", "7d"]
    private static let conditions = [
        "flag", "!flag", "count > 1", "count != 2 && flag", "c0", "!c1", "c2 || flag",
        "user.plan == \"pro\"", "user.plan in [\"free\", \"pro\"]", "\"a\" in user.tags",
        "user.tags.exists(t, t.startsWith(\"b\"))", "size(user.tags) < count", "has(since)",
        "limits[\"a\"] > count", "has(limits.a) && limits.a == 1", "now > session.started",
        "since + duration(\"36h\") < now", "popups.p0.shown_count < 2",
        "popups.p1.last_reason == \"USER_CLOSED\"", "event_count(\"e\") > 1",
        "event_count(\"e\", duration(\"1h\")) < 2", "last_event(\"f\") < now",
        "since(\"e\") > duration(\"1h\")", "event_sum(\"e\", \"x\", duration(\"1h\")) > 2",
        "user.plan.matches(\"^p.*o$\")", "ratio * 2.0 > double(count)", "count / 0 == 1",
        "now.getDayOfWeek(\"Europe/Berlin\") == 1", "true", "false", "unknown", "count",
    ]
    private static let structured = [
        "{ flag: true }", "{ count: { gte: 2, lt: 9 } }", "[c0, flag]",
        "{ any: [flag, { user.plan: pro }] }", "{ none: [c1], all: [c0, { count: { ne: 3 } }] }",
        "{ user.tags: { contains: a } }", "{ user.plan: { in: [free, pro] } }",
        "{ since: { exists: false } }", "{ user.plan: { matches: \"^a|b$\" } }", "{}", "[]",
    ]
    private static let contents = [
        "{ title: x }", "{ a: [1, 2.0, { b: ~ }], \"é\": \"\\u0007\" }",
        "{ title: \"{{user.plan | you}}, {{event.x}}\" }", "{ title: { en: x, de_CH: y } }",
        "{ title: { fr: \"{{ratio}}\" }, link: myapp://x }", "{ title: now, later, link: {{x}} }",
    ]
    private static let odd = [
        "~", "[]", "{}", "-1", "\"\"", "1e999", "99999999999999999999", "*x", "!t x", "'a",
        "\"\\u202e\"", "é", "0x10", "{ a: }", "1 # x",
    ]

    /// Returns one of some strings, or rarely a string that doesn't belong there.
    private mutating func fitting(_ texts: [String]) -> String {
        dice.roll(120) == 119 ? dice.pick(Self.odd) : dice.pick(texts)
    }

    private mutating func condition() -> String {
        guard dice.isLucky(75) else { return fitting(Self.structured) }
        var text = dice.pick(Self.conditions)
        while dice.isLucky(35) {
            text = "(\(text)) \(dice.pick(["&&", "||"])) (\(dice.pick(Self.conditions)))"
        }
        return "'\(text)'"
    }

    private mutating func duration() -> String { fitting(Self.durations) }

    private mutating func cap() -> String {
        let others = [
            "calendar_day", "calendar_week", "session", "user.plan", "user.tags", "count",
        ]
        let per = fitting(Self.durations.dropFirst() + others)
        return "{ max: \(1 + dice.roll(3)), per: \(per) }"
    }

    mutating func declarations() -> String {
        var text = "poprules: 1\nschedulers:\n"
        for lane in ["main", "side"].prefix(1 + dice.roll(2)) {
            text += "  \(lane):\n    strategy: \(fitting(["priority", "fifo", "lifo"]))\n"
            if dice.isLucky(40) { text += "    tie_break: \(fitting(["fifo", "lifo"]))\n" }
            if dice.isLucky(40) { text += "    gap: \(fitting(["1s", "[1s, 3s]", "[0s, 0s]"]))\n" }
            if dice.isLucky(30) { text += "    max_waiting: \(dice.roll(4))\n" }
            if dice.isLucky(30) { text += "    cap: \(cap())\n" }
        }
        text += """
            context:
              flag: { type: bool, default: \(fitting(["true", "false"])) }
              count: { type: int, default: \(dice.roll(5)), min: 0 }
              user.plan: { type: string, values: [free, pro], default: \(fitting(["free", "pro"])) }
              user.tags: list<string>
              limits: { type: "map<string, int>", default: \(fitting(["{}", "{ a: 1 }"])) }
              since: timestamp
              ratio: { type: double, default: 0.5 }
            events: { e: { x: int, s: string }, f: {} }
            locales: { key: user.plan, required: [en, \(fitting(["de", "zh-Hant"]))], fallback: en }
            templates:
              plain: { optional: { title: string, link: string } }
              card:
                required: { title: { type: string, max: \(1 + dice.roll(5)), localized: true } }
                optional: { link: { type: string, format: \(fitting(["url", "email", "date"])) } }
                actions: [accept, { never: { refusal: \(fitting(["true", "false"])) } }]
            conditions:
              c0: \(condition())
              c1: \(condition())
              c2: \(condition())
            groups:
              g: { when: \(condition()), cap: \(cap()) }

            """
        return named(text)
    }

    mutating func popups() -> String {
        var text = "poprules: 1\npopups:\n"
        for number in 0..<1 + dice.roll(mostPopups) {
            text += "  p\(number):\n"
            let count = dice.roll(10)
            var rest = Array(Key.allCases)
            for _ in 0..<count {
                let key = rest.remove(at: dice.roll(rest.count))
                text += "    \(key.rawValue): \(value(of: key))\n"
            }
            if count == 0 { text += "    priority: 3\n" }
        }
        return named(text)
    }

    private func named(_ text: String) -> String {
        names.reduce(text) { text, name in
            text.replacing("popups.\(name.name).", with: "popups.\(name.odd).")
                .replacing(name.name, with: "\"\(name.odd)\"")
        }
    }
}

extension RuleText {
    /// Rules made of decisions; nil when they have an error.
    static func rules(_ bytes: [UInt8], mostPopups: Int) -> RuleSet? {
        var text = RuleText(bytes, mostPopups: mostPopups)
        let sources = Findings.sources(
            ("app.yaml", Array(text.declarations().utf8)),
            ("popups.yaml", Array(text.popups().utf8)))
        return try? RuleSet.check(sources).get()
    }

    /// Files with a popup each, made of the one that `popups` writes.
    static func divided(_ popups: String) -> [String] {
        var files: [String] = []
        for line in popups.split(separator: "\n").dropFirst(2) {
            if !line.hasPrefix("   ") { files.append("poprules: 1\npopups:\n") }
            files[files.count - 1] += "\(line)\n"
        }
        return files
    }
}

extension RuleText {
    private enum Key: String, CaseIterable {
        case scheduler, group, priority, trigger, when, untriggered, after, delay, grace, cap
        case `switch`, minShow = "min_show", hideAfter = "hide_after", maxWait = "max_wait"
        case dismissWhen = "dismiss_when", schedule, rollout, content, template, examples, enabled,
            goals
    }

    private mutating func value(of key: Key) -> String {
        switch key {
        case .scheduler: fitting(["main", "side", "main"])
        case .group: fitting(["g"])
        case .priority: fitting(["low", "high", "100", "5", "-3", "very_high"])
        case .trigger: trigger()
        case .when, .dismissWhen: condition()
        case .untriggered: fitting(["await", "discard"])
        case .after:
            fitting([
                "[p0]", "[p1]", "[p2, p3]", "[{ popup: p0, action: accept, since: 1d }]",
                "[{ popup: p1, since: 5s }]",
            ])
        case .delay: dice.roll(4) == 0 ? "[\(duration()), \(duration())]" : duration()
        case .grace, .minShow, .hideAfter, .maxWait: duration()
        case .cap: caps()
        case .switch: fitting(["await", "latent", "discard"])
        case .schedule: schedule()
        case .rollout: "{ \(share()), by: user.plan, salt: \(fitting(["a", "b"])) }"
        case .content: fitting(Self.contents)
        case .template: fitting(["card", "plain"])
        case .examples: fitting(["{ match: [{ flag: true }], no_match: [{ count: 9 }] }", "{}"])
        case .goals:
            fitting([
                "[{ name: a, event: e, where: event.x > 1, within: 5s, ends: true }]",
                "[{ name: a, event: f, within: 1h }, { name: b, event: e, within: 1s, ends: 9s }]",
            ])
        case .enabled: fitting(["true", "false"])
        }
    }

    private mutating func share() -> String {
        fitting([
            "percent: \(dice.roll(101))", "range: [\(dice.roll(60)), \(40 + dice.roll(61))]",
            "steps: { 2026-11-0\(1 + dice.roll(9)): \(dice.roll(101)), 2027-01-01: 100 }",
        ])
    }

    private mutating func trigger() -> String {
        let filter = fitting(["event.x > 1", "event.s == \"a\" || flag", "event.x / 0 > 1"])
        return fitting([
            "start", "manual", "{ event: f }", "{ changed: \(dice.pick(Self.keys)) }",
            "{ event: e, where: '\(filter)', every: 2 }", "{ event: e, nth: 2 }",
            "[start, { event: e }, { changed: count }]", "{ popup: p0, action: accept }",
            "[start, { popup: p1, action: close }]",
        ])
    }

    private mutating func caps() -> String {
        fitting([
            "{ lifetime: \(1 + dice.roll(3)) }", "{ per_session: 1, every: \(duration()) }",
            "{ windows: [\(cap()), \(cap())] }", "{ every: 1m, lifetime: 5 }",
            "{ closes: 2, after_close: \(duration()) }", "{ closes: { max: 1, per: count } }",
        ])
    }

    private mutating func schedule() -> String {
        fitting([
            "{ from: 2026-10-01, until: 2026-12-01T00:00:00+01:00, zone: Europe/Berlin }",
            "{ days: [mon-fri], hours: 09:00-21:00, zone: Europe/Berlin }",
            "{ days: [sat-sun, wed], hours: 22:00-02:00, zone: America/New_York }",
            "{ hours: 02:00-03:00, zone: Australia/Lord_Howe }", "{ until: 2026-10-26T14:00:00Z }",
            "{ from: 2026-10-26T13:00, until: 2026-10-27, zone: local }",
            "[{ days: [mon], zone: user.plan }, { hours: 10:00-15:00, zone: UTC, when: flag }]",
        ])
    }
}
