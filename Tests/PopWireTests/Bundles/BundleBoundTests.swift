import Foundation
import PopAnalysis
import PopBacktest
import PopRuleFiles
import PopScheduler
import PopSource
import PopTestSupport
import Testing

@testable import PopWire

/// S-H5: bundles had other bounds than rule files.
@Suite struct `A number at its bounds` {
    /// A number of the format: the text around it in a rule file, and its allowed values.
    struct Place: Sendable, CustomTestStringConvertible {
        enum Kind: Sendable {
            case count(ClosedRange<Int>)
            /// A length of at least so many milliseconds.
            case length(atLeast: Int64)
            case percent
        }

        var name: String
        /// A rule file with `$` in place of the number.
        var text: String
        var kind: Kind
        var testDescription: String { name }
    }

    /// A number at its place: as rule files and as bundles write it.
    private typealias Written = (text: String, json: JSON)

    private static let mostMilliseconds = Int64(RuleBounds.durationDays) * 86_400_000

    static let places: [Place] = [
        count("max of a scheduler", "schedulers: { main: { cap: { max: $, per: 1d } } }\n"),
        count("max_waiting", "schedulers: { main: { max_waiting: $ } }\n"),
        count("max of a limit", "limits: [{ max: $, per: 1d }]\n"),
        count("max of a group", "groups: { g: { cap: { max: $, per: 1d } } }\n", "group: g"),
        count("nth", popup: "trigger: { event: e, nth: $ }"),
        count("every of a trigger", popup: "trigger: { event: e, every: $ }"),
        count("lifetime", popup: "cap: { lifetime: $ }"),
        count("per_session", popup: "cap: { per_session: $ }"),
        count("closes", popup: "cap: { closes: $ }"),
        count("closes per key", popup: "cap: { closes: { max: $, per: plan } }"),
        count("max of a window", popup: "cap: { windows: [{ max: $, per: plan }] }"),
        Place(
            name: "priority", text: text("", "priority: $"), kind: .count(RuleBounds.priorities)),
        Place(
            name: "weight",
            text: text("", "experiment: { by: plan, variants: { x: { weight: $ }, y: {} } }"),
            kind: .count(RuleBounds.weights)),
        length("timeout", "session: { timeout: $ }\n", atLeast: 1),
        length("gap", "schedulers: { main: { gap: $ } }\n", atLeast: 0),
        length("upper end of a gap", "schedulers: { main: { gap: [0s, $] } }\n", atLeast: 0),
        length(
            "period of a scheduler", "schedulers: { main: { cap: { max: 1, per: $ } } }\n",
            atLeast: 1),
        length("period of a limit", "limits: [{ max: 1, per: $ }]\n", atLeast: 1),
        length(
            "period of a group", "groups: { g: { cap: { max: 1, per: $ } } }\n", "group: g",
            atLeast: 1),
        length("period of a window", popup: "cap: { windows: [{ max: 1, per: $ }] }", atLeast: 1),
        length("delay", popup: "delay: $", atLeast: 0),
        length("upper end of a delay", popup: "delay: [0s, $]", atLeast: 0),
        length("grace", popup: "grace: $", atLeast: 0),
        length("min_show", popup: "min_show: $", atLeast: 0),
        length("hide_after", popup: "hide_after: $", atLeast: 1),
        length("max_wait", popup: "max_wait: $", atLeast: 1),
        length("every", popup: "cap: { every: $ }", atLeast: 1),
        length(
            "after_close", "templates: { t: { actions: [yes] } }\n",
            "template: t, cap: { after_close: { yes: $ } }", atLeast: 1),
        length("since", popup: "after: [{ popup: b, since: $ }]", atLeast: 1),
        length("within", popup: "goals: [{ name: n, event: e, within: $ }]", atLeast: 1),
        length("ends", popup: "goals: [{ name: n, event: e, within: 1d, ends: $ }]", atLeast: 1),
        Place(name: "holdout", text: text("holdout: { percent: $, by: plan }\n"), kind: .percent),
        Place(
            name: "rollout", text: text("", "rollout: { percent: $, by: plan }"), kind: .percent),
        Place(
            name: "step of a rollout",
            text: text("", "rollout: { steps: { 2026-01-10: $ }, by: plan }"), kind: .percent),
        Place(
            name: "control",
            text: text("", "experiment: { by: plan, control: $, variants: { x: {}, y: {} } }"),
            kind: .percent),
    ]

    private static func text(_ sections: String, _ popup: String = "priority: 3") -> String {
        """
        context: { plan: { type: string, default: free } }
        events: { e: {} }
        \(sections)popups:
          a: { \(popup) }
          b: { trigger: { event: e } }
        """
    }

    private static func count(
        _ name: String, _ sections: String = "", _ popup: String = "priority: 3"
    ) -> Place {
        Place(name: name, text: text(sections, popup), kind: .count(RuleBounds.counts))
    }

    private static func count(_ name: String, popup: String) -> Place { count(name, "", popup) }

