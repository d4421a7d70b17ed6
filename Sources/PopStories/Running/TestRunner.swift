internal import PopCEL
internal import PopExplanations
internal import PopScheduler
package import PopSource

/// The result of one test.
package struct TestResult: Sendable {
    package var name: Located<String>
    /// The number of steps played, or of table cases tried.
    package var steps: Int
    /// The expectations that weren't met, at most `TestRunner.mostFailures`.
    package var failures: [Diagnostic]
    /// The recordings: one, or one for each case of a table.
    package var plays: [Play]

    /// True if the work budget of the command was used up before the test ended.
    package var isCutShort = false

    package var passed: Bool { failures.isEmpty }

    /// The events of one run from its start.
    package struct Play: Sendable {
        /// The case of the table.
        package var title: String?
        package var log: [Simulation.Entry]
        /// Scenes that a drawing shows together with the log; empty unless requested.
        package var scenes: [QueueSnapshots.Scene] = []
        /// The duration by the virtual clock.
        package var length = Duration.zero
    }
}

/// Runs tests: a pure function of the tests and their rules.
package struct TestRunner {
    /// The maximum number of failures of a test; further failures add nothing new.
    package static let mostFailures = 10

    private let rules: RuleSet
    private let state: StateSlots
    private let isDrawn: Bool
    private let budget: WorkBudget
    private var failures: [Diagnostic] = []
    private var isCutShort = false
    private var coverage: Coverage?
    /// The invariants that failed in this run: each is reported once.
    private var broken: Set<SourceRange> = []

    private init(
        _ tests: RunnableTests, isDrawn: Bool, coverage: Coverage?, budget: WorkBudget
    ) {
        rules = tests.rules
        state = tests.state
        self.isDrawn = isDrawn
        self.coverage = coverage
        self.budget = budget
    }

    /// Runs a test; keeps its scenes if it is to be drawn.
    package static func run(
        _ test: RunnableTest, of tests: RunnableTests, isDrawn: Bool = false,
        within budget: WorkBudget
    ) -> TestResult {
        var runner = TestRunner(tests, isDrawn: isDrawn, coverage: nil, budget: budget)
        return runner.run(test)
    }

    /// Runs a test and, unless `coverage` is nil, records there which parts of the rules it sees.
    package static func run(
        _ test: RunnableTest, of tests: RunnableTests, isDrawn: Bool = false,
        coverage: inout Coverage?, within budget: WorkBudget
    ) -> TestResult {
        var runner = TestRunner(tests, isDrawn: isDrawn, coverage: coverage, budget: budget)
        coverage = nil
        defer { coverage = runner.coverage }
        return runner.run(test)
    }

    private mutating func run(_ test: RunnableTest) -> TestResult {
        var count = 0
        var plays: [TestResult.Play] = []
        for combination in test.combinations
        where failures.count < Self.mostFailures && !isCutShort {
            guard budget.rest(of: .simulatedSteps) > 0, budget.rest(of: .judgedPopups) > 0,
                budget.charge(.generatedRows)
            else {
                cutShort(at: test.name.range, isBegun: !plays.isEmpty || count > 0)
                break
            }
            let context = combination.reduce(into: test.context) { context, assignment in
                context.merge(assignment.values) { $1 }
            }
            let draws = combination.reduce(test.draws) { $0.merging($1.draws) }
            let before = failures.count
            if !test.steps.isEmpty || test.eligible.isEmpty {
                var played = play(test, context: context, draws: draws, count: &count)
                played.title = combination.title
                plays.append(played)
            }
            for rule in test.eligible where !isCutShort {
                check(rule, of: test, context: context, draws: draws)
                count += 1
            }
            annotate(from: before, combination)
        }
        let subject = "test `\(test.name.value)`"
        for index in failures.indices { failures[index].subject = subject }
        return TestResult(
            name: test.name, steps: count, failures: Array(failures.prefix(Self.mostFailures)),
            plays: plays, isCutShort: isCutShort)
    }

    /// Fails the test, because steps that weren't played can't have passed.
    private mutating func cutShort(at range: SourceRange, isBegun: Bool = true) {
        isCutShort = true
        failures.append(.cutShort(at: range, isBegun: isBegun, within: budget))
    }

    /// Adds the row of the table to the failures since `start`.
    private mutating func annotate(from start: Int, _ combination: [RunnableTest.Assignment]) {
        guard let row = combination.title else { return }
        for index in failures.indices.dropFirst(start) {
            failures[index].notes.insert("in the case `\(row)`", at: 0)
        }
    }

    // MARK: steps

    private mutating func play(
        _ test: RunnableTest, context: [String: Value], draws: ForcedDraws,
        count: inout Int
    ) -> TestResult.Play {
        var simulation = Simulation(
            rules: rules, context: context, draws: draws, history: test.history,
            seed: test.seed, start: test.start, zone: test.zone, user: test.user,
            faults: test.atStart.compactMap(\.fault), coverage: coverage.take(),
            scenes: isDrawn ? QueueSnapshots() : nil, budget: budget)
        broken = []
        if simulation.isCutShort { cutShort(at: test.name.range) }
        for (index, step) in test.steps.enumerated() where !isCutShort {
            let before = failures.count
            let absences = simulation.play(step)
            guard !simulation.isCutShort else {
                cutShort(at: step.range)
                break
            }
            failures += absences
            count += 1
            compare(step, of: test, in: simulation)
            checkInvariants(of: test, simulation)
            simulation.watch(step, failures: failures[before...])
            guard failures.count >= Self.mostFailures else { continue }
            if index < test.steps.count - 1 { simulation.watchBreakingOff() }
            break
        }
        if !isCutShort { failures += simulation.unusedFaults(of: test) }
        simulation.watchEnd(of: test.subjects)
        coverage = simulation.coverage
        return TestResult.Play(
            log: simulation.log, scenes: simulation.scenes?.list ?? [],
            length: simulation.now.instant)
    }

    private mutating func compare(
        _ step: RunnableStep, of test: RunnableTest, in simulation: Simulation
    ) {
        for expectation in step.expectations {
            guard var failure = simulation.failure(expectation) else { continue }
            failure.help += simulation.helpOnStart(expectation, of: test)
            failures.append(failure)
        }
        guard test.isExact, !step.expectations.isEmpty else { return }
        failures += simulation.unexpected(step)
    }

    private mutating func checkInvariants(of test: RunnableTest, _ simulation: Simulation) {
        guard !test.always.isEmpty || !test.never.isEmpty else { return }
        let values = state.values(in: simulation)
        for (conditions, wanted) in [(test.always, true), (test.never, false)] {
            for condition in conditions {
                let truth = evaluate(condition, with: values)
                guard truth != (wanted ? .yes : .no),
                    broken.insert(condition.range).inserted
                else { continue }
                let report = ConditionReport(
                    range: condition.range, root: condition.program.explain(values).root,
                    truth: truth, named: [:])
                failures.append(.invariantBroken(report, isWanted: wanted, in: simulation))
            }
        }
    }

    /// Evaluates a condition of a test and charges the work to the budget, whose end stops the test
    /// at its next step.
    private func evaluate(
        _ condition: StateCondition, with values: borrowing SlotValues
    ) -> Truth {
        var steps = 0
        let truth = condition.program.isTrue(values, steps: &steps)
        if steps > 0 { _ = budget.charge(.judgedPopups, steps / Scheduler.stepsPerTask) }
        return truth
    }

    // MARK: tables

    private mutating func check(
        _ rule: RunnableTest.EligibilityRule, of test: RunnableTest, context: [String: Value],
        draws: ForcedDraws
    ) {
        // Made for each check: all of them together have as many popups as rules times popups.
        let alone = rules.alone(rule.popup)
        var simulation = Simulation(
            rules: alone, context: context, draws: draws, history: test.history,
            seed: test.seed, start: test.start, zone: test.zone, user: test.user,
            coverage: coverage.take(), budget: budget)
        let popup = alone.popups[rule.popup]
        simulation.handle(.enqueue(popup.id))
        coverage = simulation.coverage
        guard !simulation.isCutShort else { return cutShort(at: rule.condition.range) }
        let lane = alone.schedulers[popup.scheduler].name
        let mayShow = simulation.scheduler.showing[lane] == popup.id
        let truth = evaluate(rule.condition, with: state.values(in: simulation))
        guard truth != (mayShow ? .yes : .no) else { return }
        failures.append(
            .eligibilityDiffers(
                popup.id, condition: rule.condition, mayShow: mayShow, truth: truth, in: simulation)
        )
    }
}

