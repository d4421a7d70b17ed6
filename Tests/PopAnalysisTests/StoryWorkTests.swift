import PopAnalysis
import PopScheduler
import PopSource
import PopStories
import Testing

/// S-M1: scenarios that are played to find collisions, changes and popups that never show charge
/// the budget of the command. A condition on milliseconds makes the clock stop at each of them.
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

    @Test func `a search for collisions ends and reports that its budget is used up`() throws {
        let rules = try Self.rules(every: "1d")
        let limits = Self.limits(steps: 100)
        _ = Collisions(rules, limits: limits)
        #expect(limits.budget.rest(of: .simulatedSteps) == 0)
        #expect(!limits.budget.isAllDecided)
    }

    @Test func `a search for scenarios of a change ends and reports a used-up budget`() throws {
        let earlier = try Self.rules(every: "1d")
        let later = try Self.rules(every: "2d")
        let limits = Self.limits(steps: 100)
        let changes = RuleChanges(from: earlier, to: later, limits: limits)
        let stories = ChangeStories(of: changes, from: earlier, to: later, limits: limits)
        #expect(stories.text == nil)
        #expect(!stories.untold.isEmpty)
        #expect(!limits.budget.isAllDecided)
    }

    /// The search for a scenario of a changed schedule tries 768 points in time. Each was compared
    /// with all entries of both schedules, without a charge.
    @Test func `schedule entries that differ only in their conditions are compared once`() throws {
        func rules(_ conditions: Range<Int>) throws -> RuleSet {
            try Rules(schedule: conditions.map { "{ days: [mon], when: k == \($0) }" }).rules
        }
        let (earlier, later) = (try rules(0..<200), try rules(1..<201))
        let changes = RuleChanges(from: earlier, to: later)
        let limits = AnalysisLimits(budget: WorkBudget([.comparedPairs: 5_000]))
        _ = ChangeStories(of: changes, from: earlier, to: later, limits: limits)
        #expect(limits.budget.rest(of: .comparedPairs) > 0)
    }

    /// For each variant, 10,000 users were assigned among all variants, without a charge: 8 kB of
    /// rules took 23 seconds.
    @Test func `a search for a user whose variant changes is charged`() throws {
        func rules(_ weight: Int) throws -> RuleSet {
            let variants = (0..<300).map {
                "v\($0): { weight: \($0 * 7_919 % 1_000_003 + 1 + ($0 == 1 ? weight : 0)) }"
            }
            return try Rules(
                "context: { u: { type: string, default: a } }\npopups: { p: { experiment: { by: u,"
                    + " salt: s0, variants: { \(variants.joined(separator: ", ")) } } } }\n"
            ).rules
        }
        let (earlier, later) = (try rules(0), try rules(1))
        let limits = AnalysisLimits(budget: WorkBudget([.judgedPopups: 5_000]))
        let changes = RuleChanges(from: earlier, to: later)
        _ = ChangeStories(of: changes, from: earlier, to: later, limits: limits)
        #expect(limits.budget.rest(of: .judgedPopups) == 0)
        #expect(!limits.budget.isAllDecided)
    }

    /// For each line about a popup's triggers, the same scenario was searched again.
    @Test func `the scenario for the triggers of a popup is searched once`() throws {
        func rules(_ least: Int) throws -> RuleSet {
            let events = (0..<30).map { "  e\($0): { n: int }\n" }
            let triggers = (0..<30).map { "{ event: e\($0), where: event.n > \(least + $0) }" }
            return try Rules(
                "events:\n\(events.joined())popups:\n"
                    + "  p: { trigger: [\(triggers.joined(separator: ", "))] }\n"
            ).rules
        }
        let (earlier, later) = (try rules(0), try rules(100))
        let changes = RuleChanges(from: earlier, to: later)
        let stories = ChangeStories(
            of: changes, from: earlier, to: later, limits: .standard)
        let found = (stories.text ?? "") + stories.untold.joined(separator: "\n")
        #expect(
            found.split(separator: "popup p, trigger", omittingEmptySubsequences: false).count <= 2,
            "\(found)")
    }

    @Test
    func `schedule entries are charged at each point in time, and skipped entries are reported`()
        throws
    {
        func rules(_ minutes: Range<Int>) throws -> RuleSet {
            try Rules(schedule: minutes.map { "{ hours: 09:\($0)-10:00 }" }).rules
        }
        // They differ in the minute from 09:16 on, and each quarter of an hour is tried.
        let (earlier, later) = (try rules(16..<46), try rules(17..<47))
        let changes = RuleChanges(from: earlier, to: later)
        let limits = AnalysisLimits(budget: WorkBudget([.comparedPairs: 5_000]))
        let stories = ChangeStories(of: changes, from: earlier, to: later, limits: limits)
        #expect(limits.budget.rest(of: .comparedPairs) == 0)
        #expect(stories.text == nil)
        #expect(!limits.budget.isAllDecided)
    }

    /// The beginning of each scenario made schedulers for all popups and their caps without a
    /// charge. Judging a popup with 60 windows was charged like judging one without windows.
    @Test func `starts of scenarios and windows of caps use up the budget`() throws {
        func rules(_ more: Int) throws -> RuleSet {
            let windows = (1...60).map { "{ max: \($0 + more), per: \($0)h }" }
            let popups = (0..<30).map { "  p\($0): { cap: *caps }\n" }.joined()
            return try Rules(
                "popups:\n  first: { cap: &caps { windows: [\(windows.joined(separator: ", "))] }"
                    + " }\n"
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
            stories.untold.last?.hasSuffix("the search was stopped, because it takes too much work")
                == true)
        // Few more steps than were judged before it was used up.
        #expect(1_000_000 - limits.budget.rest(of: .simulatedSteps) < 2_000)
    }

    /// A condition that takes 320,000 steps was charged like `true`: `collisions` took 40 s.
    @Test func `a condition uses up the budget by its number of steps`() throws {
        func judged(when condition: String) throws -> (judged: Int, logic: Int) {
            let popups = (0..<4).map {
                "  p\($0): { trigger: { event: go }, when: '\(condition)' }\n"
            }
            let rules = try Rules(
                "context: { a: { type: int, default: 1 } }\nevents: { go: {} }\n"
                    + "popups:\n\(popups.joined())"
            ).rules
            let all = 1 << 40
            let limits = AnalysisLimits(
                budget: WorkBudget([.judgedPopups: all, .logicSteps: all]))
            _ = Collisions(rules, limits: limits)
            return (
                all - limits.budget.rest(of: .judgedPopups),
                all - limits.budget.rest(of: .logicSteps)
            )
        }
        let numbers = "[\((0..<50).map { "\($0)" }.joined(separator: ", "))]"
        let light = try judged(when: "a > 0")
        let heavy = try judged(
            when: "\(numbers).all(x, \(numbers).all(y, x + y + a > -1))")
        #expect(heavy.judged > light.judged + 4 * 50 * 50 / 32)
        #expect(heavy.logic > light.logic + 50 * 50)
    }

    /// A popup is reported as never shown only if its scenarios were played to their end.
    @Test func `scenarios that were cut short never prove that a popup is shadowed`() throws {
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

extension Rules {
    /// Rules of one popup with a schedule, and a number in the context.
    fileprivate init(schedule entries: [String]) throws {
        let lines = entries.map { "      - \($0)\n" }
        try self.init(
            "context: { k: { type: int, default: 0 } }\npopups:\n  p:\n    schedule:\n"
                + lines.joined())
    }
}
