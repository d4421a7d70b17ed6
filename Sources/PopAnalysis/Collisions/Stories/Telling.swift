internal import PopScheduler
internal import PopSource

/// A running scenario about popups: the acts of a user, depending on what shows.
///
/// The user immediately closes other popups that show on the same screens. So scenarios that differ
/// only in their rules can be compared: other popups that come between are closed in both.
struct Telling: Sendable {
    /// A move that is made regardless of its effect.
    enum Move: Sendable {
        case act(StoryAct)
        /// Closes everything that shows on the screens.
        case clear
        /// Closes everything that shows until one popup shows.
        case clearFor(String)
    }

    private let popups: Set<String>
    private let screens: [String]
    private let mostActs: Int
    private(set) var run: StoryRun
    private(set) var acts: [StoryAct] = []
    /// The state at the beginning and after each act; empty if it isn't recorded.
    private(set) var steps: [FoundScenario.Step] = []
    /// The popups whose state is recorded; empty if nothing is.
    private let noted: [PopupRule]
    /// Other popups that were closed because they showed.
    private(set) var between: Set<String> = []

    /// Begins a scenario about some popups, which ends after at most `mostActs` acts.
    init(
        _ beginning: StoryBeginning, about popups: [PopupRule], on stage: PreparedRules,
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
        run = StoryRun(beginning, on: stage, refusing: refused, within: budget)
        note(nil)
    }

    private mutating func note(_ act: StoryAct?) {
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

    private func isOtherShowing(in run: StoryRun) -> Bool {
        let showing = run.scheduler.showing
        return screens.contains { screen in showing[screen].map { !popups.contains($0) } ?? false }
    }

    mutating func take(_ act: StoryAct) {
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
