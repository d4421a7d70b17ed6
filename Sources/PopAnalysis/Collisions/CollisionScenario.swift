internal import PopCEL
internal import PopScenario
internal import PopScheduler
internal import PopSource

/// Runs a scenario about two popups, with both and without the one that shows first.
struct CollisionScenario {
    private let rules: RuleSet
    /// The rules, or only the popups that may take part in the scenario.
    private let stage: PreparedRules
    private let limits: AnalysisLimits
    private let beginning: ScenarioStart
    private let popups: [PopupIndex]
    private var telling: RecordedRun
    private var script: [RecordedRun.Move] = []
    /// The popup that shows first.
    var winner: PopupIndex?
    private var hasLooked = false
    /// The time at which both are triggered; earlier impressions don't count.
    private var met = Duration.zero
    /// The time for which a user looks at a popup.
    private let look: Duration

    init(
        _ meetings: PairAnalysis, _ beginning: ScenarioStart, _ popups: [PopupIndex],
        on stage: PreparedRules, look: Duration, moreActs: Int = 0
    ) {
        self.look = look
        self.stage = stage
        rules = meetings.rules
        limits = meetings.limits
        self.beginning = beginning
        self.popups = popups
        telling = RecordedRun(
            beginning, about: popups.map { [rules = meetings.rules] in rules.popups[$0] },
            on: stage,
            mostActs: meetings.limits.storySteps + moreActs, isNoted: true,
            within: meetings.limits.budget)
    }

    /// Notes that the next act triggers both popups.
    mutating func meet() { met = telling.time }

    /// The other popups that were closed because they occupied the screen.
    var between: Set<String> { telling.between }

    var isFull: Bool { telling.isFull }

    func isShowing(_ popup: PopupIndex) -> Bool { telling.isShowing(rules.popups[popup].id) }

    private func loser(to winner: PopupIndex) -> PopupIndex {
        popups[0] == winner ? popups[1] : popups[0]
    }

    /// Makes a move regardless of its effect, in the runs with and without the winner.
    mutating func perform(_ move: RecordedRun.Move) {
        script.append(move)
        telling.perform(move)
    }

    /// Shows one popup until a cap has no more room, and then triggers the other one. Returns false
    /// if that fails.
    mutating func tellSpending(
        of cap: WindowCap, first: PopupIndex, then second: PopupIndex, firings: [[ScenarioAct]]
    ) -> Bool {
        if firings[1].isEmpty, isShowing(second) { return false }
        let id = rules.popups[first].id
        for count in 0..<cap.max {
            if !isShowing(first) {
                fire(firings[0], for: first)
                perform(.clearFor(id))
            }
            // Other popups may have used up the cap, which has room again later.
            if !isShowing(first), count == 0, waitForRoom(in: cap, for: first) {
                perform(.clearFor(id))
                if !isShowing(first) {
                    fire(firings[0], for: first)
                    perform(.clearFor(id))
                }
            }
            guard isShowing(first) else {
                if count > 0 { break }
                return false
            }
            perform(.act(.close(id)))
        }
        fire(firings[1], for: second)
        return true
    }

    private mutating func fire(_ acts: [ScenarioAct], for popup: PopupIndex) {
        perform(.clear)
        for act in acts { perform(.act(act)) }
        waitForDelay(of: popup)
    }

    private mutating func waitForDelay(of popup: PopupIndex) {
        let explanation = explanation(of: popup)
        guard case .waiting(.delayed)? = explanation?.state,
            let time = explanation?.until?.duration(since: telling.run.now.date), time > .zero
        else { return }
        perform(.act(.wait(time.inMilliseconds)))
    }

    private func explanation(of popup: PopupIndex) -> PopupExplanation? {
        telling.run.scheduler.explain(rules.popups[popup].id, at: telling.run.now)
    }

    /// Lets time pass until a shared cap has room for a popup again. Returns false if the cap isn't
    /// what suppresses the popup.
    private mutating func waitForRoom(in cap: WindowCap, for popup: PopupIndex) -> Bool {
        let explanation = explanation(of: popup)
        guard let reason = explanation?.obstacle?.reason ?? explanation?.reason,
            reason.isOfSharedCap
        else { return false }
        let until = explanation?.until?.duration(since: telling.run.now.date)
        switch (cap.per, until) {
        case (.session, _): perform(.act(.beginSession))
        case (.rolling(let time), nil), (.rolling, let time?), (.calendar, let time?):
            guard time > .zero, time < Self.longestWait else { return false }
            perform(.act(.wait(time.inMilliseconds)))
        case (.calendar, nil), (.value, _): return false
        }
        return true
    }

