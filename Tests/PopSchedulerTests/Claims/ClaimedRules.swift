import PopRuleFiles
import PopScheduler
import PopSource
import Testing

/// Rules of a few popups that meet, as two files have them.
struct ClaimedRules {
    /// The entry of each popup, in the order of the popups; the first half is in the first file.
    private var popups: [String]

    private static let head = """
        poprules: 1
        context:
          k: { type: bool, default: false }
          n: { type: int, min: 0, max: 3, default: 0 }
        events: { e: {}, f: {} }
        groups: { g: { when: n < 3, cap: { max: 1, per: 1d } } }

        """

    init(seed: Int) {
        var dice = Dice(UInt64(seed) &+ 77)
        let names = (0..<(2 + dice.roll(4))).map { "p\($0)" }
        popups = names.map { Self.popup($0, among: names, &dice) }
        if dice.isLucky(70) { popups += Self.shadowed(&dice) }
    }

    private static func popup(_ name: String, among names: [String], _ dice: inout Dice) -> String {
        var keys = ["priority: \(dice.pick(["low", "normal", "normal", "high"]))"]
        keys.append(
            "trigger: \(dice.pick(["start", "{ event: e }", "{ event: e }", "{ event: f }"]))")
        let other = dice.pick(names)
        let conditions = [
            "k", "!k", "n > 1", "n != 2", "k || n < 2", "popups.\(other).shown_count == 0",
            "'!has(popups.\(other).last_shown)'", "popups.\(other).shown_count < 2 && !k",
        ]
        if dice.isLucky(60) { keys.append("when: \(quoted(dice.pick(conditions)))") }
        if dice.isLucky(20) { keys.append("max_wait: \(dice.pick(["3s", "1m"]))") }
        if dice.isLucky(15) { keys.append("untriggered: discard") }
        if dice.isLucky(15) { keys.append("delay: \(dice.pick(["1s", "5s"]))") }
        if dice.isLucky(20) { keys.append("cap: { lifetime: \(1 + dice.roll(2)) }") }
        if dice.isLucky(15) { keys.append("group: g") }
        if dice.isLucky(15) { keys.append("hide_after: 10s") }
        return "  \(name): { \(keys.joined(separator: ", ")) }\n"
    }

    /// Two popups, of which the first may hide the second forever, unless a random key prevents
    /// that.
    private static func shadowed(_ dice: inout Dice) -> [String] {
        let trigger = dice.pick(["start", "{ event: e }"])
        let common = dice.pick(["", "n > 0 && ", "k && "])
        let wider = dice.pick([common, ""])
        let more = dice.pick([
            "", "", "", "max_wait: 5s, ", "untriggered: discard, ", "cap: { lifetime: 1 }, ",
            "delay: 2s, ", "dismiss_when: n > 2, ", "group: g, ",
        ])
        let first =
            "  above: { \(more)priority: high, trigger: \(trigger), when: '\(wider)true' }\n"
        let asked = dice.pick(["popups.above.shown_count == 0", "!has(popups.above.last_shown)"])
        let second = "  below: { trigger: \(trigger), when: '\(common)\(asked)' }\n"
        return dice.isLucky(50) ? [first, second] : [second, first]
    }

    private static func quoted(_ text: String) -> String {
        text.hasPrefix("'") ? text : "'\(text)'"
    }

    /// With two popups in each other's place.
    func swapping(_ one: String, _ other: String) throws -> ClaimedRules {
        func place(_ name: String) throws -> Int {
            try #require(popups.firstIndex { $0.hasPrefix("  \(name):") })
        }
        var swapped = self
        swapped.popups.swapAt(try place(one), try place(other))
        return swapped
    }

    func compiled() throws -> RuleSet {
        let half = popups.count / 2
        let first = Self.head + "popups:\n" + popups[..<half].joined()
        let second = "poprules: 1\npopups:\n" + popups[half...].joined()
        var sources = SourceSet()
        sources.add(path: "a.yaml", bytes: Array(first.utf8))
        sources.add(path: "b.yaml", bytes: Array(second.utf8))
        let model = try RuleModel.check(sources).get()
        // A condition that is always true is fine here.
        return try #require(RuleSet.compile(model).value)
    }
}
