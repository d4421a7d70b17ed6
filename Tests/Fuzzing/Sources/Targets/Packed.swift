@testable import PopAnalysis
@testable import PopRuleFiles
@testable import PopScheduler
@testable import PopSource
@testable import PopWire

extension FuzzTarget {
    /// A folder of rule files, made of decisions, compared with the bundle that is compiled from
    /// it. Both must lead to the same decisions for the same reasons; compiling again must give the
    /// same bytes, and `diff` must report nothing. The file that a popup is written in and the
    /// order in which files are read don't matter for the decisions.
    static let packed = FuzzTarget(
        name: "packed",
        body: .direct { bytes in
            var text = RuleText(bytes, mostPopups: 2)
            let declarations = text.declarations()
            let popups = text.popups()
            let seed = text.dice.next()
            guard let whole = rules([declarations, popups]) else { return }
            let bundle = whole.bundle()
            let bundled = try RuleSet(bundle: bundle)
            try require(
                bundled.bundle() == bundle, "the bundle says something else when it is read")
            try compare(whole, bundled, "the bundle", seed: seed)
            // One of the dearer comparisons for each input: fuzzing lives on many inputs.
            guard bytes.count % 4 > 0 else {
                let changes = RuleChanges(from: whole, to: bundled, limits: .fuzzing)
                return try require(
                    changes.isSame, "between rules and their bundle: \(changes.entries)")
            }
            guard let folder = rules(RuleText.divided(popups) + [declarations]) else {
                throw Violation(description: "one popup a file is no valid folder")
            }
            try compare(whole, folder, "one popup a file", seed: seed)
        })

    private static func rules(_ texts: [String]) -> RuleSet? {
        var sources = SourceSet()
        for (number, text) in texts.enumerated() {
            sources.add(path: "\(number).yaml", bytes: Array(text.utf8))
        }
        return try? RuleSet.check(sources).get()
    }

    private static func compare(
        _ rules: RuleSet, _ other: RuleSet, _ name: String, seed: UInt64
    ) throws {
        var left = RandomPlay(rules, by: SeededGenerator(seed: seed))
        var right = RandomPlay(other, by: SeededGenerator(seed: seed))
        for step in 0..<8 {
            let (one, two) = (left.step(), right.step())
            try require(one == two, "step \(step): the rules do \(one), \(name) \(two)")
        }
        let (one, two) = (left.explanations, right.explanations)
        try require(
            one.map(\.state) == two.map(\.state), "the rules say \(one), \(name) says \(two)")
    }
}
