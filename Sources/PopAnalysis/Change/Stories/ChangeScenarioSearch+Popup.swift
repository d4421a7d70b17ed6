internal import PopCEL
internal import PopScenario
internal import PopScheduler
internal import PopSource

// Scenarios about changed keys of one popup.
extension ChangeScenarioSearch {
    /// Searches for a scenario that begins with a user who may see the popup.
    func story(of change: PopupChange, _ opening: Opening) -> ChangeScenario? {
        switch change.key {
        case "cap": capStory(of: change, opening)
        case "schedule": scheduleStory(of: change, opening)
        case "rollout": rolloutStory(of: change, opening)
        case "experiment": experimentStory(of: change, opening)
        case "trigger": triggerStory(of: change, opening)
        case "enabled": firingStory(of: change, opening, because: [.disabled])
        case "after": afterStory(of: change, opening)
        case "content", "template":
            experimentStory(of: change, opening) ?? lookStory(of: change, opening)
        case "scheduler": laneStory(of: change, opening)
        case "essential": essentialStory(of: change, opening)
        case "dismiss_when": dismissStory(of: change, opening)
        case "goals": goalStory(of: change, opening)
        case "delay", "hide_after", "max_wait", "min_show", "grace": timeStory(of: change, opening)
        case _: nil
        }
    }

    /// Searches for a scenario in which the popup shows and is dismissed repeatedly.
    private func capStory(of change: PopupChange, _ opening: Opening) -> ChangeScenario? {
        var ways = [ScenarioAct.close(change.id)]
        ways += actions(of: change).map { .act(change.id, action: $0) }
        var pauses: [[ScenarioAct]] = [[], [.beginSession]]
        let times = change.old.caps.times + change.new.caps.times
        pauses += Set(times).sorted().map { [.wait($0)] }
        pauses += Set(times).sorted().map { [.wait($0), .beginSession] }
        for way in ways {
            for pause in pauses {
                let story = capStory(of: change, opening, way: way, pause: pause)
                if let story { return story }
            }
        }
        return nil
    }

    private func capStory(
        of change: PopupChange, _ opening: Opening, way: ScenarioAct, pause: [ScenarioAct]
    ) -> ChangeScenario? {
        guard var runs = runs(opening, about: [change.id]) else { return nil }
        while !runs.isFull {
            let story = present(change.id, opening, of: change.key, in: &runs) {
                $0.differs(from: $1, because: .ofOwnCaps)
            }
            if let story { return story }
            guard runs.isShowingInBoth(change.id) else { return nil }
            runs.take(way)
            runs.take(.wait(gap(of: change.id)))
            for act in pause { runs.take(act) }
        }
        return nil
    }

    /// Waits for pending popups, and then triggers a popup and waits for it. Returns the scenario
    /// if the states differ.
    func present(
        _ id: String, _ opening: Opening, of key: String, in runs: inout PairedRun,
        where isRight: (PairedRun.View, PairedRun.View) -> Bool
    ) -> ChangeScenario? {
        let time = settling(of: id)
        if let story = runs.settle(id, within: time, of: key, where: isRight) { return story }
        if runs.isShowingInBoth(id) { return nil }
        fire(id, opening, in: &runs)
        return runs.settle(id, within: time, of: key, where: isRight)
    }

    func fire(_ id: String, _ opening: Opening, in runs: inout PairedRun) {
        for act in opening.firing(id) { runs.take(act) }
    }

    private func actions(of change: PopupChange) -> [String] {
        let all = earlier.actions(of: change.old) + later.actions(of: change.new)
        return Set(all.map { $0.name }).sorted()
    }

    /// Searches for a scenario in which a triggered popup doesn't show with one of the rule sets
    /// for one of some reasons.
    func firingStory(
        of key: String, popup id: String, _ opening: Opening, because reasons: Set<ReasonCode>
    ) -> ChangeScenario? {
        guard var runs = runs(opening, about: [id]) else { return nil }
        return present(id, opening, of: key, in: &runs) {
            $0.differs(from: $1, because: reasons)
        }
    }

    private func firingStory(
        of change: PopupChange, _ opening: Opening, because reasons: Set<ReasonCode>
    ) -> ChangeScenario? {
        firingStory(of: change.key, popup: change.id, opening, because: reasons)
    }

