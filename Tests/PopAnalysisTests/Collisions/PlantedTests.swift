import Foundation
import PopAnalysis
import PopCEL
import PopRuleFiles
import PopScenario
import PopScheduler
import PopSource
import Testing

/// Rules in several files.
private struct FiledRules {
    let model: RuleModel
    let rules: RuleSet
    /// The findings of the earlier checks.
    private(set) var known: Diagnostics

    init(_ planted: PlantedCase) throws { try self.init(planted.files) }

    init(_ texts: [String]) throws {
        var sources = SourceSet()
        for (number, text) in texts.enumerated() {
            sources.add(path: "\(number).yaml", bytes: Array(("poprules: 1\n" + text).utf8))
        }
        let checked = RuleModel.check(sources)
        model = try checked.get()
        let compiled = RuleSet.compile(model)
        rules = try compiled.get()
        known = checked.diagnostics
        known.report(contentsOf: compiled.diagnostics)
    }

    /// True if any check reports that something is never true.
    var isImpossible: Bool {
        var all = known
        all.report(contentsOf: Meaning.findings(in: rules, known: known))
        return all.list.contains { $0.check == .logicNeverTrue }
    }

    /// Returns the popup, among some, that is shown first when a scenario is played with these
    /// rules.
    func firstShown(of popups: [String], in story: FoundScenario) -> String? {
        var run = ScenarioRun(
            story.beginning, on: PreparedRules(rules), within: .ofCommand())
        for act in story.acts where popups.allSatisfy({ run.shown[$0] == nil }) { run.take(act) }
        return popups.first { run.shown[$0] != nil }
    }

    /// Plays fewer scenarios than elsewhere: without optimization they take long.
    func findings(of check: Check) -> [Diagnostic] {
        var limits = AnalysisLimits.standard
        limits.shadowStories = 300
        return PairChecks.findings(in: model, rules: rules, limits: limits).list
            .filter { $0.check == check }
    }

    var collisions: [[String]] {
        Collisions(rules).found.map { collision in
            [rules.popups[collision.winner].id, rules.popups[collision.loser].id].sorted()
        }
    }
}

struct PlantedTests {
    @Test(arguments: MoreCases.impossible)
    func `a popup that no user can see is reported`(planted: PlantedCase) throws {
        #expect(try FiledRules(planted).isImpossible)
    }

    @Test(arguments: MoreCases.nearlyImpossible)
    func `a popup that some user can see is not called impossible`(planted: PlantedCase) throws {
        #expect(try !FiledRules(planted).isImpossible)
    }

    @Test(arguments: PlantedShadows.faults + MoreCases.shadowed)
    func `a popup that never shows is reported`(planted: PlantedCase) throws {
        let found = try FiledRules(planted).findings(of: .scheduleShadowed)
        #expect(found.map(\.subject) == ["popup `winter`"])
    }

    @Test(arguments: PlantedShadows.nearMisses + MoreCases.nearlyShadowed)
    func `a popup that may show is not called shadowed`(planted: PlantedCase) throws {
        #expect(try FiledRules(planted).findings(of: .scheduleShadowed).isEmpty)
    }

    @Test(arguments: PlantedCollisions.faults + PlantedParts.faults + MoreCases.colliding)
    func `two popups that collide are reported`(planted: PlantedCase) throws {
        #expect(try FiledRules(planted).collisions.contains(["flash", "winter"]))
    }

    @Test(
        arguments: PlantedCollisions.nearMisses + PlantedParts.nearMisses
            + MoreCases.nearlyColliding)
    func `two popups that never meet do not collide`(planted: PlantedCase) throws {
        #expect(try !FiledRules(planted).collisions.contains(["flash", "winter"]))
    }

    @Test(arguments: PlantedTies.faults + MoreCases.tied)
    func `a tie is reported`(planted: PlantedCase) throws {
        #expect(try FiledRules(planted).findings(of: .scheduleTie).count == 1)
    }

    @Test(arguments: PlantedTies.faults + MoreCases.tied)
    func `swapping the files of a tie swaps which popup shows first`(
        planted: PlantedCase
    ) throws {
        let filed = try FiledRules(planted)
        let tie = try #require(PairClaims(filed.rules).ties.first)
        let pair = [tie.winner, tie.loser].map { filed.rules.popups[$0].id }
        let swapped = try FiledRules([planted.files[0]] + planted.files.dropFirst().reversed())
        #expect(filed.firstShown(of: pair, in: tie.story) == pair[0])
        #expect(swapped.firstShown(of: pair, in: tie.story) == pair[1])
    }

