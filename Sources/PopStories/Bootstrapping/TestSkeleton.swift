internal import PopAnalysis
internal import PopCEL
internal import PopExplanations
internal import PopLogic
internal import PopReports
package import PopScheduler
package import PopSource

/// A test file to start with: for each popup a test in which it shows, or a comment that explains
/// why it doesn't, and a test with a user who just misses its audience.
package struct TestSkeleton {
    /// The test file; `test` rejects it if it has no tests.
    package let text: String
    package let hasTests: Bool

    /// The date at which the tests start if no schedule requires another one.
    private static let usualStart = Timestamp(seconds: 1_767_258_000)  // 2026-01-01T09:00:00Z

    package init(_ rules: RuleSet, within budget: WorkBudget) {
        let start = Self.start(rules)
        let work = budget.rest(of: .judgedPopups)
        // Starting an app takes time for each popup, so one start is shared.
        let prepared = PreparedRules(rules)
        let started = Simulation(of: prepared, start: start, budget: budget)
        let workOfStart = work - budget.rest(of: .judgedPopups)
        let declarations = Declarations(rules).withoutNegativeDurations()
        let audiences = Audience.all(
            of: Array(rules.popups.places), in: rules, declarations: declarations,
            limits: AnalysisLimits(budget: budget))
        var tests: [String] = []
        var untold = 0
        for (popup, audience) in zip(rules.popups, audiences) {
            guard !budget.isUsedUp else {
                untold += 1
                continue
            }
            let test = SkeletonTest(
                popup, for: audience, rules: prepared, declarations: declarations,
                started: started, start: start, budget: budget)
            if test.isWhole { tests.append(test.text) } else { untold += 1 }
            if let outside = test.outside(audience), outside.isWhole { tests.append(outside.text) }
        }
        let rest = untold == 1 ? "1 popup" : "\(untold) popups"
        let remark =
            untold == 0
            ? ""
            : "\n  # Skipped, because the search for others took too long: \(rest).\n"
        hasTests = !tests.isEmpty
        // `test` starts the app again for each test.
        let workOfTests = work - budget.rest(of: .judgedPopups) + tests.count * workOfStart
        let mostWork = WorkBudget.amountsOfCommand[.judgedPopups] ?? .max
        let advice =
            workOfTests > mostWork
            ? "\n# Together they may exceed the work limit of `test`: run some of them with"
                + " `--run`."
            : ""
        text = """
            # A starting point: one test per popup, and one with a user just outside its audience.
            # Each test passes with the current rules: change it to what should happen.\(advice)
            poprules_test: 1
            start: \(start)

            tests:

            """ + tests.joined(separator: "\n") + remark
    }

    /// C16: a start so early that no schedule has ended. Time only moves forward in tests.
    static func start(_ rules: RuleSet) -> Timestamp {
        let opened = rules.popups.compactMap { popup -> Timestamp? in
            guard let last = popup.timing.schedule.last,
                let until = last.until.map({ LocalCalendar.utc.end($0) }), until <= usualStart
            else { return nil }
            let dayBefore = until.dayBefore
            return last.from.map { max(LocalCalendar.utc.start($0), dayBefore) } ?? dayBefore
        }
        return opened.min() ?? usualStart
    }
}

extension Timestamp {
    fileprivate var dayBefore: Timestamp {
        Moment(instant: .zero, date: self).advanced(by: .seconds(-86_400)).date
    }
}
