import PopCEL
import PopScheduler

extension Model {
    /// The first test that fails; errors of conditions are reported.
    func judge(_ lane: Int, _ task: inout Task) -> ReasonCode? {
        guard let rule = popup(task.id.popup) else { return .removedByReload }
        if let until = task.postponedUntil, until > now.instant { return .postponed }
        if task.made + rule.delay > now.instant { return .delayed }
        if let reason = schedule(rule) { return reason }
        for predecessor in rule.after {
            let dismissals = history.popups[rules.popups[predecessor].id]?.dismissals ?? 0
            if dismissals == 0 { return .awaitingPredecessor }
        }
        if let reason = group(rule, &task) { return reason }
        if !task.wasShown, let reason = caps(rule, lane) { return reason }
        guard let condition = rule.when else { return nil }
        let truth = truth(condition)
        note(truth, &task.whenError, .when, rule.id)
        switch truth {
        case .yes: return nil
        case .no: return .conditionFalse
        case .error: return .conditionError
        }
    }

    func note(
        _ truth: Truth, _ last: inout EvaluationError?, _ role: ConditionRole, _ popup: String
    ) {
        if case .error(let error) = truth {
            if error != last { emit(.conditionError(popup: popup, role, error)) }
            last = error
        } else {
            last = nil
        }
    }

    private func schedule(_ rule: PopupRule) -> ReasonCode? {
        guard let schedule = rule.schedule else { return nil }
        if let from = schedule.from, now.date < from { return .beforeStart }
        let civil = LocalCalendar.utc.civil(at: now.date)
        func isDay(_ day: Int) -> Bool {
            schedule.days.map { days in days.contains { $0.rawValue == day } } ?? true
        }
        guard let hours = schedule.hours else {
            return isDay(civil.dayOfISOWeek) ? nil : .outsideHours
        }
        let minute = civil.hour * 60 + civil.minute
        let yesterday = (civil.dayOfISOWeek + 6) % 7
        let isInside =
            hours.from < hours.until
            ? (hours.from..<hours.until).contains(minute) && isDay(civil.dayOfISOWeek)
            : minute >= hours.from && isDay(civil.dayOfISOWeek)
                || minute < hours.until && isDay(yesterday)
        return isInside ? nil : .outsideHours
    }

    private func group(_ rule: PopupRule, _ task: inout Task) -> ReasonCode? {
        guard let index = rule.group else { return nil }
        let group = rules.groups[index]
        if let condition = group.when {
            let truth = truth(condition)
            note(truth, &task.groupError, .groupWhen, rule.id)
            if truth != .yes { return .groupConditionFalse }
        }
        guard !task.wasShown, let cap = group.cap else { return nil }
        let dates = rules.popups.filter { $0.group == index }.flatMap { impressions($0.id) }
        return isUsedUp(cap, dates) ? .groupCap : nil
    }

    private func caps(_ rule: PopupRule, _ lane: Int) -> ReasonCode? {
        if let most = rule.caps.perSession, sessionCounts[user]?[rule.id] ?? 0 >= most {
            return .sessionCap
        }
        let own = impressions(rule.id)
        if let every = rule.caps.every, isUsedUp(WindowCap(max: 1, per: .rolling(every)), own) {
            return .cooldown
        }
        if rule.caps.windows.contains(where: { isUsedUp($0, own) }) { return .periodCap }
        guard let cap = lanes[lane].rule.cap else { return nil }
        let all = rules.popups.filter { $0.scheduler == lane }.flatMap { impressions($0.id) }
        return isUsedUp(cap, all) ? .schedulerCap : nil
    }

    private func impressions(_ id: String) -> [Timestamp] { history.popups[id]?.impressions ?? [] }

    private func isUsedUp(_ cap: WindowCap, _ dates: [Timestamp]) -> Bool {
        let counted = dates.count { date in
            switch cap.per {
            case .rolling(let duration): date.adding(duration) ?? .max > now.date
            case .calendarDay: date >= LocalCalendar.utc.startOfDay(at: now.date)
            case .calendarWeek: date >= LocalCalendar.utc.startOfWeek(at: now.date)
            }
        }
        return counted >= cap.max
    }

    /// Why a task of a popup could never show.
    func reasonAgainst(_ rule: PopupRule) -> ReasonCode? {
        if !rule.isEnabled { return .disabled }
        if let until = rule.schedule?.until, now.date >= until { return .expired }
        if let most = rule.caps.lifetime, history.popups[rule.id]?.shownCount ?? 0 >= most {
            return .lifetimeCap
        }
        return nil
    }
}
