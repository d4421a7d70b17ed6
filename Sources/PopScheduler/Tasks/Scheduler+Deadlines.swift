internal import PopCEL
internal import PopSource

extension Scheduler {
    /// Takes over the new time and handles what is due by it.
    mutating func advance(to moment: Moment) {
        let wentBack = moment.date < now.date
        now = Moment(instant: max(now.instant, moment.instant), date: moment.date)
        conditions.setNow(now.date)
        if wentBack { calendarWentBack() }
        dropOverdue()
        for lane in lanes.indices where lanes[lane].isOccupied {
            if let ends = lanes[lane].screen.dismissConditionEnds, ends <= now.date {
                lanes[lane].recheckDismissCondition()
            }
            tick(lane)
        }
    }

    /// Discards everything that was determined by the calendar.
    private mutating func calendarWentBack() {
        conditions.calendarWentBack()
        for popup in queues.tasks.indices { wake(popup) }
        for lane in lanes.indices { lanes[lane].recheckDismissCondition() }
    }

    /// Schedules the time-dependent changes of a task: when its status may change, and when it is
    /// dropped.
    mutating func scheduleDeadlines(_ popup: PopupIndex) {
        if catalog.traits[popup].isPlain, queues.tasks.isPlain(popup), !queues.hasDeadlines {
            return
        }
        var due = queues.tasks.statusEnds(of: popup)
        if !isForced(popup) { due.date = earlier(due.date, scheduleEnds(popup)) }
        if let end = waitEnds(popup) { due.instant = earlier(due.instant, end) }
        queues.schedule(popup, at: due)
    }

    /// Returns the end of a task's waiting time, which also runs while it settles and while the
    /// host is asked; nil if the waiting time has no end.
    private func waitEnds(_ popup: PopupIndex) -> Duration? {
        guard let maxWait = catalog.popups[popup].timing.maxWait, queues.tasks.isLive(popup),
            !isForced(popup)
        else { return nil }
        let claim = queues.tasks.claim(of: popup)
        return claim.wasShown ? nil : claim.made + maxWait
    }

    /// Wakes the tasks whose status may have changed with time, and drops those whose time is over,
    /// in the order of their schedulers and queues, a chosen task first. Returns true if any was
    /// dropped.
    @discardableResult
    mutating func dropOverdue() -> Bool {
        if !queues.hasDeadlines { return false }
        let due = queues.takeDue(at: now)
        if due.isEmpty { return false }
        var overdue: [(popup: PopupIndex, reason: ReasonCode)] = []
        for popup in due {
            if isExpired(popup), !isForced(popup) {
                overdue.append((popup, .expired))
            } else if let end = waitEnds(popup), end <= now.instant {
                overdue.append((popup, .waitedTooLong))
            } else {
                if queues.tasks.statusEnds(of: popup).isDue(at: now) { wake(popup) }
                scheduleDeadlines(popup)
            }
        }
        for (popup, reason) in overdue.ordered(by: { isBefore($0.popup, $1.popup) }) {
            discard(popup, for: reason)
        }
        return !overdue.isEmpty
    }

    private func isBefore(_ left: PopupIndex, _ right: PopupIndex) -> Bool {
        guard queues.tasks.isLive(left), queues.tasks.isLive(right) else { return left < right }
        let lanes = (catalog.traits[left].lane, catalog.traits[right].lane)
        guard lanes.0 == lanes.1 else { return lanes.0 < lanes.1 }
        if queues.tasks.isWaiting(left) != queues.tasks.isWaiting(right) {
            return queues.tasks.isWaiting(right)
        }
        return queues.tasks.order(of: left) < queues.tasks.order(of: right)
    }
}
