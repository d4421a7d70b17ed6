import PopCEL
import PopScheduler

extension Model {
    /// A reason that a task may not show.
    struct Obstacle {
        var reason: ReasonCode
        /// True if the only obstacle is places that are reserved for others.
        var isReservation = false

        /// True if a task that is skipped for this reason stays, regardless of its `untriggered`.
        var isSoft: Bool {
            isReservation || [.quietHours, .postponed, .delayed, .beforeStart].contains(reason)
        }
    }

    /// Returns the first test that fails; errors of conditions are reported. If only reservations
    /// block a task, the other tests follow.
    func judge(_ lane: LaneIndex, _ task: inout Task) -> Obstacle? {
        if lanes[lane].forced == task.id.number {
            let isPostponed = task.postponedUntil.map { $0 > now.instant } ?? false
            return isPostponed ? Obstacle(reason: .postponed) : nil
        }
        var reserved: ReasonCode?
        guard let hard = firstObstacle(lane, &task, &reserved) else {
            see(.reservationKeepsOut, when: reserved != nil)
            return reserved.map { Obstacle(reason: $0, isReservation: true) }
        }
        return Obstacle(reason: reserved ?? hard.reason)
    }

    private func firstObstacle(
        _ lane: LaneIndex, _ task: inout Task, _ reserved: inout ReasonCode?
    ) -> Obstacle? {
        guard let rule = popup(task.id.popup) else { return Obstacle(reason: .removedByReload) }
        if isQuiet(rule) { return Obstacle(reason: .quietHours) }
        if let until = task.postponedUntil, until > now.instant {
            return Obstacle(reason: .postponed)
        }
        let delay = drawn(rule.timing.delay, "delay", of: rule.id, number: task.delayDraw)
        if visibleTime(since: task.made) < delay { return Obstacle(reason: .delayed) }
        if let reason = schedule(rule, &task) { return Obstacle(reason: reason) }
        if !rule.after.allSatisfy(isOver) {
            return Obstacle(reason: .awaitingPredecessor)
        }
        if let obstacle = group(rule, &task, &reserved) { return obstacle }
        if !hasPlace(task), let obstacle = caps(rule, lane, &reserved) { return obstacle }
        if let reason = conditions(rule, &task) { return Obstacle(reason: reason) }
        return nil
    }

    private func conditions(_ rule: PopupRule, _ task: inout Task) -> ReasonCode? {
        if let condition = rule.when {
            let truth = truth(condition)
            note(truth, &task, .when)
            switch truth {
            case .yes: break
            case .no: return .conditionFalse
            case .error: return .conditionError
            }
        }
        guard let truth = dismissal(rule) else { return nil }
        note(truth, &task, .dismissWhen)
        see(.waitsForDismissCondition, when: truth == .yes)
        return truth == .yes ? .dismissCondition : nil
    }

    /// Returns true if other popups may come after this one: it was shown, and is neither on a
    /// screen nor about to come back to one.
    func wasShownAndIsGone(_ id: String) -> Bool {
        let past = history.popups[id] ?? History.Popup()
        guard
            past.shownCount > 0 || !leftBehind(id).isEmpty || past.exposures.controlCount > 0
        else { return false }
        let isStillThere = lanes.contains { lane in
            lane.holder?.rule.id == id
                || (lane.waiting + (lane.next.map { [$0.task] } ?? []))
                    .contains { $0.id.popup == id && $0.wasShown }
        }
        see(.afterWaitsForScreen, when: isStillThere)
        let isByControl = past.exposures.controlCount > 0
        see(.afterByControl, when: !isStillThere && past.shownCount == 0 && isByControl)
        see(
            .afterByReservationLeftBehind,
            when: !isStillThere && past.shownCount == 0 && !isByControl)
        return !isStillThere
    }

    func note(_ truth: Truth, _ task: inout Task, _ role: ConditionRole) {
        if case .error(let error) = truth {
            if error != task.errors[role] {
                emit(.conditionError(popup: task.id.popup, role, error))
            }
            task.errors[role] = error
        } else {
            task.errors[role] = nil
        }
    }