    /// Continues until one popup is seen to block the other; nil if none does.
    mutating func outcome() -> CollisionOutcome? {
        var waits = 0
        while !telling.isFull {
            telling.closeOthers()
            if let winner, isShowing(loser(to: winner)) { break }
            if let first = popups.first(where: isShowing) {
                if winner == nil { winner = first }
                look(at: first)
                if isShowing(first) { telling.take(.close(rules.popups[first].id)) }
                continue
            }
            guard let wake = telling.nextWake else { break }
            // A popup that comes without an act soon after still belongs to the scenario.
            let longest = winner == nil ? Self.longestWait : Self.longestGap
            guard winner.map({ isInGap(loser(to: $0)) }) ?? (waits < Self.mostWaits),
                wake - telling.time < longest
            else { break }
            waits += 1
            telling.pass(until: wake)
        }
        return winner.flatMap { encounter($0, loser: loser(to: $0)) }
    }

    private func isInGap(_ popup: PopupIndex) -> Bool {
        telling.run.scheduler.reason(rules.popups[popup].id, at: telling.run.now) == .inGap
    }

    /// Lets a user look at a popup, the first time for as long as the other one waits.
    private mutating func look(at popup: PopupIndex) {
        var time = look
        if popup == winner, !hasLooked,
            let longest = rules.popups[loser(to: popup)].timing.maxWait,
            longest < Self.longestWait
        {
            time = max(time, longest)
        }
        hasLooked = true
        telling.pass(until: telling.time + time)
    }

    /// The time for which users look at a popup.
    static let look = Duration.seconds(5)
    private static let longestWait = Duration.seconds(86_400 * 400)
    private static let longestGap = Duration.seconds(3_600)
    private static let mostWaits = 4

    /// Returns the encounter if removing the winner changes whether or when the loser shows.
    private func encounter(_ winner: PopupIndex, loser: PopupIndex) -> CollisionOutcome? {
        let (first, second) = (rules.popups[winner].id, rules.popups[loser].id)
        let run = telling.run
        guard run.shown[first] != nil else { return nil }
        guard let early = shown(loser, without: winner) else { return nil }
        let late = run.shown[second]?.first { $0 >= met }
        guard late.map({ early < $0 }) ?? true else { return nil }
        let title =
            late == nil
            ? "\(first) suppresses \(second)" : "\(first) shows before \(second)"
        var steps = telling.steps
        for index in steps.indices where steps[index].reasons.last?.popup == first {
            steps[index].reasons.reverse()
        }
        var loss = loss(second, late: late, since: run.shown[first]?.last)
        if case .starved(let reason) = loss, isByItself(reason, of: loser, beside: winner) {
            loss = .lapsed(reason)
        }
        let story = FoundScenario(title: title, beginning: beginning, steps: steps)
        return CollisionOutcome(
            winner: winner, loser: loser,
            loss: loss, story: story, script: script, met: met, end: telling.time)
    }

    /// Returns true if a popup may not show at the end for a reason, even if the app shows neither
    /// popup.
    private func isByItself(
        _ reason: ReasonCode, of loser: PopupIndex, beside winner: PopupIndex
    ) -> Bool {
        let ids = [winner, loser].map { rules.popups[$0].id }
        var other = RecordedRun(
            beginning, about: popups.map { rules.popups[$0] }, on: stage,
            mostActs: limits.storySteps * Self.factorWithoutWinner, refusing: Set(ids),
            within: limits.budget)
        for move in script { other.perform(move) }
        other.pass(until: telling.time)
        other.take(.enqueue(ids[1]))
        let explanation = other.run.scheduler.explain(ids[1], at: other.run.now)
        return (explanation?.obstacle?.reason ?? explanation?.reason) == reason
    }

    /// Returns the time at which a popup shows without the other one, within the time of the
    /// scenario.
    private func shown(_ loser: PopupIndex, without winner: PopupIndex) -> Duration? {
        let id = rules.popups[loser].id
        guard let place = stage.place(of: rules.popups[winner].id) else { return nil }
        var other = RecordedRun(
            beginning, about: popups.map { rules.popups[$0] }, on: stage.disabling(place),
            mostActs: limits.storySteps * Self.factorWithoutWinner, within: limits.budget)
        for move in script { other.perform(move) }
        func time() -> Duration? { other.run.shown[id]?.first { $0 >= met } }
        if time() == nil { other.pass(until: telling.time) }
        return time()
    }

    /// A scenario without the winner isn't printed, and so may have more acts.
    private static let factorWithoutWinner = 4

    private func loss(_ loser: String, late: Duration?, since shown: Duration?) -> LoserOutcome {
        if late != nil { return .postponed }
        let run = telling.run
        guard let explanation = run.scheduler.explain(loser, at: run.now),
            let reason = explanation.reason
        else { return .postponed }
        switch reason.kind {
        case .capped:
            let seen = beginning.start.later(by: shown ?? run.now.instant)
            return .keptAway(reason, explanation.until?.duration(since: seen))
        case .condition: return .starved(reason)
        case .absent:
            if let obstacle = explanation.obstacle?.reason, obstacle.isOfSharedCap {
                return .lost(obstacle)
            }
            return .lost(explanation.lastEnding ?? reason)
        case .held, .barred, .ready: return .keptAway(reason, nil)
        case .ruledOut, .endedUnseen, .ended: return .lost(reason)
        }
    }
}

