internal import PopCEL
internal import PopExplanations
internal import PopScenario
internal import PopScheduler
internal import PopSource

/// A scenario that shows a change: its outcome differs between the earlier and the later rules.
package struct ChangeScenario: Sendable {
    /// The popup whose outcome differs.
    package let popup: String
    /// The key whose change it shows.
    package let key: String
    fileprivate let beginning: ScenarioStart
    fileprivate let acts: [ScenarioAct]
    fileprivate let expectations: (earlier: String, later: String)
    fileprivate let rules: (earlier: RuleSet, later: RuleSet)

    /// Returns the test as an entry of `tests`, which passes with the later rules.
    package func test(named name: String) -> String { test(name, expectations.later, rules.later) }

    /// Returns the test for the earlier rules, which declare other fields of events. It fails
    /// there.
    package func formerTest(named name: String) -> String {
        test(name, expectations.later, rules.earlier)
    }

    /// Returns the test with the outcome of the earlier rules, which shows why the other one fails
    /// there.
    package func opposite(named name: String) -> String {
        test(name, expectations.earlier, rules.earlier)
    }

    private func test(_ name: String, _ expectation: String, _ rules: RuleSet) -> String {
        var test = TestText(named: name)
        test.start = "\(beginning.start)"
        test.context = beginning.context
        test.history = beginning.past
        test.steps = acts.map { act in
            guard case .send(let event, let payload) = act else { return .init([act.yaml]) }
            let known = ScenarioAct.send(event, rules.declared(payload, ofEvent: event))
            return .init([known.yaml])
        }
        test.expect([expectation])
        return test.text
    }
}

/// A scenario that runs with the earlier and the later rules at the same time, with the same acts.
struct PairedRun {
    /// The visible state of a popup.
    enum View: Equatable {
        case showing(lane: String, arm: String?, content: Value?)
        /// The popup doesn't show. The cause is the obstacle if its task was dropped, and the
        /// reason if it wasn't; the arm is that of its last task.
        case away(ReasonCode?, cause: ReasonCode?, arm: String?)

        var isShowing: Bool { if case .showing = self { true } else { false } }
        var arm: String? {
            switch self {
            case .showing(_, let arm, _), .away(_, _, let arm): arm
            }
        }
    }

    let popups: [String]
    private let beginning: ScenarioStart
    private let rules: (earlier: RuleSet, later: RuleSet)
    private let screens: Set<String>
    /// The maximum time until another popup may show on these screens.
    private let gap: Duration
    /// True if only the later rules have the popup, so that popups which only they show are closed
    /// too.
    var isOfLater = false
    /// By popup, the arms that a test may name with both rule sets.
    private var commonArms: [String: Set<String>] = [:]
    private(set) var earlier: ScenarioRun
    private(set) var later: ScenarioRun
    private(set) var acts: [ScenarioAct] = []

    /// The maximum number of acts in a scenario.
    private static let mostActs = 60

    init(
        _ beginning: ScenarioStart, about popups: [String], on stages: ChangeStages,
        within budget: WorkBudget
    ) {
        self.popups = popups
        self.beginning = beginning
        rules = (stages.earlier.rules, stages.later.rules)
        earlier = ScenarioRun(
            beginning, on: stages.earlier, within: budget, isStartCharged: true)
        later = ScenarioRun(beginning, on: stages.later, within: budget, isStartCharged: true)
        var screens: Set<String> = []
        var gap = Duration.zero
        for stage in [stages.earlier, stages.later] {
            for popup in popups.compactMap({ stage.place(of: $0) }) {
                let lane = stage.rules.schedulers[stage.rules.popups[popup].scheduler]
                screens.insert(lane.name)
                gap = max(gap, lane.gap.upperBound)
            }
        }
        self.screens = screens
        self.gap = gap
        for popup in popups {
            let arms = [stages.earlier, stages.later].map { stage in
                let experiment = stage.place(of: popup).flatMap {
                    stage.rules.popups[$0].experiment
                }
                return Set(experiment?.assignment.arms.map { $0.name } ?? [])
            }
            commonArms[popup] = arms[0].intersection(arms[1]).union([Assignment.control])
        }
    }

    var isFull: Bool { acts.count >= Self.mostActs }

    mutating func take(_ act: ScenarioAct) {
        if isFull { return }
        if case .wait(let time) = act, time <= .zero { return }
        acts.append(act)
        earlier.take(act)
        later.take(act)
    }

    /// Closes other popups that show with both rule sets, until none shows anymore, or one shows
    /// with only one of the rule sets.
    mutating func clear() {
        while !isFull {
            let other = screens.sorted().compactMap { screen -> String? in
                let showing = [earlier, later].map { $0.scheduler.showing[screen] }
                guard let id = showing[1], isOfLater || id == showing[0], !popups.contains(id)
                else { return nil }
                return id
            }.first
            guard let other else { return }
            take(.close(other))
            take(.wait(gap))
        }
    }

    /// Waits for a triggered popup, until it shows with both rule sets. Returns the scenario if the
    /// states differ before because of a key.
    mutating func settle(
        _ popup: String, within time: Duration, of key: String, where isRight: (View, View) -> Bool
    ) -> ChangeScenario? {
        let end = later.now.instant + time + gap
        while true {
            if let story = story(of: key, where: isRight) { return story }
            let count = acts.count
            clear()
            if acts.count > count, let story = story(of: key, where: isRight) { return story }
            if isShowingInBoth(popup) || isFull { return nil }
            let wakes = [earlier, later].compactMap { $0.scheduler.nextWake }
            guard let wake = wakes.filter({ $0 > later.now.instant }).min(), wake <= end else {
                return nil
            }
            let milliseconds = ((wake - later.now.instant) / .milliseconds(1)).rounded(.up)
            take(.wait(.milliseconds(Int(milliseconds))))
        }
    }