    @Test func `swapping the lines of a tie swaps which popup shows first`() throws {
        let lines = ["  a: { max_wait: 30s }", "  b: { max_wait: 30s }"]
        let filed = try FiledRules(["popups:\n" + lines.joined(separator: "\n")])
        let swapped = try FiledRules(["popups:\n" + lines.reversed().joined(separator: "\n")])
        let tie = try #require(PairClaims(filed.rules).ties.first)
        let pair = [tie.winner, tie.loser].map { filed.rules.popups[$0].id }
        #expect(!tie.isOfFiles)
        #expect(filed.firstShown(of: pair, in: tie.story) == pair[0])
        #expect(swapped.firstShown(of: pair, in: tie.story) == pair[1])
    }

    @Test(arguments: PlantedTies.nearMisses + MoreCases.nearlyTied)
    func `popups that do not tie are not reported as a tie`(planted: PlantedCase) throws {
        #expect(try FiledRules(planted).findings(of: .scheduleTie).isEmpty)
    }

    /// `make logic` for ten thousand.
    @Test func `no directed scenario shows a popup that is reported as shadowed`() throws {
        let setting = ProcessInfo.processInfo.environment["POPRULES_SHADOW_STORIES"]
        var limits = AnalysisLimits.standard
        limits.shadowStories = setting.flatMap { Int($0) } ?? 600
        for planted in PlantedShadows.faults {
            let filed = try FiledRules(planted)
            let found = PairChecks.findings(in: filed.model, rules: filed.rules, limits: limits)
            #expect(found.list.contains { $0.check == .scheduleShadowed })
        }
    }

    @Test func `a popup that another popup blocks permanently is reported as lost`() throws {
        let found = try FiledRules(PlantedTies.faults[9]).findings(of: .scheduleTie)
        #expect(found.map(\.level) == [.warning])
        let others = try PlantedTies.faults.dropLast().flatMap {
            try FiledRules($0).findings(of: .scheduleTie)
        }
        #expect(others.allSatisfy { $0.level == .info })
    }

    /// So many popups that scenarios are tried with few of them first.
    private static let crowd =
        "popups:\n"
        + (0..<150).map { number in
            let trigger = ["manual", "{ changed: user.country }"][number % 2]
            return "  crowd\(number): { scheduler: toast, trigger: \(trigger), priority: low }\n"
        }.joined()

    @Test(arguments: PlantedCollisions.faults + MoreCases.colliding)
    func `two popups that collide are found among many, and their scenario holds with all popups`(
        planted: PlantedCase
    ) throws {
        let filed = try FiledRules(planted.files + [Self.crowd])
        let pair = filed.rules.popups.places.filter {
            ["flash", "winter"].contains(filed.rules.popups[$0].id)
        }
        let found = try #require(Collisions(filed.rules, among: pair).found.first)
        guard let story = found.story else { return }
        let ids = [found.winner, found.loser].map { filed.rules.popups[$0].id }
        #expect(filed.firstShown(of: ids, in: story) == ids[0])
    }

    @Test(arguments: PlantedCollisions.nearMisses + MoreCases.nearlyColliding)
    func `two popups that never meet do not collide among many`(planted: PlantedCase) throws {
        let filed = try FiledRules(planted.files + [Self.crowd])
        let pair = filed.rules.popups.places.filter {
            ["flash", "winter"].contains(filed.rules.popups[$0].id)
        }
        #expect(Collisions(filed.rules, among: pair).found.isEmpty)
    }

    @Test(arguments: [
        ("", true), ("when: user.launches > 3,", false), ("cap: { lifetime: 1 },", false),
    ])
    func `a popup waits for another popup if their waits always coincide`(
        limit: String, isBehind: Bool
    ) throws {
        let filed = try FiledRules([
            """
            context: { user.launches: { type: int, default: 9 } }
            popups:
              flash: { \(limit) priority: high, trigger: [start, session] }
              winter: { when: user.launches > 2 }
            """
        ])
        let named = Collisions(filed.rules, among: [0]).found
        #expect(named.map(\.isAtEachTrigger) == [isBehind])
        #expect(Collisions(filed.rules).found.map(\.isAtEachTrigger) == [false])
    }

    @Test func `a popup that ends by itself is not reported as ended by another popup`() throws {
        let filed = try FiledRules([
            """
            context: { licence.until: timestamp }
            popups:
              flash: { priority: high }
              winter:
                when: >-
                  has(licence.until) && licence.until > now
                  && licence.until - now < duration("720h")
            """
        ])
        let found = try #require(Collisions(filed.rules).found.first)
        #expect(found.loss == .postponed)
    }

    @Test func `pairs beyond the limit are counted, not claimed`() throws {
        let filed = try FiledRules(PlantedCollisions.faults[0])
        var limits = AnalysisLimits.standard
        limits.triedPairs = 0
        let collisions = Collisions(filed.rules, limits: limits)
        #expect(collisions.found.isEmpty)
        #expect(collisions.untried == 1)
    }
}
