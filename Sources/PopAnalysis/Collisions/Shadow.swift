internal import PopCEL
internal import PopLogic
internal import PopScenario
package import PopScheduler
internal import PopSource

/// A popup that never shows while another one can.
package struct Shadow: Sendable {
    package let popup: PopupIndex
    package let other: PopupIndex
    /// A scenario in which the other one shows, and the popup doesn't.
    package let story: FoundScenario
}

extension PairAnalysis {
    /// Returns the popups that never show while another one can, each with the first such popup.
    mutating func shadows(check: () throws -> Void) rethrows -> [Shadow] {
        var found: [Shadow] = []
        let before = told
        var steps = PairSteps(limits)
        for popup in rules.popups.places
        where rules.popups[popup].isEnabled && told - before < limits.storiesOfShadows {
            try check()
            let others = popupsRead(by: popup).sorted()
            for other in others where other != popup && steps.take(1 + rules.limits.count) {
                guard isShadowed(popup, by: other), let story = shadowStory(popup, by: other)
                else { continue }
                found.append(Shadow(popup: popup, other: other, story: story))
                break
            }
        }
        if told - before >= limits.storiesOfShadows { limits.budget.leaveUndecided() }
        return found
    }

    /// Returns the popups whose history the conditions of a popup read.
    func popupsRead(by popup: PopupIndex) -> Set<PopupIndex> {
        var found: Set<PopupIndex> = []
        var seen: Set<ConditionIndex> = []
        var pending = demands[popup].met + demands[popup].unmet
        while let program = pending.popLast() {
            for slot in program.slots {
                if let other = rules.slots[slot].popup { found.insert(other) }
                if case .condition(let condition) = rules.slots[slot],
                    seen.insert(condition).inserted
                {
                    pending.append(rules.conditions[condition].condition.program)
                }
            }
        }
        return found
    }

    // MARK: Requirements

    private mutating func isShadowed(_ popup: PopupIndex, by other: PopupIndex) -> Bool {
        guard isBehind(popup, other), isOnlyFor(usersWithout: other, popup) else { return false }
        if case .no = logic.isNever(demands[popup]) { return true }
        return false
    }

    /// Returns true if another popup waits whenever one does, and has priority: at each of its
    /// triggers, the one may show only after the other has ended.
    mutating func isBehind(_ popup: PopupIndex, _ other: PopupIndex) -> Bool {
        let (one, second) = (rules.popups[popup], rules.popups[other])
        guard second.isEnabled, one.scheduler == second.scheduler,
            goesFirst(other, before: popup), isNeverUsedUp(second, beside: one),
            waitsLess(second, than: one), isTriggered(other, whenever: popup)
        else { return false }
        // The conditions of several schedule entries aren't part of the demand.
        let schedule = second.timing.schedule
        guard schedule.isEmpty || schedule == one.timing.schedule,
            second.dismissWhen == nil || second.dismissWhen == one.dismissWhen
        else { return false }
        if case .yes = logic.implies(demands[popup], demands[other]) { return true }
        return false
    }

    private func goesFirst(_ other: PopupIndex, before popup: PopupIndex) -> Bool {
        let lane = rules.schedulers[rules.popups[popup].scheduler]
        let (one, second) = (rules.popups[popup].priority, rules.popups[other].priority)
        return lane.strategy == .priority && second > one && lane.maxWaiting == nil
    }

    /// Returns true if a popup that was never shown can always be shown, provided that the other
    /// one can.
    private func isNeverUsedUp(_ other: PopupRule, beside popup: PopupRule) -> Bool {
        let (one, second) = (popup.audience, other.audience)
        guard other.untriggered == .await,
            second.experiment == nil || second.experiment == one.experiment,
            includes(second.rollout, one.rollout),
            other.goals.allSatisfy({ $0.ends == nil }) || other.goals == popup.goals,
            other.caps == .none || other.caps == popup.caps,
            other.isEssential || !popup.isEssential
        else { return false }
        if other.isEssential { return true }
        // Caps that several popups share must be the same.
        let isFree = other.group.map { rules.groups[$0].caps.isEmpty } ?? true
        guard isFree || other.group == popup.group else { return false }
        for limit in rules.limits
        where limit.popups.includes(other.scheduler, tags: other.texts.tags) {
            guard limit.popups.includes(popup.scheduler, tags: popup.texts.tags) else {
                return false
            }
        }
        guard let quiet = rules.quiet else { return true }
        return !quiet.popups.includes(other.scheduler, tags: other.texts.tags)
            || quiet.popups.includes(popup.scheduler, tags: popup.texts.tags)
    }