    private func group(
        _ rule: PopupRule, _ task: inout Task, _ reserved: inout ReasonCode?
    ) -> Obstacle? {
        guard let index = rule.group else { return nil }
        let group = rules.groups[index]
        if let condition = group.when {
            let truth = truth(condition)
            note(truth, &task, .groupWhen)
            if truth != .yes { return Obstacle(reason: .groupConditionFalse) }
        }
        if hasPlace(task) { return nil }
        for (cap, reason, ids) in shared(rule) where reason == .groupCap {
            if isUsedUp(cap, reason, ids, &reserved) { return Obstacle(reason: reason) }
        }
        return nil
    }

    private func caps(
        _ rule: PopupRule, _ lane: LaneIndex, _ reserved: inout ReasonCode?
    ) -> Obstacle? {
        if let most = rule.caps.perSession {
            let seen = ownInSession(rule.id)
            let held = heldTasks([rule.id]).count { !$0.isExposed }
            if seen >= most { return Obstacle(reason: .sessionCap) }
            if seen + held >= most { reserved = reserved ?? .sessionCap }
        }
        let cooldown = rule.caps.every.map { WindowCap(max: 1, per: .rolling($0)) }
        if let cooldown, isUsedUp(cooldown, .cooldown, [rule.id], &reserved, isOwn: true) {
            return Obstacle(reason: .cooldown)
        }
        if isPaused(rule) { return Obstacle(reason: .closedRecently) }
        if isClosedForNow(rule) { return Obstacle(reason: .closedTooOften) }
        for window in rule.caps.windows {
            let reason = window.per == .session ? ReasonCode.sessionCap : .periodCap
            if isUsedUp(
                window, reason, [rule.id], &reserved, in: commonZone(rule), isOwn: true)
            {
                return Obstacle(reason: reason)
            }
        }
        for (cap, reason, ids) in shared(rule) where reason != .groupCap {
            see(.capOverAll, when: reason == .globalCap)
            if isUsedUp(cap, reason, ids, &reserved) { return Obstacle(reason: reason) }
        }
        return nil
    }

    /// The caps that a popup shares, with the popups that share them.
    func shared(_ rule: PopupRule) -> [(cap: WindowCap, reason: ReasonCode, ids: [String])] {
        rule.isEssential ? [] : capsAround(rule)
    }

    /// The caps of its group, its scheduler and several, whether it has a part in them or not.
    func capsAround(_ rule: PopupRule) -> [(cap: WindowCap, reason: ReasonCode, ids: [String])] {
        var all: [(WindowCap, ReasonCode, [String])] = []
        if let group = rule.group {
            let ids = sharing { $0.group == group }
            all += rules.groups[group].caps.map { ($0, .groupCap, ids) }
        }
        if let cap = rules.schedulers[rule.scheduler].cap {
            let ids = sharing { $0.scheduler == rule.scheduler }
            all.append((cap, .schedulerCap, ids))
        }
        for limit in rules.limits where isAmong(limit.popups, rule) {
            var ids = sharing { isAmong(limit.popups, $0) }
            if limit.popups == PopupSelection() {
                ids += history.popups.keys.filter { popup($0) == nil }
            }
            all.append((limit.cap, .globalCap, ids))
        }
        return all
    }

    /// Returns the popups that count in a cap.
    private func sharing(_ isSharing: (PopupRule) -> Bool) -> [String] {
        rules.popups.filter { !$0.isEssential && isSharing($0) }.map(\.id)
    }

    private func isAmong(_ popups: PopupSelection, _ rule: PopupRule) -> Bool {
        (popups.schedulers.isEmpty || popups.schedulers.contains(rule.scheduler))
            && (popups.tags.isEmpty || !Set(popups.tags).isDisjoint(with: rule.texts.tags))
    }

    /// The hours in which a popup is not shown.
    func quiet(_ rule: PopupRule) -> QuietRule? {
        rules.quiet.flatMap { !rule.isEssential && isAmong($0.popups, rule) ? $0 : nil }
    }

