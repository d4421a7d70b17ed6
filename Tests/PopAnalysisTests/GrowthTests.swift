import PopAnalysis
import PopCEL
import PopLogic
import PopScheduler
import PopSource
import Testing

/// S-M2: rules that are four times as many take about four times as many steps to be compared, or
/// as many as a limit allows, which is reported. Steps are counted and not measured.
struct GrowthTests {
    /// Rules of some size, before and after a change.
    struct Generator: Sendable, CustomTestStringConvertible {
        let name: String
        let rules: @Sendable (_ size: Int, _ isLater: Bool) -> String

        var testDescription: String { name }
    }

    private static let all = 1 << 50

    /// The limits of a test, with a budget that counts.
    private static func counting(pairs: Int = 2_000) -> AnalysisLimits {
        var limits = AnalysisLimits.standard
        limits.logic.budget = WorkBudget([.comparedPairs: all])
        limits.pairSteps = pairs
        limits.triedPairs = 2
        limits.triedTies = 1
        limits.overtakenPopups = 8
        return limits
    }

    private static func steps(_ limits: AnalysisLimits) -> Int {
        all - limits.logic.budget.rest(of: .comparedPairs)
    }

    private static func popups(_ size: Int, _ keys: (Int) -> String) -> String {
        "popups:\n" + (0..<size).map { "  p\($0): { \(keys($0)) }\n" }.joined()
    }

    private static let generators = [
        Generator(name: "a group for each popup") { size, isLater in
            let groups = (0..<size).map {
                "  g\($0): { cap: { max: \(isLater ? 2 : 1), per: 1d } }\n"
            }
            return "groups:\n\(groups.joined())"
                + popups(size) { isLater ? "group: g\($0)" : "enabled: false, group: g\($0)" }
        },
        Generator(name: "a limit for each tag") { size, isLater in
            let limits = (0..<min(size, RuleBounds.caps)).map { place in
                "  - { max: 1, per: 1d, tags: [\(isLater ? "new" : "old")\(place)] }\n"
            }
            return "limits:\n\(limits.joined())"
                + popups(size) { "trigger: manual, tags: [old\($0), new\($0)]" }
        },
        Generator(name: "limits that all popups share") { size, isLater in
            let limits = (0..<min(size, RuleBounds.caps)).map {
                "  - { max: \($0 + (isLater ? 2 : 1)), per: 1d }\n"
            }
            return "limits:\n\(limits.joined())" + popups(size) { _ in "trigger: manual" }
        },
        Generator(name: "other priorities of one trigger") { size, isLater in
            popups(size) { "priority: \(isLater ? size - $0 : $0 + 1)" }
        },
        Generator(name: "another order in the file") { size, isLater in
            "popups:\n"
                + (0..<size).map { "  p\(isLater ? size - $0 : $0): {}\n" }.joined()
        },
        Generator(name: "popups that come") { size, isLater in
            popups(isLater ? size : 1) { _ in "" }
        },
        Generator(name: "conditions that exclude each other") { size, isLater in
            "context: { k: int }\n"
                + popups(size) {
                    "when: 'k == \($0)', untriggered: discard\(isLater ? ", priority: 2" : "")"
                }
        },
        Generator(name: "conditions of one schedule") { size, isLater in
            let entries = (0..<size).map { "    - { days: [mon], when: k == \($0) }\n" }
            return "context: { k: { type: int, default: 0 } }\npopups:\n  p:\n    schedule:\n"
                + entries.joined() + (isLater ? "    - { days: [tue] }\n" : "")
        },
        Generator(name: "parts of one draw") { size, isLater in
            "context: { id: string }\n"
                + popups(size) {
                    "rollout: { percent: \($0 % 90 + (isLater ? 2 : 1)), by: id, salt: s }"
                }
        },
    ]

