internal import PopAnalysis
internal import PopCEL
internal import PopExplanations
internal import PopLogic
internal import PopReports
internal import PopScenario
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
            : "\n  # No tests for \(rest), because the search for tests took too long.\n"
        hasTests = !tests.isEmpty
        // `test` starts the app again for each test.
        let workOfTests = work - budget.rest(of: .judgedPopups) + tests.count * workOfStart
        let mostWork = WorkBudget.amountsOfCommand[.judgedPopups] ?? .max
        var file = TestFileText(start: "\(start)")
        file.comments = [
            "A starting point: for each popup, one test with a user who sees the popup, and one",
            "test with a similar user who does not see it.",
            "All tests pass with the current rules. Change the tests that expect the wrong thing.",
        ]
        if workOfTests > mostWork {
            file.comments.append(
                "Together, the tests may exceed the work limit of `test`: run some of them with"
                    + " `--run`.")
        }
        text = file.text(with: tests) + remark
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

/// The test of one popup, written from the scenario that was simulated.
struct SkeletonTest {
    private var name: String
    private let popup: PopupRule
    private let rules: RuleSet
    private let declarations: Declarations
    private var question: ExplainQuery
    private var story: SkeletonScenario
    /// The time at which the tests of the file start.
    private let fileStart: Timestamp

    /// The maximum number of searches for other values.
    private static let mostChanges = 3

    init(
        _ popup: PopupRule, for audience: Audience, rules prepared: PreparedRules,
        declarations: Declarations, started: Simulation, start: Timestamp, budget: WorkBudget
    ) {
        self.declarations = declarations
        name = popup.id
        self.popup = popup
        rules = prepared.rules
        fileStart = start
        // Before the first step of a rollout, no user is in it.
        let open = popup.audience.rollout?.share.firstOpen(from: start) ?? start
        var question = ExplainQuery(of: prepared, start: open, budget: budget)
        for past in popup.pasts {
            for predecessor in past {
                question.history.add(predecessor, rules.popups[predecessor.popup].id, before: open)
            }
        }
        switch popup.triggers.first {
        case nil: break
        case .occasion(let occasion)?:
            if !occasion.comesWithStart { question.enqueued = popup.id }
        case .event(let trigger)?:
            let event = rules.events[trigger.event]
            question.event = event.name
            for field in event.fields { question.payload[field.name] = field.type.emptyValue }
        case .changed(let key)?:
            question.changed = question.canChange(key) ? [key] : []
            question.enqueued = popup.id
        case .acted?: question.enqueued = popup.id
        }
        self.question = question
        story = SkeletonScenario(
            popup, question: question,
            started: popup.after.isEmpty && open == start && question.changed.isEmpty
                ? started : nil)
        changeUntilShown()
        if !story.shows, let person = audience.inside { take(person, onlyIf: \.shows) }
    }

    /// Changes the values that the app can change until the popup shows or no such change is found.
    /// Keeps the values of `person`.
    private mutating func changeUntilShown(keeping person: Person? = nil) {
        for _ in 0..<Self.mostChanges where !story.shows {
            var later = question
            later.after = story.duration
            later.sends = popup.occurrence
            let needed = NeededChanges(
                later, in: story.simulation, popup: popup, keptAwayBy: story.reason,
                declarations: declarations)
            let change = needed.changes.first { change in
                person.map { $0.isLeft(by: change) } ?? true
            }
            guard let change else { return }
            question = question.changed(by: change)
            story = SkeletonScenario(popup, question: question, started: nil)
        }
    }

    /// Returns the same test for a user who just misses the audience; nil if no condition decides.
    func outside(_ audience: Audience) -> SkeletonTest? {
        guard story.shows, let person = audience.outside else { return nil }
        return told(of: person, isShown: false, named: "\(name) does not show")
    }

    /// Returns the same test for a user who sees the popup, or doesn't see it because of a
    /// condition; nil if the simulation ends differently.
    func told(of person: Person, isShown: Bool, named name: String) -> SkeletonTest? {
        var test = self
        test.name = name
        let isTaken = test.take(person) { story in
            isShown ? story.shows : story.reason.map { Self.deciding.contains($0) } ?? false
        }
        if isTaken { return test }
        guard isShown else { return nil }
        // Another user with these values may be assigned differently.
        test.question = question.with(person)
        test.story = SkeletonScenario(popup, question: test.question, started: nil)
        test.changeUntilShown(keeping: person)
        return test.story.shows ? test : nil
    }

    /// The reasons that suppress a popup because of a condition.
    private static let deciding: [ReasonCode] = [
        .conditionFalse, .conditionError, .groupConditionFalse, .dismissCondition,
        .triggerFiltered,
    ]

    /// The same test once per condition reason, expecting that this condition suppresses the popup.
    var opposites: [String] {
        Self.deciding.map { text(expecting: Self.keptAway(popup.id, by: $0)) }
    }

    private static func showing(_ id: String, on lane: String) -> String {
        "showing: { \(YAMLText.name(lane)): \(YAMLText.name(id)) }"
    }

    private static func keptAway(_ id: String, by reason: ReasonCode) -> String {
        "reasons: { \(YAMLText.name(id)): \(reason.rawValue) }"
    }