/// A running scenario about popups: the acts of a user, depending on what shows.
///
/// The user immediately closes other popups that show on the same screens. So scenarios that differ
/// only in their rules can be compared: other popups that come between are closed in both.
struct RecordedRun: Sendable {
    /// A move that is made regardless of its effect.
    enum Move: Sendable {
        case act(ScenarioAct)
        /// Closes everything that shows on the screens.
        case clear
        /// Closes everything that shows until one popup shows.
        case clearFor(String)
    }

    private let popups: Set<String>
    private let screens: [String]
    private let mostActs: Int
    private(set) var run: ScenarioRun
    private(set) var acts: [ScenarioAct] = []
    /// The state at the beginning and after each act; empty if it isn't recorded.
    private(set) var steps: [FoundScenario.Step] = []
    /// The popups whose state is recorded; empty if nothing is.
    private let noted: [PopupRule]
    /// Other popups that were closed because they showed.
    private(set) var between: Set<String> = []

    /// Begins a scenario about some popups, which ends after at most `mostActs` acts.
    init(
        _ beginning: ScenarioStart, about popups: [PopupRule], on stage: PreparedRules,
        mostActs: Int, isNoted: Bool = false, refusing refused: Set<String> = [],
        within budget: WorkBudget
    ) {
        let rules = stage.rules
        noted = isNoted ? popups : []
        self.popups = Set(popups.map(\.id))
        var screens: [String] = []
        for popup in popups {
            let screen = rules.schedulers[popup.scheduler].name
            if !screens.contains(screen) { screens.append(screen) }
        }
        self.screens = screens
        self.mostActs = mostActs
        run = ScenarioRun(beginning, on: stage, refusing: refused, within: budget)
        note(nil)
    }

    private mutating func note(_ act: ScenarioAct?) {
        if noted.isEmpty { return }
        let showing = run.scheduler.showing
        let hidden = noted.filter { rule in !screens.contains { showing[$0] == rule.id } }
        let reasons = hidden.compactMap { rule in
            run.scheduler.reason(rule.id, at: run.now).map { (rule.id, $0) }
        }
        steps.append(
            FoundScenario.Step(
                act: act, showing: screens.map { ($0, showing[$0]) }, reasons: reasons))
    }

    var isFull: Bool { acts.count >= mostActs }
    var time: Duration { run.now.instant }

    func isShowing(_ popup: String) -> Bool {
        let showing = run.scheduler.showing
        return screens.contains { showing[$0] == popup }
    }

    private func isOtherShowing(in run: ScenarioRun) -> Bool {
        let showing = run.scheduler.showing
        return screens.contains { screen in showing[screen].map { !popups.contains($0) } ?? false }
    }

    mutating func take(_ act: ScenarioAct) {
        guard !isFull else { return }
        acts.append(act)
        run.take(act)
        note(act)
    }

    mutating func perform(_ move: Move) {
        switch move {
        case .act(let act): take(act)
        case .clear: clear { _ in true }
        case .clearFor(let kept): clear { $0 != kept }
        }
    }

    /// Closes the other popups that show.
    mutating func closeOthers() { clear { [popups] in !popups.contains($0) } }

    private mutating func clear(_ isClosed: (String) -> Bool) {
        while !isFull {
            let showing = run.scheduler.showing
            guard let id = screens.compactMap({ showing[$0] }).first(where: isClosed) else {
                return
            }
            if !popups.contains(id) { between.insert(id) }
            take(.close(id))
        }
    }

    /// Lets time pass until `end`, and closes other popups that show in the meantime.
    mutating func pass(until end: Duration) {
        closeOthers()
        var trial = run
        while !isFull, !trial.isCutShort, let wake = trial.scheduler.nextWake, wake < end {
            let time = (wake - trial.now.instant).inMilliseconds
            guard time > .zero, trial.now.instant + time < end else { break }
            trial.take(.wait(time))
            guard isOtherShowing(in: trial) else { continue }
            take(.wait(trial.now.instant - run.now.instant))
            closeOthers()
            trial = run
        }
        let rest = end - run.now.instant
        guard rest > .zero else { return }
        take(.wait(rest))
        closeOthers()
    }

    /// The time of the next change without an act, in the precision of files; nil if there is no
    /// such change.
    var nextWake: Duration? {
        guard let wake = run.scheduler.nextWake, wake > time else { return nil }
        return time + (wake - time).inMilliseconds
    }
}

extension Duration {
    /// The duration rounded up to milliseconds, which is the precision of files.
    var inMilliseconds: Duration {
        .milliseconds(Int((self / .milliseconds(1)).rounded(.up)))
    }
}
