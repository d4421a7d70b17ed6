import Foundation
import PopAnalysis
import PopRuleFiles
import PopScheduler
import PopSource
import Testing

/// Rules in several files.
private struct FiledRules {
    let model: RuleModel
    let rules: RuleSet

    init(_ planted: PlantedCase) throws {
        var sources = SourceSet()
        for (number, text) in planted.files.enumerated() {
            sources.add(path: "\(number).yaml", bytes: Array(("poprules: 1\n" + text).utf8))
        }
        model = try RuleModel.check(sources).get()
        rules = try RuleSet.compile(model).get()
    }

    func findings(of check: Check) -> [Diagnostic] {
        Between.findings(in: model, rules: rules).list.filter { $0.check == check }
    }

    var collisions: [[String]] {
        Collisions(rules).found.map { collision in
            [rules.popups[collision.winner].id, rules.popups[collision.loser].id].sorted()
        }
    }
}

struct PlantedTests {
    @Test(arguments: PlantedShadows.faults)
    func `a popup that never shows is found`(planted: PlantedCase) throws {
        let found = try FiledRules(planted).findings(of: .scheduleShadowed)
        #expect(found.map(\.subject) == ["popup `winter`"])
    }

    @Test(arguments: PlantedShadows.nearMisses)
    func `a popup that may show is not called shadowed`(planted: PlantedCase) throws {
        #expect(try FiledRules(planted).findings(of: .scheduleShadowed).isEmpty)
    }

    @Test(arguments: PlantedCollisions.faults + PlantedParts.faults)
    func `two popups in each other's way are found`(planted: PlantedCase) throws {
        #expect(try FiledRules(planted).collisions.contains(["flash", "winter"]))
    }

    @Test(arguments: PlantedCollisions.nearMisses + PlantedParts.nearMisses)
    func `two popups that never meet do not collide`(planted: PlantedCase) throws {
        #expect(try !FiledRules(planted).collisions.contains(["flash", "winter"]))
    }

    @Test(arguments: PlantedTies.faults)
    func `a tie is found`(planted: PlantedCase) throws {
        #expect(try FiledRules(planted).findings(of: .scheduleTie).count == 1)
    }

    @Test(arguments: PlantedTies.nearMisses)
    func `what is no tie is not called one`(planted: PlantedCase) throws {
        #expect(try FiledRules(planted).findings(of: .scheduleTie).isEmpty)
    }

    /// `make logic` for ten thousand.
    @Test func `directed stories show no popup that is called shadowed`() throws {
        let setting = ProcessInfo.processInfo.environment["POPRULES_SHADOW_STORIES"]
        var limits = AnalysisLimits.standard
        limits.shadowStories = setting.flatMap { Int($0) } ?? 60
        for planted in PlantedShadows.faults {
            let filed = try FiledRules(planted)
            let found = Between.findings(in: filed.model, rules: filed.rules, limits: limits)
            #expect(found.list.contains { $0.check == .scheduleShadowed })
        }
    }

    @Test func `a popup that another one is in the way of for good is lost`() throws {
        let found = try FiledRules(PlantedTies.faults[9]).findings(of: .scheduleTie)
        #expect(found.map(\.level) == [.warning])
        let others = try PlantedTies.faults.dropLast().flatMap {
            try FiledRules($0).findings(of: .scheduleTie)
        }
        #expect(others.allSatisfy { $0.level == .info })
    }

    @Test func `pairs beyond the limit are counted and not claimed`() throws {
        let filed = try FiledRules(PlantedCollisions.faults[0])
        var limits = AnalysisLimits.standard
        limits.triedPairs = 0
        let collisions = Collisions(filed.rules, limits: limits)
        #expect(collisions.found.isEmpty)
        #expect(collisions.untried == 1)
    }
}
