internal import PopCEL
internal import PopLogic
package import PopScenario
package import PopScheduler

/// The effect on one popup of another one that shows.
package enum LoserOutcome: Sendable, Hashable {
    /// The popup shows after the other one is closed.
    case postponed
    /// The popup's task is dropped, or none is created.
    case lost(ReasonCode)
    /// The popup waits until a cap has room again; with the duration if it is known.
    case keptAway(ReasonCode, Duration?)
    /// The popup's condition no longer allows it to show.
    case starved(ReasonCode)
    /// The popup would have become unable to show anyway while the other one has the screen.
    case lapsed(ReasonCode)
}

extension LoserOutcome {
    /// True if a condition prevents the popup from showing.
    var isOfCondition: Bool {
        switch self {
        case .starved, .lapsed: true
        case .postponed, .lost, .keptAway: false
        }
    }
}

/// Two popups that met in a scenario: which one showed first, and the effect on the other one.
struct CollisionOutcome: Sendable {
    let winner: PopupIndex
    let loser: PopupIndex
    let loss: LoserOutcome
    let story: FoundScenario
    /// The moves in it that don't depend on which popups show.
    let script: [RecordedRun.Move]
    /// The time at which both are triggered, and the time at which the scenario ends.
    let met: Duration
    let end: Duration
}

// Scenarios are run one by one on the real scheduler: with the winner, and without it.
extension PairAnalysis {
    /// A beginning for users who meet a demand, and the payloads of events.
    struct Opening {
        var beginning: ScenarioStart
        var payloads: [EventIndex: [String: Value]]
    }

    /// Returns a beginning at which both popups may show to one user, or at which one of them may
    /// show to one of some users; nil if none was found.
    mutating func opening(
        for one: PopupIndex, and other: PopupIndex, meeting trigger: Requirement?,
        asking asked: PopupIndex? = nil, among people: People? = nil
    ) -> Opening? {
        var demand = asked.map { demands[$0] } ?? demands[one].joined(demands[other])
        if let trigger { demand = demand.joined(trigger) }
        demand.among = people
        guard let witness = logic.witness(meeting: demand) else { return nil }
        let (first, second) = (rules.popups[one], rules.popups[other])
        let start = first.start(
            with: second, notBefore: at ?? ScenarioStart.usualStart, within: limits.budget)
        var beginning = ScenarioStart(start: start)
        let read = entriesRead(by: demand.met + demand.unmet)
        let facts = witness.facts.filter { read.contains($0.entry) }
        let payloads = beginning.take(
            moved(facts, for: [first, second], to: start), meanings: meanings, of: rules)
        for predecessor in first.after + second.after
        where predecessor.popup != one && predecessor.popup != other {
            beginning.add(predecessor, id: rules.popups[predecessor.popup].id)
        }
        guard draw(for: [first, second], into: &beginning) else { return nil }
        return Opening(beginning: beginning, payloads: payloads)
    }

    /// Returns the facts with all dates shifted together, so that schedules are open that are
    /// closed at the time of the witness. Intervals between dates are preserved.
    func moved(
        _ facts: [Witness.Fact], for popups: [PopupRule], to start: Timestamp
    ) -> [Witness.Fact] {
        func date(_ fact: Witness.Fact) -> Timestamp? {
            if case .timestamp(let date)? = fact.value { date } else { nil }
        }
        let now = facts.first { meanings[$0.entry] == .now }.flatMap(date)
        guard let now,
            popups.contains(where: {
                OpenWindows($0.timing.schedule).isOpen(at: now, within: limits.budget) == false
            })
        else {
            return facts
        }
        let time = start.duration(since: now)
        return facts.map { fact in
            guard let date = date(fact) else { return fact }
            return Witness.Fact(
                entry: fact.entry, value: .timestamp(date.later(by: time)), usual: fact.usual)
        }
    }