    /// Searches for a scenario at a date at which one schedule is open and the other one isn't.
    private func scheduleStory(of change: PopupChange, _ opening: Opening) -> ChangeScenario? {
        let old = OpenWindows(change.old.timing.schedule)
        let new = OpenWindows(change.new.timing.schedule)
        let changed = old.bounds.symmetricDifference(new.bounds).sorted()
        let kept = old.bounds.intersection(new.bounds).sorted()
        var moments = (changed + kept).prefix(Self.triedBounds).flatMap { bound in
            [0, -60, 60, -43_200, 43_200].map { bound.later(by: .seconds($0)) }
        }
        moments += (0..<Self.quartersOfDays).map {
            opening.beginning.start.later(by: .seconds(900 * $0))
        }
        var tried = 0
        for moment in moments where tried < Self.triedMoments {
            guard let wasOpen = old.isOpen(at: moment, within: limits.budget),
                let isOpen = new.isOpen(at: moment, within: limits.budget)
            else { return nil }
            guard wasOpen != isOpen else { continue }
            tried += 1
            var opening = opening
            opening.beginning.start = moment
            let story = firingStory(
                of: change, opening, because: [.beforeStart, .outsideHours, .expired])
            if let story { return story }
        }
        return nil
    }

    /// The number of quarters of an hour in eight days.
    static let quartersOfDays = 8 * 96
    private static let triedMoments = 10
    private static let triedBounds = 200

    /// Searches for a scenario with a user who is in only one of the rollouts.
    private func rolloutStory(of change: PopupChange, _ opening: Opening) -> ChangeScenario? {
        let (one, other) = (change.old.audience.rollout, change.new.audience.rollout)
        let dates = [one, other].flatMap { $0?.share.changes ?? [] }
        for date in [opening.beginning.start] + dates {
            guard
                let user = value(
                    telling: change,
                    where: { old, new in
                        (one?.includes(old, at: date) ?? true)
                            != (other?.includes(new, at: date) ?? true)
                    })
            else { continue }
            var opening = opening
            opening.beginning.start = date
            opening.beginning.context.merge(user) { $1 }
            let story = firingStory(of: change, opening, because: [.notInRollout])
            if let story { return story }
        }
        return nil
    }

    /// Searches for a scenario with a user who is in a different arm, or whose arm has different
    /// content.
    private func experimentStory(of change: PopupChange, _ opening: Opening) -> ChangeScenario? {
        let (one, other) = (change.old.experiment, change.new.experiment)
        let arms = [one, other].flatMap { $0?.assignment.arms.map { $0.name } ?? [] }
        let wanted: [(Value?, Value?) -> Bool] =
            [
                {
                    let arms = [one?.assignment.arm(of: $0), other?.assignment.arm(of: $1)]
                    return arms[0] != arms[1] && !arms.contains(nil)
                },
                { one?.assignment.arm(of: $0) != other?.assignment.arm(of: $1) },
            ]
            + Set(arms).sorted().map { name in
                {
                    one?.assignment.arm(of: $0) == name && other?.assignment.arm(of: $1) == name
                }
            }
        for isWanted in wanted {
            guard
                let user = value(
                    telling: change,
                    where: { old, new in
                        let parts = [(change.old, old), (change.new, new)].allSatisfy {
                            popup, value in
                            popup.audience.rollout?.includes(value, at: opening.beginning.start)
                                ?? true
                        }
                        return parts && isWanted(old, new)
                    })
            else { continue }
            var opening = opening
            opening.beginning.context.merge(user) { $1 }
            if let story = lookStory(of: change, opening) { return story }
        }
        return nil
    }

    /// The number of variants among which a user is assigned in about the time that judging a popup
    /// takes.
    private static let armsPerCharge = 64

    /// Returns the first value of the assignment key for which a test passes; nil if the budget is
    /// used up.
    private func value(
        telling change: PopupChange, where isRight: (Value?, Value?) -> Bool
    ) -> [String: Value]? {
        func key(_ popup: PopupRule, _ rules: RuleSet) -> ContextKey? {
            let rollout = change.key == "rollout" ? popup.audience.rollout?.key : nil
            let experiment = change.key == "rollout" ? nil : popup.experiment?.assignment.key
            return (rollout ?? experiment).map { rules.keys[$0] }
        }
        let (old, new) = (key(change.old, earlier), key(change.new, later))
        guard let known = new ?? old else { return nil }
        if let old, let new, old.name != new.name { return nil }
        let arms = [change.old, change.new].reduce(0) {
            $0 + ($1.experiment?.assignment.arms.count ?? 0)
        }
        let value = known.firstDrawn(of: limits.drawnUsers) { value in
            let cost = 1 + arms / Self.armsPerCharge
            guard limits.budget.charge(.judgedPopups, cost) else { return false }
            let isHeldOut = [earlier, later].contains { rules in
                rules.holdout.map { holdout in
                    rules.keys[holdout.key].name == known.name && holdout.includes(value)
                } ?? false
            }
            return !isHeldOut && isRight(value, value)
        }
        return value.map { [known.name: $0] }
    }