    private static func length(
        _ name: String, _ sections: String = "", _ popup: String = "priority: 3",
        atLeast least: Int64
    ) -> Place {
        Place(name: name, text: text(sections, popup), kind: .length(atLeast: least))
    }

    private static func length(_ name: String, popup: String, atLeast least: Int64) -> Place {
        length(name, "", popup, atLeast: least)
    }

    /// Returns a number that appears nowhere else in the rules.
    private static func marker(of kind: Place.Kind) -> Written {
        switch kind {
        case .count: ("4321", .int(4_321))
        case .length: ("4321s", .string("4321s"))
        case .percent: ("43.125", .double(43.125))
        }
    }

    private static func tried(of kind: Place.Kind) -> [Written] {
        switch kind {
        case .count(let bounds):
            [
                bounds.lowerBound - 1, bounds.lowerBound, bounds.lowerBound + 1,
                bounds.upperBound - 1, bounds.upperBound, bounds.upperBound + 1,
                Int(Int32.min), Int(Int32.max), .min, .max,
            ].map { ("\($0)", .int(Int64($0))) }
        case .length(let least):
            [
                -1, 0, 1, least - 1, least, least + 1, mostMilliseconds - 1, mostMilliseconds,
                mostMilliseconds + 1, Int64.max / 1_000_000,
            ].map { milliseconds in
                let text = milliseconds < 0 ? "-\(-milliseconds)ms" : "\(milliseconds)ms"
                // `5.001s`, as `compile` writes it.
                let (whole, rest) = abs(milliseconds).quotientAndRemainder(dividingBy: 1_000)
                let fraction = rest == 0 ? "" : ".\(String(1_000 + rest).dropFirst())"
                return (text, .string("\(milliseconds < 0 ? "-" : "")\(whole)\(fraction)s"))
            }
        case .percent:
            [-1e308, -1, -0.001, 0, 0.001, 99.999, 100, 100.001, 1e308].map {
                ("\($0)", .double($0))
            }
        }
    }

    @Test(arguments: places)
    func `a bundle may contain a number exactly if a rule file may, and it does no harm`(
        place: Place
    ) throws {
        let marker = Self.marker(of: place.kind)
        let before = try RuleSet.parse(place.text.replacing("$", with: marker.text))
        let written = try #require(before.bundleJSON["rules"])
        for number in Self.tried(of: place.kind) {
            let forged = Self.replacing(marker.json, in: written, with: number.json)
            try #require(forged != written)
            let rules = try? RuleSet(bundle: Self.bundle(forged))
            let wanted = try? RuleSet.parse(place.text.replacing("$", with: number.text))
            #expect((rules == nil) == (wanted == nil), "\(place.name): \(number.text)")
            if let rules { try Self.use(rules, beside: before) }
        }
    }

    /// Uses rules in every way.
    private static func use(_ rules: RuleSet, beside others: RuleSet) throws {
        for seed in 1...2 {
            var play = RandomPlay(rules, by: SeededGenerator(seed: UInt64(seed)))
            for _ in 0..<20 { _ = play.step() }
            _ = play.explanations
        }
        _ = RuleChanges(from: others, to: rules)
        _ = RuleChanges(from: rules, to: others)
        let log = NSTemporaryDirectory() + "bounds-\(UUID()).jsonl"
        defer { try? FileManager.default.removeItem(atPath: log) }
        let lines = ["2026-03-01T10:00:00Z", "2026-03-01T10:00:01Z", "2026-03-09T10:00:00Z"].map {
            #"{"user":"u","time":"\#($0)","event":"e"}"#
        }
        try Data(lines.joined(separator: "\n").utf8).write(to: URL(fileURLWithPath: log))
        _ = try Backtest(rules, mapping: MappingFile(), logs: [log]).run()
    }

    private static func replacing(_ marker: JSON, in json: JSON, with number: JSON) -> JSON {
        if json == marker { return number }
        return switch json {
        case .array(let items): .array(items.map { replacing(marker, in: $0, with: number) })
        case .object(let members):
            .object(
                members.map {
                    JSON.Member(
                        key: $0.key, value: replacing(marker, in: $0.value, with: number))
                })
        case .null, .bool, .int, .uint, .double, .string: json
        }
    }

    private static func bundle(_ rules: JSON) -> [UInt8] {
        let bundle = JSON.object([
            "popbundle": .int(RuleSet.bundleVersion),
            "checksum": .string(RuleSet.checksum(rules)), "rules": rules,
        ])
        return Array(bundle.compact.utf8)
    }

    /// Rules that an app makes itself have no bounds.
    @Test func `a number at its bounds does no harm in rules that an app creates itself`() throws {
        var rules = try RuleSet.parse(
            """
            schedulers: { main: { cap: { max: 1, per: 1d } } }
            popups: { a: { trigger: start, cap: { windows: [{ max: 1, per: 1d }] } } }
            """)
        rules.schedulers[0].cap?.max = .max
        rules.popups[0].caps.windows[0].max = .max
        var play = RandomPlay(rules, by: SeededGenerator(seed: 5))
        for _ in 0..<20 { _ = play.step() }
    }
}
