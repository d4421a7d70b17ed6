internal import PopCEL
internal import PopScheduler

/// Tells a story about two popups, with both and without the one that goes first.
struct Teller {
    private let stage: PreparedRules
    private let limits: AnalysisLimits
    private let beginning: StoryBeginning
    private let popups: [PopupIndex]
    private var telling: Telling
    private var script: [Telling.Move] = []
    /// The one that goes first.
    var winner: PopupIndex?
    private var hasLooked = false

    init(_ meetings: Meetings, _ beginning: StoryBeginning, _ popups: [PopupIndex]) {
        stage = meetings.stage
        limits = meetings.limits
        self.beginning = beginning
        self.popups = popups
        telling = Telling(
            beginning, about: popups, on: stage, mostActs: meetings.limits.storySteps)
    }

    private var rules: RuleSet { stage.rules }

    /// Those that were closed because they had the screen.
    var between: Set<PopupIndex> {
        Set(telling.between.compactMap { stage.place(of: $0) })
    }

    var isFull: Bool { telling.isFull }

    func isShowing(_ popup: PopupIndex) -> Bool { telling.isShowing(rules.popups[popup].id) }

    private func loser(to winner: PopupIndex) -> PopupIndex {
        popups[0] == winner ? popups[1] : popups[0]
    }

    /// Does something whatever comes of it, with the winner and without.
    mutating func perform(_ move: Telling.Move) {
        script.append(move)
        telling.perform(move)
    }

    /// Goes on until one is seen to be in the way of the other one; nil when none is.
    mutating func outcome() -> Encounter? {
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
            // What comes by itself a moment later belongs to the story.
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

    /// A person looks at a popup, the first time as long as the other one waits.
    private mutating func look(at popup: PopupIndex) {
        var time = Self.look
        if popup == winner, !hasLooked,
            let longest = rules.popups[loser(to: popup)].timing.maxWait,
            longest < Self.longestWait
        {
            time = max(time, longest)
        }
        hasLooked = true
        telling.pass(until: telling.time + time)
    }

    /// How long a person looks at a popup.
    private static let look = Duration.seconds(5)
    private static let longestWait = Duration.seconds(86_400 * 400)
    private static let longestGap = Duration.seconds(3_600)
    private static let mostWaits = 4

    /// Removing the winner has to change whether or when the loser shows.
    private func encounter(_ winner: PopupIndex, loser: PopupIndex) -> Encounter? {
        let (first, second) = (rules.popups[winner].id, rules.popups[loser].id)
        let run = telling.run
        guard run.shown[first] != nil else { return nil }
        guard let early = shown(loser, without: winner) else { return nil }
        let late = run.shown[second]?.first
        guard late.map({ early < $0 }) ?? true else { return nil }
        let title =
            late == nil
            ? "\(first) keeps \(second) away" : "\(first) shows before \(second)"
        let story = Story(title, beginning, telling.acts, of: [winner, loser], on: stage)
        return Encounter(
            winner: winner, loser: loser,
            loss: loss(second, late: late, since: run.shown[first]?.last), story: story,
            script: script, end: telling.time)
    }

    /// When a popup shows where another one does not, within the time of the story.
    private func shown(_ loser: PopupIndex, without winner: PopupIndex) -> Duration? {
        let id = rules.popups[loser].id
        var other = Telling(
            beginning, about: popups, on: stage.disabling(winner),
            mostActs: limits.storySteps * Self.factorWithoutWinner)
        for move in script { other.perform(move) }
        if other.run.shown[id] == nil { other.pass(until: telling.time) }
        return other.run.shown[id]?.first
    }

    /// A story without the winner is not printed: it may have more acts.
    private static let factorWithoutWinner = 4

    private func loss(_ loser: String, late: Duration?, since shown: Duration?) -> Loss {
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
