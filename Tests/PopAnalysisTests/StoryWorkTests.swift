import PopAnalysis
import PopScheduler
import PopSource
import PopStories
import Testing

/// S-M1: stories that are told to find collisions, changes and popups that never show charge the
/// budget of the command. A condition on milliseconds lets the clock stop at each of them.
struct StoryWorkTests {
    private static func rules(every period: String) throws -> RuleSet {
        let popups = (0..<4).map { place in
            "  p\(place): { trigger: { event: go }, when: now.getMilliseconds() > k,"
                + " cap: { every: \(period) } }\n"
        }
        return try Rules(
            "context: { k: { type: int, default: 2000 } }\nevents: { go: {} }\n"
                + "limits: [{ max: 1, per: 7d }]\npopups:\n" + popups.joined()
        ).rules
    }

    private static func limits(steps: Int) -> AnalysisLimits {
        AnalysisLimits(budget: WorkBudget([.simulatedSteps: steps]))
    }

    @Test func `end a search for collisions, which says so`() throws {
        let rules = try Self.rules(every: "1d")
        let limits = Self.limits(steps: 100)
        _ = Collisions(rules, limits: limits)
        #expect(limits.budget.rest(of: .simulatedSteps) == 0)
        #expect(!limits.budget.isAllDecided)
    }

    @Test func `end a search for stories of a change, which says so`() throws {
        let earlier = try Self.rules(every: "1d")
        let later = try Self.rules(every: "2d")
        let limits = Self.limits(steps: 100)
        let changes = RuleChanges(from: earlier, to: later, limits: limits)
        let stories = ChangeStories(of: changes, from: earlier, to: later, limits: limits)
        #expect(stories.text == nil)
        #expect(!stories.untold.isEmpty)
        #expect(!limits.budget.isAllDecided)
    }

    /// The beginning of each story made schedulers for all popups and their caps, which nobody
    /// counted, and judging a popup of 60 windows counted as judging one of none.
    @Test func `count the beginnings of stories and the windows of caps`() throws {
        func rules(_ more: Int) throws -> RuleSet {
            let windows = (1...60).map { "{ max: \($0 + more), per: \($0)h }" }
            let popups = (0..<30).map { "  p\($0): { cap: *caps }\n" }.joined()
            return try Rules(
                "popups:\n  first: { cap: &caps { windows: [\(windows.joined(separator: ", "))] } }\n"
                    + popups
            ).rules
        }
        let (earlier, later) = (try rules(0), try rules(1))
        let limits = AnalysisLimits(
            budget: WorkBudget([.judgedPopups: 20_000, .simulatedSteps: 1_000_000]))
        let changes = RuleChanges(from: earlier, to: later, limits: limits)
        let stories = ChangeStories(of: changes, from: earlier, to: later, limits: limits)
        #expect(limits.budget.rest(of: .judgedPopups) == 0)
        #expect(
            stories.untold.last?.hasSuffix("not looked for to the end, as it takes too much work")
                == true)
        // Few more steps than were judged before it was used up.
        #expect(1_000_000 - limits.budget.rest(of: .simulatedSteps) < 2_000)
    }

    /// That a popup never shows is claimed only of stories that were told to their end.
    @Test func `claim no shadow of stories that were cut short`() throws {
        let rules = try Rules(
            """
            popups:
              flash: { priority: high }
              winter: { when: { none: [popups.flash.shown_count > 0] } }

            """
        ).rules
        let whole = PairClaims(rules, limits: Self.limits(steps: 1_000_000))
        let cut = PairClaims(rules, limits: Self.limits(steps: 200))
        #expect(whole.shadows.count == 1)
        #expect(cut.shadows.isEmpty)
    }
}
