import PopCEL
import PopScheduler

// The goals of popups.
extension Model {
    /// Handles an event that was sent, before any trigger is tried.
    func convert(_ event: EventIndex) {
        for rule in rules.popups {
            for goal in rule.goals where goal.event == event && isMatched(goal, of: rule) {
                reach(goal, of: rule)
            }
        }
    }

    private func isMatched(_ goal: Goal, of rule: PopupRule) -> Bool {
        guard let condition = goal.where else { return true }
        let truth = truth(condition)
        if case .error(let error) = truth {
            emit(.conditionError(popup: rule.id, .goalWhere, error))
        }
        return truth == .yes
    }

    private func reach(_ goal: Goal, of rule: PopupRule) {
        let past = history.popups[rule.id] ?? History.Popup()
        let closed = past.goals[goal.name]?.converted
        let open = exposures(past).filter { date in
            (date.adding(goal.within) ?? .max) >= now.date && closed.map { date > $0 } ?? true
        }
        see(.convertedBefore, when: open.isEmpty && closed != nil)
        see(.exposureIsOver, when: open.isEmpty && closed == nil && !exposures(past).isEmpty)
        see(.severalExposuresOpen, when: open.count > 1)
        if !open.isEmpty || goal.ends != nil {
            record(
                .goalMatched(
                    popup: rule.id, goal: goal.name, date: now.date, exposure: open.max()))
        }
        if !open.isEmpty {
            see(.controlConverts, when: past.exposures.variant == Assignment.control)
            emit(.converted(popup: rule.id, goal: goal.name, variant: past.exposures.variant))
        }
        guard goal.ends != nil else { return }
        see(.reachedUnseen, when: exposures(past).isEmpty)
        if lane(showing: rule.id) == nil {
            endOffScreen(rule.id, .goalReached, waiting: .goalReached)
        }
    }

    /// When the user was exposed to it; where its task was in no arm, when it was seen.
    private func exposures(_ past: History.Popup) -> [Timestamp] {
        var dates = past.impressions
        for date in past.exposures.places {
            if let index = dates.firstIndex(of: date) { dates.remove(at: index) }
        }
        return dates + past.exposures.dates
    }

    /// Returns true if one of its goals has ended it, permanently or for a time.
    func isReached(_ rule: PopupRule) -> Bool {
        rule.goals.contains { goal in
            guard let last = history.popups[rule.id]?.goals[goal.name]?.last else { return false }
            switch goal.ends {
            case nil: return false
            case .forGood: return true
            case .pause(let length):
                see(.pauseOfGoalIsOver, when: (last.adding(length) ?? .max) <= now.date)
                return (last.adding(length) ?? .max) > now.date
            }
        }
    }
}
