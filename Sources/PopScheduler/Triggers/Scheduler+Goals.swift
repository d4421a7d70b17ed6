internal import PopCEL

// The goals of popups. Nothing of this applies to popups without goals.
extension Scheduler {
    /// Handles an event that may match goals of popups.
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

    /// Converts the latest exposure that is open under the goal, whatever has happened to its popup
    /// since, and possibly ends a waiting task.
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

    /// Returns true if a goal has ended a popup for the user, permanently or for now.
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
