internal import PopCEL

extension Scheduler {
    /// What the conditions of former rules depend on is not watched: they are looked at whenever
    /// anything happens.
    mutating func recheckFormerConditions() {
        for lane in lanes.indices
        where lanes[lane].isOccupied && lanes[lane].screen.subject?.formerRules != nil {
            lanes[lane].recheckDismissCondition()
        }
    }

    /// Takes a popup down when its `dismiss_when` becomes true. Whether anything has changed.
    mutating func checkDismissCondition(_ lane: LaneIndex) -> Bool {
        guard dismissBecomesTrue(lane) else { return false }
        leave(lane, leaving: Screen.Leaving(reason: .dismissCondition))
        return true
    }

    /// Whether `dismiss_when` is true and was not when it was last looked at.
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

    /// That it became visible does not by itself take a popup down: its own impression is no
    /// change.
    mutating func acceptDismissCondition(_ lane: LaneIndex) {
        lanes[lane].recheckDismissCondition()
        _ = dismissBecomesTrue(lane)
    }

    private mutating func dismissTruth(
        _ condition: Condition, occupant: Screen.Occupant, in lane: LaneIndex
    ) -> (truth: Truth, ends: Timestamp?) {
        if let formerRules = occupant.subject.formerRules {
            return conditions.truth(
                of: condition, under: formerRules, history: history(for: formerRules))
        }
        lanes[lane].watch(condition.program.slots[...], as: lane, with: &conditions)
        return self.truth(of: condition)
    }

    /// What the slots of other rules are taken from: their popups have other indices.
    private func history(for former: RuleSet) -> KeptHistory {
        var history = History()
        history.events = memory.history.events
        var index: [String: PopupIndex] = [:]
        for popup in former.slots.compactMap({ $0.popup }) {
            let id = former.popups[popup].id
            index[id] = popup
            history.popups[id] = memory.history[id, at: catalog.ruledPlace(of: id)]
        }
        return KeptHistory(history, count: former.popups.count, place: { index[$0] })
    }
}