    /// Chooses a user who is in all required rollouts and arms. Returns false if there is no such
    /// user.
    func draw(for popups: [PopupRule], into beginning: inout ScenarioStart) -> Bool {
        let past = beginning.variants.compactMap { id, arm in
            stage.place(of: id).flatMap { rules.popups[$0].experiment }
                .map { ($0.assignment, arm) }
        }
        var keys = Set(popups.compactMap { $0.audience.rollout?.key })
        keys.formUnion(popups.compactMap { $0.experiment?.assignment.key })
        keys.formUnion(past.map { $0.0.key })
        let isHeldOut = popups.contains { !$0.isEssential }
        if let holdout = rules.holdout, isHeldOut { keys.insert(holdout.key) }
        for key in keys {
            let name = rules.keys[key].name
            func isIn(_ value: Value?) -> Bool {
                if let holdout = rules.holdout, isHeldOut, holdout.key == key,
                    holdout.includes(value)
                {
                    return false
                }
                // Arms in the history must equal the assigned arms.
                guard past.allSatisfy({ $0.key != key || $0.arm(of: value) == $1 }) else {
                    return false
                }
                return popups.allSatisfy { popup in
                    if let rollout = popup.audience.rollout, rollout.key == key,
                        !rollout.includes(value, at: beginning.start)
                    {
                        return false
                    }
                    guard let assignment = popup.experiment?.assignment, assignment.key == key
                    else { return true }
                    return assignment.arm(of: value) != Assignment.control
                }
            }
            if isIn(beginning.context[name] ?? rules.keys[key].defaultValue) { continue }
            guard beginning.context[name] == nil,
                let value = rules.keys[key].firstDrawn(of: limits.drawnUsers, where: isIn)
            else { return false }
            beginning.context[name] = value
        }
        return true
    }

    /// Returns a beginning at which one popup may show to a user, and a change of momentary context
    /// keys after which the other one may show; nil if none was found.
    private mutating func changingOpening(
        for first: PopupIndex, then second: PopupIndex, meeting demands: [Requirement]
    ) -> (opening: Opening, change: [String: Value], payloads: [EventIndex: [String: Value]])? {
        let (one, other) = (users(first), users(second))
        guard
            var opening = opening(
                for: first, and: second, meeting: demands[0], asking: first, among: other),
            let then = self.opening(
                for: first, and: second, meeting: demands[1], asking: second, among: one)
        else { return nil }
        var change: [String: Value] = [:]
        let read = keysRead(by: [first])
        for place in keysRead(by: [second]) {
            let key = rules.keys[place]
            let value = then.beginning.context[key.name] ?? key.defaultValue
            let known = opening.beginning.context[key.name] ?? key.defaultValue
            if momentary.contains(place) {
                if let value, value != known { change[key.name] = value }
            } else if !read.contains(place) {
                opening.beginning.context[key.name] = then.beginning.context[key.name]
            }
        }
        opening.beginning.keep(then.beginning)
        return change.isEmpty ? nil : (opening, change, then.payloads)
    }

    /// Returns what happens if a trigger creates tasks for both popups.
    mutating func meeting(
        of one: PopupIndex, and other: PopupIndex, at trigger: CommonTrigger
    ) -> CollisionOutcome? {
        trying { $0.attempt(of: one, and: other, at: trigger, keptFrom: $1) }
    }

    /// Tries an attempt. If other popups come between the two, it is repeated with users who don't
    /// see these.
    private mutating func trying(
        _ attempt: (inout PairAnalysis, [PopupIndex]) -> Attempt
    ) -> CollisionOutcome? {
        // Kept in the order of discovery, so that results for the first ones are found again.
        var between: [PopupIndex] = []
        for _ in 0..<limits.triedUsers {
            let attempt = attempt(&self, between)
            let new = attempt.between.filter {
                rules.popups[$0].when != nil && !between.contains($0)
            }
            if attempt.encounter != nil || new.isEmpty || attempt.isFull {
                return attempt.encounter
            }
            between += new.sorted()
        }
        return nil
    }

    /// Returns the demand that prevents other popups from showing.
    private func demand(keptFrom others: [PopupIndex]) -> Requirement {
        Requirement([], unmet: others.compactMap { rules.popups[$0].when?.program })
    }

    /// An attempt to run a scenario of a trigger.
    private struct Attempt {
        var encounter: CollisionOutcome?
        /// The other popups that occupied the screen.
        var between: Set<PopupIndex> = []
        /// True if so many other popups came between that the scenario was cut off.
        var isFull = false
    }

    /// Attempts a scenario of a trigger with users who don't see some other popups.
    private mutating func attempt(
        of one: PopupIndex, and other: PopupIndex, at trigger: CommonTrigger,
        keptFrom others: [PopupIndex]
    ) -> Attempt {
        var demand = demand(of: trigger, by: [one, other])
        if !others.isEmpty {
            demand = (demand ?? Requirement([])).joined(self.demand(keptFrom: others))
        }
        guard let opening = opening(for: one, and: other, meeting: demand) else { return Attempt() }
        var attempt = attempt(opening, [one, other], at: trigger)
        guard case .lapsed? = attempt.encounter?.loss else { return attempt }
        // An earlier beginning may leave more time.
        for time in Self.earlierStarts {
            var earlier = opening
            earlier.beginning.start = opening.beginning.start.later(by: .zero - time)
            let other = self.attempt(earlier, [one, other], at: trigger)
            guard let encounter = other.encounter else { continue }
            attempt = other
            if case .lapsed = encounter.loss { continue }
            break
        }
        return attempt
    }