    /// Searches for a scenario that fires one of the triggers, before or after the change.
    private func triggerStory(of change: PopupChange, _ opening: Opening) -> ChangeScenario? {
        let reasons: Set<ReasonCode> = [.notTriggered, .triggerFiltered, .triggerCounting]
        let isRight = { (one: PairedRun.View, other: PairedRun.View) in
            one.differs(from: other, because: reasons)
        }
        let old = change.old.triggers.map { (trigger: $0, text: RulePhrases(earlier).text($0)) }
        let new = change.new.triggers.map { (trigger: $0, text: RulePhrases(later).text($0)) }
        let ways =
            [TriggerFiring(opening: opening, acts: [.beginSession])]
            + firings(of: triggers(new, without: old), later, opening)
            + firings(of: triggers(old, without: new), earlier, opening)
        for way in ways {
            guard var runs = runs(way.opening, about: [change.id]) else { return nil }
            for turn in 0...way.times {
                let story = runs.settle(
                    change.id, within: settling(of: change.id), of: change.key, where: isRight)
                if let story { return story }
                if turn == way.times { break }
                if runs.isShowingInBoth(change.id) { runs.take(.close(change.id)) }
                for act in way.acts { runs.take(act) }
            }
        }
        return nil
    }

    /// Returns the triggers to try, beginning with those that the other rule set doesn't have.
    private func triggers(
        _ own: [(trigger: Trigger, text: String)],
        without others: [(trigger: Trigger, text: String)]
    ) -> [Trigger] {
        let texts = Set(others.map { $0.text })
        let changed = own.filter { !texts.contains($0.text) }
        let kept = own.filter { texts.contains($0.text) }
        return (changed + kept).prefix(limits.triedTriggers).map { $0.trigger }
    }

    /// The acts that fire a trigger, and the number of times to repeat them.
    private struct TriggerFiring {
        var opening: Opening
        var acts: [ScenarioAct] = []
        var times = 1
    }

    private func firings(
        of triggers: [Trigger], _ rules: RuleSet, _ opening: Opening
    ) -> [TriggerFiring] {
        let events = opening.events
        return triggers.compactMap { trigger in
            var firing = TriggerFiring(opening: opening)
            switch trigger {
            case .occasion: return nil
            case .event(let event):
                let name = rules.events[event.event].name
                firing.acts = [.send(name, events[name].map(opening.payload(of:)) ?? [:])]
                firing.times = min(2 * event.occurrence.first, Self.mostSends)
            case .changed(let key):
                guard let act = rules.change(of: key, in: &firing.opening.beginning) else {
                    return nil
                }
                firing.acts = [act]
            case .acted(let other, let action):
                let id = rules.popups[other].id
                firing.acts = [.enqueue(id), .using(action, of: id)]
            }
            return firing
        }
    }

    private static let mostSends = 20

    /// Searches for a scenario in which no predecessor has been shown.
    private func afterStory(of change: PopupChange, _ opening: Opening) -> ChangeScenario? {
        var without = opening
        for popup in (change.old.after.map { earlier.popups[$0.popup].id })
            + (change.new.after.map { later.popups[$0.popup].id })
        {
            without.beginning.impressions[popup] = nil
            without.beginning.actions[popup] = nil
        }
        for opening in [without, opening] {
            guard var runs = runs(opening, about: [change.id]) else { return nil }
            let story = present(change.id, opening, of: change.key, in: &runs) {
                $0.differs(from: $1, because: [.awaitingPredecessor])
                    || $0.isAway(otherwiseThan: $1, because: .awaitingPredecessor)
            }
            if let story { return story }
        }
        return nil
    }

    /// Searches for a scenario in which the popup shows, but looks different or is elsewhere.
    private func lookStory(of change: PopupChange, _ opening: Opening) -> ChangeScenario? {
        guard var runs = runs(opening, about: [change.id]) else { return nil }
        return present(change.id, opening, of: change.key, in: &runs) { one, other in
            if one.isShowing, other.isShowing { return true }
            let isControl = [one.arm, other.arm].contains(Assignment.control)
            return change.key == "experiment" && isControl && one.arm != other.arm
        } ?? runs.story(of: change.key) { $0.isShowing && $1.isShowing }
    }

