internal import PopCEL

// What popups are to bring about. Popups without goals have no part in any of this.
extension Scheduler {
    /// An event was sent that may be what popups were shown for.
    mutating func reachGoals(by event: EventIndex) {
        for popup in catalog.triggers.goals[event] ?? [] {
            for goal in catalog.popups[popup].goals
            where goal.event == event && isMatched(goal, of: popup) {
                reach(goal, of: popup)
            }
        }
    }

    private mutating func isMatched(_ goal: Goal, of popup: PopupIndex) -> Bool {
        guard let condition = goal.where else { return true }
        switch truth(of: condition).truth {
        case .yes: return true
        case .no: return false
        case .error(let error):
            emit(.conditionError(popup: catalog.traits[popup].id, .goalWhere, error))
            return false
        }
    }

    /// An event converts the latest exposure that is open under the goal, whatever became of its
    /// popup since, and may end what waits.
    private mutating func reach(_ goal: Goal, of popup: PopupIndex) {
        let exposure = openExposure(goal, of: popup)
        if exposure == nil, goal.ends == nil { return }
        let id = catalog.traits[popup].id
        record(
            .goalMatched(popup: id, goal: goal.name, date: now.date, exposure: exposure?.date),
            at: popup)
        if let exposure {
            historyChanged(popup)
            emit(.converted(popup: id, goal: goal.name, variant: exposure.variant))
        }
        if goal.ends != nil { discard(popup, for: .goalReached) }
    }

    private func openExposure(_ goal: Goal, of popup: PopupIndex) -> History.Popup.GoalExposure? {
        guard let past = memory.history[popup], let exposure = past.latestExposure,
            now.date <= exposure.date.advanced(by: goal.within)
        else { return nil }
        let isOpen = past.goals[goal.name]?.converted.map { $0 < exposure.date } ?? true
        return isOpen ? exposure : nil
    }

    /// Whether a goal has ended a popup for the user, for good or for now.
    func isEndedByGoal(_ popup: PopupIndex) -> Bool {
        if catalog.triggers.goals.isEmpty { return false }
        for goal in catalog.popups[popup].goals {
            guard let ends = goal.ends, let past = memory.history.goal(goal.name, of: popup) else {
                continue
            }
            switch ends {
            case .forGood: return true
            case .pause(let duration):
                if past.last.advanced(by: duration) > now.date { return true }
            }
        }
        return false
    }
}