    /// Expects at most about four times as many steps at four times the size, or no more than a
    /// number of limits allow.
    private func expect(
        of generator: Generator, limits most: Int,
        _ work: (_ size: Int, AnalysisLimits) throws -> Void, sourceLocation: SourceLocation
    ) rethrows {
        var counts: [Int] = []
        for size in [40, 160] {
            let limits = Self.counting()
            try work(size, limits)
            counts.append(Self.steps(limits))
        }
        // Four times as many, and as much again as searches in trees take.
        let isLinear = counts[1] <= 6 * counts[0] + 200
        #expect(
            isLinear || counts[1] <= most * 2_000, "\(generator.name): \(counts)",
            sourceLocation: sourceLocation)
    }

    @Test(arguments: generators)
    func `a change of four times as many popups takes four times as many steps`(
        _ generator: Generator
    ) throws {
        func rules(_ size: Int, isLater: Bool) throws -> RuleSet {
            try Rules(generator.rules(size, isLater)).rules
        }
        // The limits on pairs in both rule sets, on pairs tried in both, and on shared parts and
        // the order.
        try expect(
            of: generator, limits: 6,
            { size, limits in
                _ = RuleChanges(
                    from: try rules(size, isLater: false), to: try rules(size, isLater: true),
                    limits: limits)
            }, sourceLocation: #_sourceLocation)
    }

    @Test(arguments: generators)
    func `collisions of four times as many popups take four times as many steps`(
        _ generator: Generator
    ) throws {
        try expect(
            of: generator, limits: 1,
            { size, limits in
                _ = Collisions(try Rules(generator.rules(size, true)).rules, limits: limits)
            }, sourceLocation: #_sourceLocation)
    }

    @Test(arguments: generators)
    func `shadows and ties of four times as many popups take four times as many steps`(
        _ generator: Generator
    ) throws {
        try expect(
            of: generator, limits: 2,
            { size, limits in
                _ = PairClaims(try Rules(generator.rules(size, true)).rules, limits: limits)
            }, sourceLocation: #_sourceLocation)
    }

    @Test func `each logic query uses up the budget for all values of a key`() throws {
        func steps(_ count: Int) throws -> Int {
            let values = (0..<count).map { "v\($0)" }.joined(separator: ", ")
            let text =
                "context: { k: { type: string, values: [\(values)], default: v0 } }\n"
                + "popups: { p: { when: k == 'v1' } }\n"
            var limits = AnalysisLimits.standard
            limits.logic.budget = WorkBudget([.logicSteps: Self.all])
            _ = Audience(of: 0, in: try Rules(text).rules, limits: limits)
            return Self.all - limits.logic.budget.rest(of: .logicSteps)
        }
        let (few, many) = (try steps(500), try steps(2_000))
        #expect(many >= few * 3, "\(few) steps, then \(many)")
    }

    @Test func `a collision search that reaches its limit reports how many pairs remain`()
        throws
    {
        let limits = Self.counting(pairs: 50)
        let text =
            "limits: [{ max: 1, per: 1d }, { max: 2, per: 2d }]\n"
            + Self.popups(60) { _ in "trigger: manual" }
        let found = Collisions(try Rules(text).rules, limits: limits)
        #expect(found.isCutShort)
        #expect(found.isUntriedAtMost)
        #expect(found.pairs + found.untried == 60 * 59 / 2)
    }

    @Test func `caps that are too many to be compared are reported as undecided`() throws {
        func rules(_ tag: String) throws -> RuleSet {
            let limits = (0..<40).map { "  - { max: 1, per: 1d, tags: [\(tag)\($0)] }\n" }.joined()
            let popups = Self.popups(40) { "trigger: manual, tags: [old\($0), new\($0)]" }
            return try Rules("limits:\n\(limits)\(popups)").rules
        }
        let changes = RuleChanges(
            from: try rules("old"), to: try rules("new"), limits: Self.counting(pairs: 300))
        #expect(!changes.isDecided)
        #expect(
            changes.text.contains("the other caps were not compared, because there are too many"))
        #expect(RuleChanges(from: try rules("old"), to: try rules("new")).isDecided)
    }

    @Test
    func `a popup that has priority over many others is reported with their minimum number`()
        throws
    {
        func rules(_ first: Int) throws -> RuleSet {
            try Rules(Self.popups(150) { "priority: \($0 == 0 ? first : $0 + 1)" }).rules
        }
        let text = RuleChanges(from: try rules(1), to: try rules(1_000)).text
        #expect(
            text.contains("now shows before p1, p10, p100, p11, p12 and at least 95 more"),
            "\(text)")
    }

    @Test func `a reversed order is reported per popup`() throws {
        let names = ["a", "b", "c", "d"]
        func rules(_ names: [String]) throws -> RuleSet {
            try Rules("popups:\n" + names.map { "  \($0): {}\n" }.joined()).rules
        }
        let text = RuleChanges(from: try rules(names), to: try rules(names.reversed())).text
        #expect(text.contains("now shows before a, b, c if"), "\(text)")
        #expect(!text.contains("popup a\n"), "\(text)")
    }
}
