internal import PopCEL

extension Scheduler {
    /// Rechecks the conditions of former rules whenever anything happens, because their
    /// dependencies aren't watched.
    mutating func recheckFormerConditions() {
        for lane in lanes.indices
        where lanes[lane].isOccupied && lanes[lane].screen.subject?.formerRules != nil {
            lanes[lane].recheckDismissCondition()
        }
    }

    /// Takes a popup down when its `dismiss_when` becomes true. Returns true if anything has
    /// changed.
    mutating func checkDismissCondition(_ lane: LaneIndex) -> Bool {
        guard dismissBecomesTrue(lane) else { return false }
        leave(lane, leaving: Screen.Leaving(reason: .dismissCondition))
        return true
    }

    /// Returns true if `dismiss_when` is true and wasn't true at the last check.
    mutating func dismissBecomesTrue(_ lane: LaneIndex) -> Bool {
        guard lanes[lane].mustCheckDismissCondition,
            var occupant = lanes[lane].screen.occupant, occupant.leaving == nil,
            let condition = occupant.popup.dismissWhen
        else { return false }
        lanes[lane].dismissConditionChecked()
        let (truth, ends) = dismissTruth(condition, occupant: occupant, in: lane)
        occupant.dismissConditionEnds = ends
        report(
            truth.error, before: occupant.dismissError, role: .dismissWhen, of: occupant.popup.id)
        occupant.dismissError = truth.error
        let becomesTrue = truth == .yes && !occupant.dismissWasTrue
        occupant.dismissWasTrue = truth == .yes
        lanes[lane].update(occupant)
        return becomesTrue
    }

    /// Accepts the current result of `dismiss_when` without taking the popup down: the popup's own
    /// impression doesn't count as a change.
    mutating func acceptDismissCondition(_ lane: LaneIndex) {
        lanes[lane].recheckDismissCondition()
        _ = dismissBecomesTrue(lane)
    }

    private mutating func dismissTruth(
        _ condition: Condition, occupant: Screen.Occupant, in lane: LaneIndex
    ) -> (truth: Truth, ends: Timestamp?) {
        let former = occupant.subject.formerRules
        let openings = openings(readBy: condition, of: occupant.popup, under: former)
        let result: (truth: Truth, ends: Timestamp?)
        if let former {
            result = truth(of: condition, under: former, isOpen: openings?.isOpen)
        } else {
            conditions.setScheduleOpen(openings?.isOpen)
            let own = condition.program.slots
            let slots = openings.map { own + $0.slots } ?? own
            lanes[lane].watch(slots[...], as: lane, with: &conditions)
            result = truth(of: condition)
        }
        return (result.truth, earlier(result.ends, openings?.ends.date))
    }

    /// Returns the state of a popup's schedule if its `dismiss_when` reads it; nil otherwise.
    private mutating func openings(
        readBy condition: Condition, of popup: PopupRule, under former: RuleSet?
    ) -> Openings? {
        let slots = condition.program.slots
        let asks =
            former.map { rules in slots.contains { rules.slots[$0] == .scheduleOpen } }
            ?? conditions.scheduleSlot.map { slots.contains($0) } ?? false
        return asks ? openings(of: popup.timing.schedule, under: former) : nil
    }

    /// Evaluates a condition of former rules; `ends` is the date at which the result may change by
    /// itself.
    mutating func truth(
        of condition: Condition, under former: RuleSet, isOpen: Bool? = nil
    ) -> (truth: Truth, ends: Timestamp?) {
        conditions.truth(
            of: condition, under: former, history: history(for: former), isOpen: isOpen)
    }

    /// Returns a history for the slots of former rules, whose popups have other indices.
    private func history(for former: RuleSet) -> KeptHistory {
        var history = History()
        history.events = memory.history.events
        history.sessions = memory.history.sessions
        var index: [String: PopupIndex] = [:]
        for popup in former.slots.compactMap({ $0.popup }) {
            let id = former.popups[popup].id
            index[id] = popup
            history.popups[id] = memory.history[id, at: catalog.ruledPlace(of: id)]
        }
        return KeptHistory(history, count: former.popups.count, place: { index[$0] })
    }
}