    /// Searches for a scenario in which the popup shows elsewhere, or others on its scheduler make
    /// it wait.
    private func laneStory(of change: PopupChange, _ opening: Opening) -> ChangeScenario? {
        let reasons: Set<ReasonCode> = [
            .slotBusy, .outranked, .preempted, .inGap, .notTriggered, .schedulerCap,
        ]
        guard var runs = runs(opening, about: [change.id]) else { return nil }
        return present(change.id, opening, of: change.key, in: &runs) { one, other in
            one.isShowing && other.isShowing || one.differs(from: other, because: reasons)
        }
    }

    /// Searches for a scenario at a time between both durations.
    private func timeStory(of change: PopupChange, _ opening: Opening) -> ChangeScenario? {
        let reasons: Set<ReasonCode> =
            switch change.key {
            case "hide_after": [.timedOut, .notTriggered]
            case "max_wait": [.waitedTooLong, .notTriggered]
            case _: [.delayed, .slotBusy]
            }
        let isRight = { (one: PairedRun.View, other: PairedRun.View) in
            one.differs(from: other, because: reasons)
        }
        guard var runs = runs(opening, about: [change.id]) else { return nil }
        if change.key == "max_wait" {
            runs.clear()
            runs.take(.suspend)
            fire(change.id, opening, in: &runs)
        } else if let story = present(
            change.id, opening, of: change.key, in: &runs, where: isRight)
        {
            return story
        }
        for time in change.times.sorted() {
            runs.take(.wait(time))
            if let story = runs.story(of: change.key, where: isRight) { return story }
        }
        return nil
    }

    /// Searches for a scenario with a user in the holdout, who sees only essential popups.
    private func essentialStory(of change: PopupChange, _ opening: Opening) -> ChangeScenario? {
        guard let holdout = later.holdout else { return nil }
        let key = later.keys[holdout.key]
        guard let value = key.firstDrawn(of: limits.drawnUsers, where: { holdout.includes($0) })
        else { return nil }
        var opening = opening
        opening.beginning.context[key.name] = value
        return firingStory(of: change, opening, because: [.heldOut])
    }
}

extension ChangeScenarioSearch.Opening {
    /// Returns the payload of an event with a name.
    func payload(of name: String) -> [String: Value] {
        rules.events.firstPlace { $0.name == name }.map(payload(of:)) ?? [:]
    }

    fileprivate func payload(of event: EventIndex) -> [String: Value] {
        if case .send(_, let payload) = send(EventTrigger(event: event)) { payload } else { [:] }
    }

    /// The indexes of the events of its rules, by their names.
    fileprivate var events: [String: EventIndex] {
        Dictionary(
            rules.events.places.map { (rules.events[$0].name, $0) },
            uniquingKeysWith: { first, _ in first })
    }
}

extension PopupChange {
    /// The earlier and later value of the key as durations.
    fileprivate var times: [Duration] {
        [old, new].compactMap { popup in
            switch key {
            case "delay": popup.timing.delay.upperBound
            case "hide_after": popup.timing.hideAfter
            case "max_wait": popup.timing.maxWait
            case "grace": popup.timing.grace
            case _: nil
            }
        }.filter { $0 > .zero }
    }
}

extension Caps {
    /// The durations that the caps contain.
    var times: [Duration] {
        var times = [every, afterClose?.close].compactMap { $0 }.filter { $0 > .zero }
        times += afterClose?.actions.values.map { $0 } ?? []
        for window in windows {
            switch window.per {
            case .rolling(let time): times.append(time)
            case .calendar(let unit): times.append(.seconds(86_400 * unit.days.upperBound))
            case .session, .value: break
            }
        }
        return times
    }
}

extension PairedRun.View {
    /// Returns true if only one of them shows, and the other one doesn't for one of some reasons.
    func differs(from other: Self, because reasons: Set<ReasonCode>) -> Bool {
        switch (self, other) {
        case (.showing, .away(_, let cause?, _)), (.away(_, let cause?, _), .showing):
            reasons.contains(cause)
        case (.showing, _), (.away, _): false
        }
    }

    /// Returns true if neither shows, and only one of them for a given reason.
    fileprivate func isAway(otherwiseThan other: Self, because reason: ReasonCode) -> Bool {
        switch (self, other) {
        case (.away(let one?, _, _), .away(let second?, _, _)):
            one != second && (one == reason || second == reason)
        case (.showing, _), (.away, _): false
        }
    }
}

extension Set<ReasonCode> {
    static var ofOwnCaps: Self {
        [
            .lifetimeCap, .sessionCap, .cooldown, .closedRecently, .periodCap, .closedTooOften,
        ]
    }

    static var ofSharedCaps: Self { [.groupCap, .schedulerCap, .globalCap] }
}