    func isShowingInBoth(_ popup: String) -> Bool {
        views(of: popup).earlier.isShowing && views(of: popup).later.isShowing
    }

    func views(of popup: String) -> (earlier: View, later: View) {
        (Self.view(of: popup, in: earlier), Self.view(of: popup, in: later))
    }

    private static func view(of popup: String, in run: ScenarioRun) -> View {
        if let lane = run.scheduler.showing.first(where: { $0.value == popup })?.key {
            return .showing(lane: lane, arm: run.arms[popup], content: run.contents[popup])
        }
        let explanation = run.scheduler.explain(popup, at: run.now)
        let reason = explanation?.reason
        let isDropped =
            explanation?.task == nil && explanation?.lastEnding == .discardedUntriggered
        return .away(
            reason, cause: isDropped ? explanation?.obstacle?.reason : reason,
            arm: run.arms[popup])
    }

    /// Returns the scenario up to this point if the state of one of the popups differs between the
    /// rule sets, and `isRight` confirms that a key is the cause.
    func story(of key: String, where isRight: (View, View) -> Bool) -> ChangeScenario? {
        for popup in popups {
            let (one, other) = views(of: popup)
            guard one != other, isRight(one, other),
                let (first, second) = expectations(of: popup, one, other), first != second
            else { continue }
            return ChangeScenario(
                popup: popup, key: key, beginning: beginning, acts: acts,
                expectations: (first, second), rules: rules)
        }
        return nil
    }

    /// Returns the scenario up to this point if the reached goals of a popup differ between the
    /// rule sets.
    func storyOfGoals(of popup: String) -> ChangeScenario? {
        let (first, second) = (goals(of: popup, in: earlier), goals(of: popup, in: later))
        guard first != second else { return nil }
        return ChangeScenario(
            popup: popup, key: "goals", beginning: beginning, acts: acts,
            expectations: (first, second), rules: rules)
    }

    private func goals(of popup: String, in run: ScenarioRun) -> String {
        let names = run.conversions[popup, default: []].map { YAMLText.name($0) }
        return "converted: { \(YAMLText.name(popup)): [\(names.joined(separator: ", "))] }"
    }

    private func expectations(
        of popup: String, _ one: View, _ other: View
    ) -> (earlier: String, later: String)? {
        // A test can't name a popup that the rules don't have, or on another scheduler than its
        // own.
        switch (one, other) {
        case (.showing(let lane, _, _), .showing(let second, _, _)) where lane != second:
            return (place(on: lane, in: earlier), place(on: lane, in: later))
        case (.showing(let lane, _, _), .away(nil, _, _)),
            (.away(nil, _, _), .showing(let lane, _, _)):
            return (place(on: lane, in: earlier), place(on: lane, in: later))
        case (.showing, _), (.away, _): break
        }
        guard let first = expectation(of: popup, one, other: other),
            let second = expectation(of: popup, other, other: one)
        else { return nil }
        return (first, second)
    }

    private func place(on lane: String, in run: ScenarioRun) -> String {
        let popup = run.scheduler.showing[lane].map { YAMLText.name($0) } ?? "none"
        return "showing: { \(YAMLText.name(lane)): \(popup) }"
    }

    private func isNamed(_ arms: String..., of popup: String) -> Bool {
        commonArms[popup, default: []].isSuperset(of: arms)
    }

    private func expectation(of id: String, _ view: View, other: View) -> String? {
        let popup = YAMLText.name(id)
        switch (view, other) {
        case (
            .showing(_, let arm, let content),
            .showing(_, let otherArm, let rest)
        ):
            if arm != otherArm, let arm, let otherArm, isNamed(arm, otherArm, of: id) {
                return "variant: { \(popup): \(YAMLText.name(arm)) }"
            }
            guard case .map(let own)? = content, case .map(let others)? = rest else { return nil }
            // A test can't check that a field is missing.
            let field = own.first {
                others[$0.key].map { [value = $0.value] in $0 != value } ?? false
            }
            return field.map { "content: { \(popup): { \($0.key.yaml): \($0.value.yaml) } }" }
        case (.showing(_, let arm?, _), .away(_, _, Assignment.control?))
        where isNamed(arm, of: id):
            return "variant: { \(popup): \(YAMLText.name(arm)) }"
        case (.away(_, _, Assignment.control?), .showing(_, let arm?, _))
        where isNamed(arm, of: id):
            return "variant: { \(popup): control }"
        case (.showing(let lane, _, _), .away):
            return "showing: { \(YAMLText.name(lane)): \(popup) }"
        case (.away(let reason?, _, _), _): return "reasons: { \(popup): \(reason.rawValue) }"
        case (.away(nil, _, _), _): return nil
        }
    }
}

/// The earlier and the later rules, prepared for many scenarios.
struct ChangeStages {
    let earlier: PreparedRules
    let later: PreparedRules
    /// The number of popups that take as long to judge as starting both rule sets.
    let costOfStart: Int

    init(earlier: PreparedRules, later: PreparedRules) {
        self.earlier = earlier
        self.later = later
        costOfStart = JudgingCost(earlier.rules).ofStart + JudgingCost(later.rules).ofStart
    }
}
