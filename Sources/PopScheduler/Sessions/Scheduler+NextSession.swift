package import PopCEL

extension Scheduler {
    /// Returns true if coming back to the foreground on a date begins a session.
    package func beginsSession(comingBackAt date: Timestamp) -> Bool {
        guard hasStarted, let since = absences.since, let timeout = catalog.rules.sessionTimeout
        else { return false }
        return date.duration(since: since.date) >= timeout
    }
}