    private func isQuiet(_ rule: PopupRule) -> Bool {
        guard let quiet = quiet(rule) else { return false }
        let minute = calendar(quiet.zone).civil(at: now.date).minuteOfDay
        let (from, until) = (quiet.hours.from, quiet.hours.until)
        let isIn =
            from < until ? (from..<until).contains(minute) : minute >= from || minute < until
        see(.quietHours, when: isIn)
        return isIn
    }

    // MARK: Caps

    /// Returns true if the task has its place already, so that caps no longer block it.
    private func hasPlace(_ task: Task) -> Bool {
        task.wasShown
            || lanes.contains { $0.next?.task.id == task.id && $0.next?.reserved != nil }
    }

    /// The reservations of a popup that nobody will give back any more.
    func leftBehind(_ id: String) -> [Timestamp] {
        var dates = history.popups[id]?.reservations ?? []
        for date in heldTasks([id]).map(\.date) {
            if let index = dates.firstIndex(of: date) { dates.remove(at: index) }
        }
        return dates
    }

    /// The zone that all entries of a schedule have.
    private func commonZone(_ rule: PopupRule) -> Zone? {
        let zones = Set(rule.timing.schedule.map(\.zone))
        return zones.count == 1 ? zones.first : nil
    }

    /// Returns true if a cap has no room; if the cause is reservations, notes that instead.
    private func isUsedUp(
        _ cap: WindowCap, _ reason: ReasonCode, _ ids: [String], _ reserved: inout ReasonCode?,
        in zone: Zone? = nil, isOwn: Bool = false
    ) -> Bool {
        if case .value(let key) = cap.per {
            return isUsedUp(cap, for: key, reason, ids, &reserved, isOwn: isOwn)
        }
        let calendar = calendar(cap.zone ?? zone ?? .utc)
        let dates = ids.flatMap {
            isOwn ? ownDates($0) : (history.popups[$0]?.impressions ?? []) + leftBehind($0)
        }
        let held = heldTasks(ids).count { !isOwn || !$0.isExposed }
        let counted = dates.count { date in
            switch cap.per {
            case .rolling(let duration): date.adding(duration) ?? .max > now.date
            case .calendar(.day): date >= calendar.startOfDay(at: now.date)
            case .calendar(.week): date >= calendar.startOfWeek(at: now.date)
            case .calendar(.month): date >= calendar.startOfMonth(at: now.date)
            case .session, .value: false
            }
        }
        let inSession = ids.reduce(0) {
            $0 + (isOwn ? ownInSession($1) : sessionCounts[user]?[$1] ?? 0)
        }
        if cap.per == .session {
            if inSession >= cap.max { return true }
            if inSession + held >= cap.max { reserved = reserved ?? reason }
            return false
        }
        see(.reservationLeftBehind, when: ids.contains { !leftBehind($0).isEmpty })
        if counted >= cap.max { return true }
        if counted + held >= cap.max { reserved = reserved ?? reason }
        return false
    }

    /// Returns the reason that a task of a popup could never show; nil if there is no such reason.
    func reasonAgainst(_ rule: PopupRule) -> ReasonCode? {
        if !rule.isEnabled { return .disabled }
        if isExpired(rule) { return .expired }
        if let most = rule.caps.lifetime, let past = history.popups[rule.id],
            past.shownCount + past.reservations.count - past.exposures.placeCount
                + past.exposures.count >= most
        {
            return .lifetimeCap
        }
        if let most = rule.caps.closes, rule.caps.closesPer == nil,
            history.popups[rule.id]?.closedCount ?? 0 >= most
        {
            return .closedTooOften
        }
        if isReached(rule) { return .goalReached }
        let isHeldOut = rules.holdout.map { $0.includes(value(ofKey: $0.key)) } ?? false
        see(.essentialInHoldout, when: isHeldOut && rule.isEssential)
        return isHeldOut && !rule.isEssential ? .heldOut : nil
    }
}