extension [RunnableTest.Assignment] {
    /// The printed text of the case; nil without a table.
    fileprivate var title: String? {
        isEmpty ? nil : map(\.text).joined(separator: ", ")
    }
}

extension RuleSet {
    /// Returns the same rules with only one popup enabled, which can be triggered manually and
    /// shows immediately.
    fileprivate func alone(_ popup: PopupIndex) -> RuleSet {
        var rules = self
        for other in rules.popups.places where other != popup {
            rules.popups[other].isEnabled = false
        }
        rules.popups[popup].triggers = [.manual]
        rules.popups[popup].timing.delay = .zero ... .zero
        rules.popups[popup].timing.grace = .zero
        return rules
    }
}

extension Diagnostic {
    fileprivate static func cutShort(
        at range: SourceRange, isBegun: Bool, within budget: WorkBudget
    ) -> Self {
        Diagnostic(
            .testFailed,
            message: isBegun
                ? "the test was stopped: it exceeds the work limit"
                : "the test was not run: earlier tests used up the work limit",
            at: range, label: isBegun ? "stopped before its end" : "not started",
            notes: budget.usedUpKind.map { ["all tests together \(budget.limitText(of: $0))"] }
                ?? [],
            help: [
                "use shorter times, compare times in seconds instead of milliseconds, or run fewer"
                    + " tests with `--run`"
            ])
    }

    fileprivate static func invariantBroken(
        _ report: ConditionReport, isWanted: Bool, in simulation: Simulation
    ) -> Self {
        let what = isWanted ? "an `always` condition is not true" : "a `never` condition is true"
        return Diagnostic(
            .testFailed, message: "\(what) at \(simulation.timeText)", at: report.range,
            label: "this is \(report.truth.phrase)", notes: [report.decision] + report.facts)
    }

    fileprivate static func eligibilityDiffers(
        _ popup: String, condition: StateCondition, mayShow: Bool, truth: Truth,
        in simulation: Simulation
    ) -> Self {
        let what = mayShow ? "`\(popup)` may show" : "`\(popup)` may not show"
        return Diagnostic(
            .testFailed,
            message: "\(what), but the condition of `\(popup)` in `eligible` is \(truth.phrase)",
            at: condition.range, label: "this is \(truth.phrase)",
            notes: mayShow ? [] : simulation.whyNot(popup))
    }
}

extension WorkBudget {
    /// Returns the limit of one kind of work for the tests of a command, in words.
    fileprivate func limitText(of kind: Kind) -> String {
        let amount = amount(of: kind)
        return switch kind {
        case .simulatedSteps: "may stop the clock or send an input at most \(amount) times"
        case .judgedPopups: "may evaluate popups at most \(amount) times"
        case .generatedRows: "may have at most \(amount) rows"
        case .logicSteps: "may take at most \(amount) steps to analyze conditions"
        case .comparedPairs: "may compare at most \(amount) pairs"
        }
    }
}