    /// The durations by which scenarios begin earlier if only time makes a condition false.
    private static let earlierStarts: [Duration] = [
        .seconds(60), .seconds(3_600), .seconds(86_400),
    ]

    /// Attempts a scenario for one user, with the first way of firing the trigger in which the
    /// popups meet.
    private mutating func attempt(
        _ opening: Opening, _ popups: [PopupIndex], at trigger: CommonTrigger
    ) -> Attempt {
        var attempt = Attempt()
        for (place, way) in ways(of: trigger, for: popups, opening: opening).enumerated() {
            let told = told(way.opening, popups, at: [trigger], moreActs: way.moves.count) {
                scenario in
                var moves = way.moves
                if case .acted(let popup, _) = trigger, scenario.isShowing(popup) {
                    moves.removeFirst(2)
                }
                let last = moves.popLast()
                for move in moves { scenario.perform(move) }
                scenario.meet()
                if let last { scenario.perform(last) }
                return true
            }
            if place == 0 || told.encounter != nil { attempt = told }
            if told.encounter != nil { break }
        }
        return attempt
    }

    /// Runs a scenario of two popups. `tell` performs it until one popup is seen, and returns false
    /// if that fails. If the other popup may not show after the first is closed, the scenario is
    /// repeated with a user who closes the first immediately, so that effects of time aren't blamed
    /// on the impression.
    private mutating func told(
        _ opening: Opening, _ popups: [PopupIndex], at triggers: [CommonTrigger],
        counted: Set<PopupIndex> = [], moreActs: Int = 0, _ tell: (inout CollisionScenario) -> Bool
    ) -> Attempt {
        told += 1
        if let few = stage(of: popups, at: triggers, counted: counted) {
            let attempt = attempt(opening, popups, on: few, moreActs: moreActs, tell)
            if attempt.encounter == nil { return attempt }
        }
        // A claim is only made after a run with all popups.
        return attempt(opening, popups, on: stage, moreActs: moreActs, tell)
    }

    private func attempt(
        _ opening: Opening, _ popups: [PopupIndex], on stage: PreparedRules, moreActs: Int,
        _ tell: (inout CollisionScenario) -> Bool
    ) -> Attempt {
        var attempt = Attempt()
        for look in [CollisionScenario.look, .milliseconds(1)] {
            var scenario = CollisionScenario(
                self, opening.beginning, popups, on: stage, look: look, moreActs: moreActs)
            let encounter = tell(&scenario) ? scenario.outcome() : nil
            if attempt.encounter == nil || encounter != nil {
                let between = scenario.between.compactMap { self.stage.place(of: $0) }
                attempt = Attempt(
                    encounter: encounter, between: Set(between), isFull: scenario.isFull)
            }
            guard encounter?.loss.isOfCondition == true else { break }
        }
        return attempt
    }

    /// Returns what happens if one popup has been seen as often as a cap allows, and then the other
    /// one is triggered. `counted` are the popups that the cap counts.
    mutating func spending(
        _ cap: WindowCap, of counted: Set<PopupIndex>, first: PopupIndex,
        then second: PopupIndex
    ) -> CollisionOutcome? {
        guard cap.max <= Self.mostSpent else { return nil }
        return trying {
            $0.attempt(
                spending: cap, of: counted, first: first, then: second, keptFrom: $1)
        }
    }

