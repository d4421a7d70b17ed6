import PopAnalysis
import PopCEL
import PopScenario
import PopScheduler
import Testing

/// Claims about popups over time, checked against the naive model.
///
/// `POPRULES_CLAIMS` is the number of random rule sets. `POPRULES_CLAIM_STORIES` is the number of
/// scenarios that are played for each popup that is claimed never to show.
@Suite struct ClaimTests {
    private static var sets: Int { SimulationTests.number("POPRULES_CLAIMS") ?? 36 }
    private static var stories: Int { SimulationTests.number("POPRULES_CLAIM_STORIES") ?? 20 }
    private static let steps = 14

    @Test(arguments: 0..<2)
    func `a popup that another popup shadows never shows`(part: Int) throws {
        var found = 0
        for seed in stride(from: part, to: Self.sets, by: 2) {
            let rules = try ClaimedRules(seed: seed).compiled()
            for shadow in PairClaims(rules).shadows {
                found += 1
                let (popup, other) = (rules.popups[shadow.popup].id, rules.popups[shadow.other].id)
                var dice = Dice(UInt64(seed) &* 31 &+ 5)
                var otherShows = false
                for story in 0..<Self.stories {
                    let run = Self.randomStory(of: rules, &dice)
                    #expect(!run.hasDiffered)
                    #expect(run.shown[popup] == nil, "seed \(seed), story \(story): \(popup)")
                    if run.shown[other] != nil { otherShows = true }
                }
                #expect(otherShows, "seed \(seed): \(other) never showed")
            }
        }
        #expect(found > 0)
    }

    @Test(arguments: 0..<2)
    func `swapping tied popups swaps which popup shows first`(part: Int) throws {
        var found = 0
        for seed in stride(from: part, to: Self.sets, by: 2) {
            let written = ClaimedRules(seed: seed)
            let rules = try written.compiled()
            for tie in PairClaims(rules).ties {
                found += 1
                let (first, second) = (rules.popups[tie.winner].id, rules.popups[tie.loser].id)
                let swapped = try written.swapping(first, second).compiled()
                #expect(Self.first(of: [first, second], in: tie.story, rules) == first)
                #expect(
                    Self.first(of: [first, second], in: tie.story, swapped) == second,
                    "seed \(seed): \(first) and \(second)")
            }
        }
        #expect(found > 0)
    }

    @Test(arguments: 0..<2)
    func `without the winner of a collision the loser shows sooner`(part: Int) throws {
        var found = 0
        for seed in stride(from: part, to: Self.sets, by: 2) {
            let rules = try ClaimedRules(seed: seed).compiled()
            for collision in Collisions(rules).found {
                guard let story = collision.story else { continue }
                found += 1
                let pair = [collision.winner, collision.loser].map { rules.popups[$0].id }
                let run = Self.play(story, rules)
                #expect(!run.hasDiffered)
                #expect(run.shown[pair[0]] != nil, "seed \(seed): \(pair)")
                var others = rules
                others.popups[collision.winner].isEnabled = false
                let without = Self.play(story, others) { !pair.contains($0) }
                let (late, early) = (run.shown[pair[1]]?.first, without.shown[pair[1]]?.first)
                #expect(
                    early.map { time in late.map { time < $0 } ?? true } ?? false,
                    "seed \(seed): \(pair)")
            }
        }
        #expect(found > 0)
    }

    private static func play(
        _ story: FoundScenario, _ rules: RuleSet,
        closing isClosed: @escaping (String) -> Bool = { _ in false }
    ) -> ModelRun {
        var run = ModelRun(story.beginning, rules: rules, closing: isClosed)
        for act in story.acts { run.take(act) }
        return run
    }

    /// Which of some popups shows first.
    private static func first(
        of popups: [String], in story: FoundScenario, _ rules: RuleSet
    ) -> String? {
        var run = ModelRun(story.beginning, rules: rules) { !popups.contains($0) }
        for act in story.acts {
            if let first = popups.first(where: { run.shown[$0] != nil }) { return first }
            run.take(act)
        }
        return popups.first { run.shown[$0] != nil }
    }

    /// Plays a random scenario of users and the app, in which nothing is requested by name.
    private static func randomStory(of rules: RuleSet, _ dice: inout Dice) -> ModelRun {
        var beginning = ScenarioStart()
        beginning.context = ["k": .bool(dice.isLucky(50)), "n": .int(Int64(dice.roll(4)))]
        var run = ModelRun(beginning, rules: rules)
        for _ in 0..<steps { run.take(randomAct(run, &dice)) }
        return run
    }

    private static func randomAct(_ run: ModelRun, _ dice: inout Dice) -> ScenarioAct {
        switch dice.roll(10) {
        case 0: return .beginSession
        case 1: return .wait(.seconds(86_400 * (1 + dice.roll(9))))
        case 2, 3: return .wait(.milliseconds(500 * (1 + dice.roll(20))))
        case 4: return .set(["k": .bool(dice.isLucky(50))])
        case 5: return .set(["n": .int(Int64(dice.roll(4)))])
        case 6: return .send("f", [:])
        case 7: return .send("e", [:])
        default:
            let showing = run.showing
            return showing.isEmpty ? .send("e", [:]) : .close(dice.pick(showing))
        }
    }
}