    /// Takes the scenario of another user if it ends as required.
    @discardableResult
    private mutating func take(
        _ person: Person, onlyIf isRight: (SkeletonScenario) -> Bool
    ) -> Bool {
        let question = question.with(person)
        let story = SkeletonScenario(popup, question: question, started: nil)
        guard isRight(story) else { return false }
        (self.question, self.story) = (question, story)
        return true
    }

    /// True if the scenario was simulated to its end.
    var isWhole: Bool { !story.simulation.isCutShort }

    var text: String { text(expecting: expectation) }

    private func text(expecting expectation: String) -> String {
        var test = TestText(named: name)
        test.comments = remarks
        if question.start != fileStart { test.start = "\(question.start)" }
        test.context = story.context
        test.history = popup.pasts.compactMap { past in
            past.first.map { "\(YAMLText.name(rules.popups[$0.popup].id)): \(past.text)" }
        }
        test.steps = story.steps.map { .init([$0]) }
        test.expect([expectation])
        return test.text
    }

    /// Comments that explain why the popup doesn't show, if nothing was found that lets it show.
    private var remarks: [String] {
        guard name == popup.id, let reason = story.reason else { return [] }
        let why = story.simulation.whyNot(popup.id).dropFirst().map(escapedForTerminal)
        let text =
            "no case was found in which this popup shows: \(reason.rawValue), \(reason.meaning)"
        return wrapped(([text] + why).joined(separator: "; "), to: pageWidth, keepsCode: true)
    }

    private var expectation: String {
        if story.shows { return Self.showing(popup.id, on: story.lane) }
        guard let reason = story.reason else {
            return "waiting: { \(YAMLText.name(story.lane)): [\(YAMLText.name(popup.id))] }"
        }
        return Self.keptAway(popup.id, by: reason)
    }
}

extension ExplainQuery {
    /// Returns the question with the values of a user.
    fileprivate func with(_ person: Person) -> ExplainQuery {
        var question = self
        for (key, value) in person.values { question.context[key] = value }
        for (field, value) in person.payload { question.payload[field] = value }
        return question
    }
}

extension Person {
    /// Returns true if a change keeps all values of the user.
    fileprivate func isLeft(by change: ContextChange) -> Bool {
        !change.context.keys.contains { values.keys.contains($0) }
            && !change.payload.keys.contains { payload.keys.contains($0) }
    }
}

extension PopupRule {
    /// The number of the first event that the trigger accepts.
    fileprivate var occurrence: Int {
        guard case .event(let trigger)? = triggers.first else { return 1 }
        switch trigger.occurrence {
        case .any: return 1
        case .nth(let number), .every(let number): return min(number, SkeletonScenario.mostSteps)
        }
    }
}

extension PopupRule {
    /// The past that `after` requires, grouped by popup: each required action once, all as long ago
    /// as the longest required time. An action ends a popup, so nothing else is listed together
    /// with one.
    fileprivate var pasts: [[Predecessor]] {
        var pasts: [[Predecessor]] = []
        for predecessor in after {
            let place = pasts.firstIndex { $0.first?.popup == predecessor.popup } ?? pasts.count
            if place == pasts.count { pasts.append([]) }
            pasts[place].append(predecessor)
        }
        return pasts.map { past in
            let since = past.map(\.since).max() ?? .zero
            let acts = past.filter { $0.action != nil }
            var known: Set<String?> = []
            return (acts.isEmpty ? past : acts).filter { known.insert($0.action).inserted }.map {
                var predecessor = $0
                predecessor.since = since
                return predecessor
            }
        }
    }
}

extension [Predecessor] {
    /// The past of one popup, as the history of a test writes it.
    fileprivate var text: String {
        let acts = compactMap { one in one.action.map { (YAMLText.name($0), "[\(one.pastTime)]") } }
        guard acts.isEmpty else { return "{ actions: \(YAMLText.map(acts)) }" }
        return "{ shown: 1, last: \(first?.pastTime ?? "-1d") }"
    }
}

extension Predecessor {
    /// The time before the start at which it happened in a test: a day longer than required.
    fileprivate var ago: Duration { since + .seconds(86_400) }

    /// The same time, as a test writes it.
    fileprivate var pastTime: String { "-\(YAMLText.duration(ago))" }
}

extension History {
    /// Adds the past of a popup that another popup comes after.
    fileprivate mutating func add(
        _ predecessor: Predecessor, _ id: String, before start: Timestamp
    ) {
        let date = start.subtracting(predecessor.ago) ?? start
        apply(.impression(popup: id, date: date))
        if let action = predecessor.action {
            apply(.acted(popup: id, action: action, date: date, isClosing: false))
            apply(.endedByAction(popup: id, action: action, date: date))
        }
        apply(
            .dismissal(
                popup: id, reason: predecessor.action == nil ? .userClosed : .acted, date: date))
    }
}

extension Rollout.Share {
    /// Returns the first date, from `date` on, at which the share contains users; nil if it never
    /// contains any from then on.
    fileprivate func firstOpen(from date: Timestamp) -> Timestamp? {
        ([date] + changes.filter { $0 > date }).first { !part(at: $0).isEmpty }
    }
}
