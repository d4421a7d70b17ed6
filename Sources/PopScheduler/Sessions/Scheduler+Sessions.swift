internal import PopCEL

// In the background nothing is chosen, and no time is visible time.
extension Scheduler {
    /// The instant up to which visible time has run: that at which the app went to the background,
    /// while it is there.
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
    /// A session begins for all users. Linear in the popups.
    ///
    /// Before `started` there is nothing to renew: the first session begins with it.
    mutating func beginSession() {
        guard hasStarted else { return }
        memory.beginSession()
        conditions.beginSession(at: now.date)
        countSession()
        // Whatever a cap of the session kept away may show now.
        for popup in queues.tasks.indices { wake(popup) }
        fire(catalog.triggers.popups(at: [.session]))
    }

    /// Counts the session for the user who is there, unless that has been done.
    mutating func countSession() {
        guard memory.countSession() else { return }
        record(.session(date: now.date))
        changed(slots: conditions.refillSession(from: memory.history))
    }
}
