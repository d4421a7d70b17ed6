internal import PopAnalysis
internal import PopCEL
internal import PopExplanations
internal import PopLogic
internal import PopReports
internal import PopScheduler
internal import PopSource

/// The test of one popup, written from the story that was played.
struct SkeletonTest {
    private var name: String
    private let popup: PopupRule
    private let rules: RuleSet
    private let declarations: Declarations
    private var question: Question
    private var story: SkeletonStory
    /// When the tests of the file start.
    private let fileStart: Timestamp

    /// How often other values are looked for.
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
        // Before the first step of a rollout nobody is in it.
        let open = popup.audience.rollout?.share.firstOpen(from: start) ?? start
        var question = Question(of: prepared, start: open, budget: budget)
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
        story = SkeletonStory(
            popup, question: question,
            started: popup.after.isEmpty && open == start && question.changed.isEmpty
                ? started : nil)
        changeUntilShown()
        if !story.shows, let person = audience.inside { take(person, onlyIf: \.shows) }
    }

    /// Changes what the app can change until the popup shows, as far as it is found out; not what
    /// some person has.
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
            story = SkeletonStory(popup, question: question, started: nil)
        }
    }

    /// The same with somebody who nearly may see it; nil where a condition is not what decides.
    func outside(_ audience: Audience) -> SkeletonTest? {
        guard story.shows, let person = audience.outside else { return nil }
        return told(of: person, isShown: false, named: "\(name), just outside")
    }

    /// The same with somebody who sees the popup, or who does not because of a condition; nil where
    /// it comes out otherwise.
    func told(of person: Person, isShown: Bool, named name: String) -> SkeletonTest? {
        var test = self
        test.name = name
        let isTaken = test.take(person) { story in
            isShown ? story.shows : story.reason.map { Self.deciding.contains($0) } ?? false
        }
        if isTaken { return test }
        guard isShown else { return nil }
        // Another one like that may be drawn.
        test.question = question.with(person)
        test.story = SkeletonStory(popup, question: test.question, started: nil)
        test.changeUntilShown(keeping: person)
        return test.story.shows ? test : nil
    }

    /// What keeps a popup away because of a condition.
    private static let deciding: [ReasonCode] = [
        .conditionFalse, .conditionError, .groupConditionFalse, .dismissCondition,
        .triggerFiltered,
    ]

    /// The same test, expecting that one condition or another keeps the popup away.
    var opposites: [String] {
        Self.deciding.map { text(expecting: Self.keptAway(popup.id, by: $0)) }
    }

    private static func showing(_ id: String, on lane: String) -> String {
        "showing: { \(YAMLText.name(lane)): \(YAMLText.name(id)) }"
    }

    private static func keptAway(_ id: String, by reason: ReasonCode) -> String {
        "reasons: { \(YAMLText.name(id)): \(reason.rawValue) }"
    }

    /// Tells the story of somebody else, if it comes out as it should.
    @discardableResult
    private mutating func take(
        _ person: Person, onlyIf isRight: (SkeletonStory) -> Bool
    ) -> Bool {
        let question = question.with(person)
        let story = SkeletonStory(popup, question: question, started: nil)
        guard isRight(story) else { return false }
        (self.question, self.story) = (question, story)
        return true
    }

    /// Whether it is told to its end.
    var isWhole: Bool { !story.simulation.isCutShort }

    var text: String { text(expecting: expectation) }

    private func text(expecting expectation: String) -> String {
        var lines = remarks.map { "  # \($0)" } + ["  \(name):"]
        if question.start != fileStart { lines.append("    start: \(question.start)") }
        let context = story.context.sorted { $0.key < $1.key }
        if !context.isEmpty {
            let values = context.map { (YAMLText.name($0.key), $0.value.yaml) }
            lines.append("    context: \(YAMLText.map(values))")
        }
        let past = popup.pasts.compactMap { past in
            past.first.map { (YAMLText.name(rules.popups[$0.popup].id), past.text) }
        }
        if !past.isEmpty { lines.append("    history: \(YAMLText.map(past))") }
        lines.append("    steps:")
        var steps = story.steps.map { "      - \($0)" }
        let start = steps.isEmpty ? "      - " : "        "
        steps.append("\(start)expect: { \(expectation) }")
        return (lines + steps).joined(separator: "\n") + "\n"
    }

    /// Why it does not show, where nothing was found that lets it.
    private var remarks: [String] {
        guard name == popup.id, let reason = story.reason else { return [] }
        let why = story.simulation.whyNot(popup.id).dropFirst().map(escapedForTerminal)
        let text = "not seen to show: \(reason.rawValue), \(reason.meaning)"
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

extension Question {
    /// With what a person has.
    fileprivate func with(_ person: Person) -> Question {
        var question = self
        for (key, value) in person.values { question.context[key] = value }
        for (field, value) in person.payload { question.payload[field] = value }
        return question
    }
}

extension Person {
    /// Whether a change leaves all that the person has.
    fileprivate func isLeft(by change: ContextChange) -> Bool {
        !change.context.keys.contains { values.keys.contains($0) }
            && !change.payload.keys.contains { payload.keys.contains($0) }
    }
}

extension PopupRule {
    /// The number of the first event that its trigger lets pass.
    fileprivate var occurrence: Int {
        guard case .event(let trigger)? = triggers.first else { return 1 }
        switch trigger.occurrence {
        case .any: return 1
        case .nth(let number), .every(let number): return min(number, SkeletonStory.mostSteps)
        }
    }
}

extension PopupRule {
    /// What it comes after, by popup: each of its actions once, all as long ago as the longest time
    /// that is asked for. An action ends a popup, so that nothing else is said beside one.
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
    /// As the history of a test has the past of one popup.
    fileprivate var text: String {
        let acts = compactMap { one in one.action.map { (YAMLText.name($0), "[\(one.pastTime)]") } }
        guard acts.isEmpty else { return "{ actions: \(YAMLText.map(acts)) }" }
        return "{ shown: 1, last: \(first?.pastTime ?? "-1d") }"
    }
}

extension Predecessor {
    /// How long ago it was in a test: longer than it has to be.
    fileprivate var ago: Duration { since + .seconds(86_400) }

    /// As a test says when it was.
    fileprivate var pastTime: String { "-\(YAMLText.duration(ago))" }
}

extension History {
    /// What a popup comes after was there.
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
    /// The first date from another one on at which somebody is in it; nil where nobody is any more.
    fileprivate func firstOpen(from date: Timestamp) -> Timestamp? {
        ([date] + changes.filter { $0 > date }).first { !part(at: $0).isEmpty }
    }
}
