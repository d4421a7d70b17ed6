import PopTestSupport

/// A rule file with one line for each entry, and the edits to it.
struct RandomRuleFile {
    /// The entries of each section, by name.
    var sections: [String: [String]] = [:]
    /// Lines in front of everything.
    var comments = 0
    /// True if the file ends in text that isn't valid YAML.
    var isBroken = false

    var text: String {
        var text = String(repeating: "# A comment.\n", count: comments) + "poprules: 1\n"
        for name in RuleWriter.sections where sections[name]?.isEmpty == false {
            text += "\(name):\n" + (sections[name] ?? []).map { "  \($0)\n" }.joined()
        }
        return text + (isBroken ? "groups: [\n  }: *x\n" : "")
    }
}

/// Writes entries of rule files from few names, so that many are defined twice, mentioned before
/// they are there or used in a circle.
struct RuleWriter {
    static let sections = [
        "schedulers", "context", "events", "locales", "templates", "conditions", "groups",
        "defaults", "popups",
        "limits", "holdout", "layers", "experiments",
    ]

    private var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }

    mutating func one<Element>(_ elements: [Element]) -> Element {
        elements[number(0..<elements.count)]
    }

    mutating func happens(oneIn count: Int) -> Bool { number(0..<count) == 0 }

    mutating func file() -> RandomRuleFile {
        var file = RandomRuleFile()
        for _ in 0..<number(1..<10) { add(to: &file) }
        return file
    }

    mutating func add(to file: inout RandomRuleFile) {
        let section = one(Self.sections + ["context", "conditions", "popups", "popups", "popups"])
        let line = entry(section)
        // YAML takes no name twice in one map.
        let name = line.prefix { $0 != ":" } + ":"
        if (file.sections[section] ?? []).contains(where: { $0.hasPrefix(name) }) { return }
        file.sections[section, default: []].append(line)
    }

    mutating func entry(_ section: String) -> String {
        switch section {
        case "schedulers": "\(one(["main", "toast", "side"])): { strategy: fifo }"
        case "context": "\(one(keys)): \(type())"
        case "events": "\(one(["bought", "order.paid", "app.screen"])): \(fields())"
        case "locales":
            one([
                "key: user.plan", "key: user.age", "required: [en]", "required: [de, en]",
                "fallback: en",
            ])
        case "holdout": one(["percent: 5", "by: user.plan", "by: user.age", "salt: h"])
        case "layers": "\(one(["l", "m"])): { by: \(one(["user.plan", "user.tags"])) }"
        case "experiments":
            "\(one(["x", "y"])): { \(division()), variants: { \(one(["short: 1", "a: 1, long: 2"])) } }"
        case "templates":
            "\(one(["sheet", "card"])): { required: \(contentFields()), optional: \(fields()),"
                + " actions: [\(one(actions)), \(one(["no", "later"]))] }"
        case "conditions": "\(one(conditions)): \(condition())"
        case "groups":
            "\(one(["g", "h"])): "
                + one([
                    "{}", "{ when: \(condition()) }", "{ cap: \(cap()) }",
                    "{ defaults: { \(one(["template: card", "priority: 7", "when: c1"])) } }",
                ])
        case "defaults":
            one(["template: sheet", "when: \(condition())", "group: g", "switch: latent"])
        case "limits": "- { max: 1, per: \(period()), schedulers: [\(one(["main", "side"]))] }"
        default: "\(one(popups)): { \(popup()) }"
        }
    }

    private let keys = [
        "user.plan", "user.plan", "user.age", "user.age", "user.tags", "app.screen", "user", "ends",
        "user.plam", "c1", "schedule.open",
    ]
    private let actions = ["accept", "later", "acept", "close"]
    private let conditions = ["c1", "c2", "c3", "c4", "user.c5"]
    private let popups = ["p1", "p2", "p3", "p4", "p5", "p6", "q"]

    private mutating func type() -> String {
        one([
            "string", "int", "bool", "timestamp", "list<string>", "strin",
            "{ type: string, default: free }", "{ type: string, values: [free, pro] }",
            "{ type: string, values: [free, team], default: free }",
            "{ type: int, default: 0 }", "{ type: int, min: 1, max: 9, default: 3 }",
            "{ type: bool, default: false }", "{ type: timestamp }",
            #"{ type: version, default: "1.2", momentary: true }"#,
        ])
    }

    private mutating func fields() -> String {
        one(["{}", "{ title: string }", "{ total: double }", "{ total: int, title: string }"])
    }

    private mutating func contentFields() -> String {
        one([
            fields(), "{ title: { type: string, localized: true } }",
            "{ title: { type: string, max: 3 } }", "{ title: { type: string, values: [t, u] } }",
            "{ title: { type: string, format: url } }",
        ])
    }

    private mutating func condition() -> String {
        switch number(0..<10) {
        case 0, 1: mapCondition()
        case 2: "'\(one(["", "has(ends) && ", "!"]))\(one(["c1", "c2", "c3", "c4"]))'"
        case 3: "'\(one(["c1", "c2", "c3"])) && \(one(["c2", "c3", "c4"]))'"
        case 4:
            one([
                "'popups.p1.variant == \"short\"'", "'popups.p2.exposed_count > 0'",
                "'ends > now'", "'has(ends)'", "'user.plan == \"pro\"'", "'user.age > 3'",
            ])
        case 5, 6: "'\(question())\(one([" && ", " || "]))\(question())'"
        default: "'\(question())'"
        }
    }

    private mutating func mapCondition() -> String {
        one([
            "{ user.plan: pro }", "{ user.plan: pro, user.age: { gt: 3 } }",
            "{ any: [{ c2: true }, { user.age: 4 }] }", "{ user.plan: pro, team }",
            "{ app.screen: [home, map] }", "{ none: [c3] }", "true",
        ])
    }

    private mutating func question() -> String {
        one([
            #"user.plan == "pro""#, #"user.plan == "team""#, #"has(user.plan) && user.plan != "x""#,
            "user.age > 3", "user.age == 12", "has(ends)", "ends > now", "c1", "!c2", "c3", "c4",
            "user.c5", "user.c6", #"event_count("bought") > 1"#, #"last_event("order.paid") < now"#,
            #"since("bought") > duration("1h")"#, #"since("bougt") < duration("1d")"#,
            #"event_sum("bought", "total", duration("1d")) > 3"#,
            #"event_sum("order.paid", "title", duration("1d")) < 2.5"#,
            "!schedule.open", #"user.age >= version("1.9")"#,
            #"event_count("bougt") > 1"#, "popups.p1.shown_count > 2", "has(popups.p2.last_shown)",
            #"user.tags.exists(t, t == "a")"#, #"app.screen in ["home", "map"]"#,
            "user.plan is pro",
            #"acted("\#(one(popups))", "\#(one(actions))") > 1"#,
            #"popups.p1.last_action == "accept""#, "popups.\(one(popups)).converted", "user.plna",
            "app.screen",
            "popup.p9.shown_count == 0", "true",
        ])
    }

    private mutating func popup() -> String {
        var lines: [String] = []
        for _ in 0..<number(1..<4) {
            let line = key()
            if !lines.contains(where: { $0.prefix(5) == line.prefix(5) }) { lines.append(line) }
        }
        return lines.joined(separator: ", ")
    }

    private mutating func division() -> String {
        one(["by: user.plan", "layer: l, range: [0, 60]", "layer: m, range: [50, 70]"])
    }

    private mutating func variants() -> String {
        one([
            "{ short: {}, long: {} }", "{ short: { template: \(one(["sheet", "card"])) } }",
            "{ long: { content: { title: \(one(titles)), body: '\(one(texts))' } } }",
        ])
    }

    private mutating func key() -> String {
        switch number(0..<25) {
        case 23: "goals: [{ name: g, event: \(event()), within: 7d, where: \(payload()) }]"
        case 16: "experiment: { of: \(one(["x", "y", "z"])), variants: \(variants()) }"
        case 15: "experiment: { by: \(one(["user.plan", "user.tags"])), variants: \(variants()) }"
        case 0: "priority: \(one(["high", "5", "700"]))"
        case 1: "scheduler: \(one(["main", "toast", "tost"]))"
        case 2: "group: \(one(["g", "h", "i"]))"
        case 3: "after: [\(one(popups)), \(one(popups))]"
        case 20: "after: [{ popup: \(one(popups)), action: \(one(actions)) }]"
        case 21: "trigger: { popup: \(one(popups)), action: \(one(actions)) }"
        case 22: "template: sheet, cap: { after_close: { \(one(actions)): 7d } }"
        case 4: "template: \(one(["sheet", "card"])), content: { title: \(one(titles)) }"
        case 5: "content: { title: '\(one(texts))', body: '\(one(texts))' }"
        case 6:
            "trigger: { event: \(event()), where: \(payload()) }"
        case 7:
            "trigger: [{ changed: \(one(["user.plan", "bought"])) }, \(one(["bought", "start"]))]"
        case 8: "dismiss_when: \(condition())"
        case 9: "rollout: { percent: 5, by: \(one(["user.plan", "user.tags"])) }"
        case 10, 11:
            "when: \(condition()), examples: { match: [\(example())], no_match: [\(example())] }"
        case 13: "schedule: [{ hours: 1:00-2:00, zone: \(zone()), when: \(condition()) }]"
        case 14: "cap: { windows: [\(cap())] }"
        case 24: "cap: { closes: { max: 1, per: \(one(keys)) } }"
        case 12: "preempt: \(one(["true", "p1"]))"
        default: "when: \(condition())"
        }
    }

    private mutating func event() -> String { one(["bought", "order.paid", "user.age"]) }

    private mutating func cap() -> String {
        one([
            "{ max: 1, per: calendar_day, zone: \(zone()) }", "{ max: 1, per: \(period()) }",
            "{ max: 1, per: \(one(keys)), zone: UTC }",
        ])
    }

    private mutating func period() -> String {
        one(["1d", "session", "calender_day", "user.plan", "user.tags", "user.age", "plan"])
    }

    private mutating func zone() -> String {
        one(["local", "user.plan", "user.age", "user.zone", "UTC", "Berlin"])
    }
    private let titles = ["t", "long", "{ en: t }", "{ en: long, de: t }", "{ dee: t, no: u }"]

    private let texts = [
        "Hi {{user.plan}}", "Hi {{event.total}} {user.age}", "%ends%", "{{user.name}}",
        "[[app.screen]]", "user.age}}", "{% if user.tags %}",
    ]

    private mutating func example() -> String {
        one([
            "{}", "{ user.plan: pro }", "{ user.age: 4 }", "{ app.screen: home }", "{ c1: true }",
            "{ user.plan: pro, user.age: 4 }", "{ popups.p1.shown_count: 3 }", "{ usr.plan: x }",
        ])
    }

    private mutating func payload() -> String {
        one(["'event.total > 5.0'", "'event.title == \"x\" && c1'", "'event.sum > 3'"])
    }
}