    /// Attempts a scenario that spends a cap, with users who don't see some other popups.
    private mutating func attempt(
        spending cap: WindowCap, of counted: Set<PopupIndex>, first: PopupIndex,
        then second: PopupIndex, keptFrom others: [PopupIndex]
    ) -> Attempt {
        let triggers = [first, second].map { popup in
            rules.popups[popup].triggers.first.flatMap(CommonTrigger.init)
        }
        let kept = demand(keptFrom: others)
        let demands = zip([first, second], triggers).map { popup, trigger in
            (trigger.flatMap { self.demand(of: $0, by: [popup]) } ?? Requirement([])).joined(kept)
        }
        var payloads: [EventIndex: [String: Value]]?
        var change: [String: Value] = [:]
        var opening: Opening
        if let both = self.opening(
            for: first, and: second, meeting: demands[0].joined(demands[1]))
            ?? self.opening(for: first, and: second, meeting: demands[0])
        {
            opening = both
            // Two events with the same name may have payloads that no single event can have.
            if triggers[0] == triggers[1], triggers[0] != nil {
                payloads = self.opening(for: first, and: second, meeting: demands[1])?.payloads
            }
        } else if let changing = changingOpening(for: first, then: second, meeting: demands) {
            (opening, change) = (changing.opening, changing.change)
            payloads = changing.payloads
        } else {
            return Attempt()
        }
        var firings: [[ScenarioAct]] = []
        for (popup, trigger) in zip([first, second], triggers) {
            let before: [ScenarioAct] = popup == second && !change.isEmpty ? [.set(change)] : []
            switch trigger {
            case nil: firings.append(before + [.enqueue(rules.popups[popup].id)])
            case .changed(let key)? where before.isEmpty || change[rules.keys[key].name] == nil:
                // A key whose change triggers the popup can't be set before it.
                guard before.isEmpty else { return Attempt() }
                guard let act = rules.change(of: key, in: &opening.beginning) else {
                    return Attempt()
                }
                firings.append([act])
            case .changed?: firings.append(before)
            case let trigger?:
                var opening = opening
                if popup == second, let payloads { opening.payloads = payloads }
                firings.append(before + firing(trigger, of: popup, opening: opening))
            }
        }
        var attempt = told(
            opening, [first, second], at: triggers.compactMap { $0 }, counted: counted
        ) { scenario in
            scenario.winner = first
            return scenario.tellSpending(of: cap, first: first, then: second, firings: firings)
        }
        if attempt.encounter?.loss.cap?.isOfSharedCap != true { attempt.encounter = nil }
        return attempt
    }

    /// The maximum number of impressions in a scenario that spend a cap.
    private static let mostSpent = 5
}

extension RuleSet {
    /// Changes the value of a key at the beginning, and returns the step that restores it; nil if
    /// the key has no other value.
    package func change(
        of place: KeyIndex, in beginning: inout ScenarioStart
    ) -> ScenarioAct? {
        let key = keys[place]
        let usual = key.defaultValue
        if let value = beginning.context[key.name], value != usual {
            beginning.context[key.name] = nil
            return .set([key.name: value])
        }
        let known = beginning.context[key.name] ?? usual
        guard let value = known ?? key.firstDrawn(of: 1, where: { _ in true }),
            let other = key.other(than: value)
        else { return nil }
        beginning.context[key.name] = other
        return .set([key.name: value])
    }
}

extension ContextKey {
    /// Returns the first value that passes a test, among `count` values that distinguish users.
    func firstDrawn(of count: Int, where isIn: (Value) -> Bool) -> Value? {
        if let allowedValues { return allowedValues.first(where: isIn) }
        switch type {
        case .string: return (1...count).lazy.map { .string("user-\($0)") }.first(where: isIn)
        case .int: return (1...count).lazy.map { .int(Int64($0)) }.first(where: isIn)
        case .uint: return (1...count).lazy.map { .uint(UInt64($0)) }.first(where: isIn)
        case .bool: return [.bool(true), .bool(false)].first(where: isIn)
        case .dyn, .null, .double, .bytes, .timestamp, .duration, .version, .list, .map, .optional,
            .type, .wrapper, .opaque, .parameter:
            return nil
        }
    }

    /// Returns another value that the key may have.
    fileprivate func other(than value: Value) -> Value? {
        if let allowedValues { return allowedValues.first { $0 != value } }
        let candidates: [Value] =
            switch value {
            case .string(let text): [.string(text + "-before"), .string("before")]
            case .bool(let truth): [.bool(!truth)]
            case .int(let number): [.int(number &- 1), .int(number &+ 1)]
            case .uint(let number): [.uint(number &+ 1), .uint(number &- 1)]
            case .double(let number): [.double(number - 1), .double(number + 1)]
            case .timestamp(let date): [.timestamp(date.later(by: .seconds(-86_400)))]
            case .duration(let time): [.duration(time + .seconds(60))]
            case .list: [.list([])]
            case .null, .bytes, .version, .map, .type, .optional: []
            }
        return candidates.first { $0 != value && refusal(of: $0) == nil }
    }
}
