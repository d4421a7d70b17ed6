internal import PopCEL

// In the background nothing is chosen, and the time doesn't count as visible.
extension Scheduler {
    /// The instant up to which visible time has run: in the background, the instant at which the
    /// app went there.
    var visibleNow: Duration { absences.since?.instant ?? now.instant }

    mutating func background() {
        guard absences.since == nil else { return }
        absences.begin(at: now)
        lanes.goAway()
        if hasStarted { record(.sessionLeft(date: now.date)) }
    }

    mutating func foreground() {
        guard let since = absences.since else { return }
        lanes.comeBack(after: now.instant - since.instant)
        absences.end(at: now.instant)
        guard let timeout = catalog.rules.sessionTimeout else { return }
        if now.date.duration(since: since.date) >= timeout { beginSession() }
    }
}

extension Scheduler {
    /// Begins a session for all users. Linear in the popups.
    ///
    /// Before `started` there is nothing to renew: the first session begins with it.
    mutating func beginSession() {
        guard hasStarted else { return }
        memory.beginSession()
        conditions.beginSession(at: now.date)
        countSession()
        // Popups that a cap of the session blocked may show now.
        for popup in queues.tasks.indices { wake(popup) }
        fire(catalog.triggers.popups(at: [.session]))
    }

    /// Counts the session for the current user, unless that has been done.
    mutating func countSession() {
        guard memory.countSession() else { return }
        record(.session(date: now.date))
        changed(slots: conditions.refillSession(from: memory.history))
    }
}