    /// Returns true if every user in the narrower rollout is in the wider one.
    private func includes(_ wider: Rollout?, _ narrower: Rollout?) -> Bool {
        guard let wider else { return true }
        guard let narrower, wider.key == narrower.key, wider.salt == narrower.salt else {
            return false
        }
        if wider == narrower { return true }
        guard case .range(let part) = wider.share, case .range(let own) = narrower.share else {
            return false
        }
        return part.lowerBound <= own.lowerBound && own.upperBound <= part.upperBound
    }

    private func waitsLess(_ other: PopupRule, than popup: PopupRule) -> Bool {
        other.timing.maxWait == nil
            && other.timing.delay.upperBound <= popup.timing.delay.lowerBound
            && other.after.allSatisfy { popup.after.contains($0) }
    }

    /// Returns true if a task for one popup is created whenever one is created for the other.
    private mutating func isTriggered(_ other: PopupIndex, whenever popup: PopupIndex) -> Bool {
        for trigger in rules.popups[popup].triggers {
            var isCovered = false
            for own in rules.popups[other].triggers where covers(own, trigger) {
                isCovered = true
            }
            guard isCovered else { return false }
        }
        return true
    }

    private mutating func covers(_ own: Trigger, _ trigger: Trigger) -> Bool {
        switch (own, trigger) {
        case (.occasion(.manual), _), (_, .occasion(.manual)): return false
        case (.occasion(let first), .occasion(let second)): return first == second
        case (.changed(let first), .changed(let second)): return first == second
        case (.acted(let first, let action), .acted(let second, let other)):
            return first == second && action == other
        case (.event(let first), .event(let second)):
            guard first.event == second.event else { return false }
            guard let condition = first.where else {
                return first.occurrence == .any
                    || first.occurrence == second.occurrence
                        && second.where == nil
            }
            guard let narrower = second.where else { return false }
            if condition == narrower {
                return first.occurrence == .any || first.occurrence == second.occurrence
            }
            guard first.occurrence == .any,
                case .yes = logic.implies(
                    Requirement([narrower.program]), Requirement([condition.program]))
            else { return false }
            return true
        case (.occasion, _), (.changed, _), (.acted, _), (.event, _): return false
        }
    }

    /// Returns true if a popup shows only to users who have never seen the other one.
    private mutating func isOnlyFor(usersWithout other: PopupIndex, _ popup: PopupIndex) -> Bool {
        let name = "popups.\(rules.popups[other].id)"
        let count = Variable("\(name).shown_count", type: .int, minimum: .int(0))
        let last = Variable("\(name).last_shown", type: .timestamp, mayBeMissing: true)
        for (text, variable) in [
            ("\(name).shown_count == 0", count), ("!has(\(name).last_shown)", last),
        ] {
            var environment = Environment.ofRules()
            environment.declare(variable)
            var slots = SlotTable()
            guard let expression = Expression.parse(text).value,
                let program = environment.compile(expression, expecting: .bool, slots: &slots).value
            else { continue }
            if case .yes = logic.implies(demands[popup], Requirement([program])) { return true }
        }
        return false
    }

    // MARK: Scenarios

    /// Returns the scenario that proves it, if no directed scenario shows the popup.
    private mutating func shadowStory(_ popup: PopupIndex, by other: PopupIndex) -> FoundScenario? {
        guard let trigger = rules.popups[popup].triggers.lazy.compactMap(CommonTrigger.init).first,
            let encounter = meeting(of: other, and: popup, at: trigger), encounter.winner == other,
            isKeptAway(by: encounter.loss), !shows(popup, inStoriesWith: other, after: encounter)
        else { return nil }
        return encounter.story
    }

    private func isKeptAway(by loss: LoserOutcome) -> Bool {
        switch loss {
        case .starved, .lost(.waitedTooLong), .lost(.discardedUntriggered): true
        case .lost, .postponed, .keptAway, .lapsed: false
        }
    }

    /// Returns true if one of many scenarios, whose steps favor the popup, shows it. With many
    /// popups, the scenarios use only those that may take part.
    func shows(
        _ popup: PopupIndex, inStoriesWith other: PopupIndex, after encounter: CollisionOutcome
    ) -> Bool {
        let triggers = rules.popups[popup].triggers.compactMap(CommonTrigger.init)
        let stage = stage(of: [popup, other], at: triggers) ?? stage
        var stories = DirectedStories(
            of: rules.popups[popup].id,
            doing: choices(for: popup, beside: other, after: encounter.story),
            seed: UInt64(popup.number) &* 1_000_003 &+ UInt64(other.number),
            count: limits.shadowStories)
        let start = ScenarioRun(encounter.story.beginning, on: stage, within: limits.budget)
        while stories.count > 0 {
            if stories.shows(after: start, steps: limits.shadowSteps) { return true }
        }
        return false
    }

    /// Returns the steps of directed scenarios: triggers, values that conditions read, closing, and
    /// time.
    private func choices(
        for popup: PopupIndex, beside other: PopupIndex, after story: FoundScenario
    ) -> [ScenarioAct] {
        var acts = Set(story.acts)
        for index in rules.popups.places
        where rules.popups[index].scheduler == rules.popups[popup].scheduler && index != popup {
            if acts.count < Self.mostChoices { acts.insert(.close(rules.popups[index].id)) }
        }
        acts.insert(.close(rules.popups[other].id))
        acts.insert(.close(rules.popups[popup].id))
        acts.formUnion([
            .beginSession, .wait(.seconds(1)), .wait(.seconds(3_600)),
            .wait(.seconds(86_400 * 8)),
        ])
        for program in demands[popup].met + demands[other].met + demands[popup].unmet {
            for slot in program.slots {
                guard case .key(let place) = rules.slots[slot] else { continue }
                let key = rules.keys[place]
                let values = [story.beginning.context[key.name], key.defaultValue]
                for value in values.compactMap({ $0 }) + (key.allowedValues ?? []) {
                    acts.insert(.set([key.name: value]))
                }
            }
        }
        return acts.sorted { $0.yaml < $1.yaml }
    }

    private static let mostChoices = 24
}

/// Random scenarios, in which one popup should not show.
private struct DirectedStories {
    let popup: String
    let choices: [ScenarioAct]
    var dice: Dice
    /// The number of remaining scenarios.
    private(set) var count: Int

    init(of popup: String, doing choices: [ScenarioAct], seed: UInt64, count: Int) {
        (self.popup, self.choices, self.count) = (popup, choices, count)
        dice = Dice(seed: seed)
    }

    /// Returns true if the popup shows in one of the scenarios that continue from a state. They
    /// branch in two at each of the last steps, and so share the steps before. A scenario that was
    /// cut short counts as showing the popup, because it doesn't prove the opposite.
    mutating func shows(after run: ScenarioRun, steps: Int) -> Bool {
        if run.shown[popup] != nil || run.isCutShort { return true }
        if steps == 0 {
            count -= 1
            return false
        }
        for _ in 0..<(steps <= Self.partedSteps ? 2 : 1) where count > 0 {
            var next = run
            next.take(choices[dice.next(below: choices.count)])
            if shows(after: next, steps: steps - 1) { return true }
        }
        return false
    }

    private static let partedSteps = 4
}

/// A random number generator that returns the same numbers for the same seed on all platforms.
struct Dice: Sendable {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    /// Returns a number from 0 up to, but not including, the bound.
    mutating func next(below bound: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((mixed ^ (mixed >> 31)) % UInt64(max(1, bound)))
    }
}
