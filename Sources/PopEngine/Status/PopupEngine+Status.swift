extension PopupEngine {
    /// What `explain` says of a popup, in short: at once, and then whenever that becomes another,
    /// until the engine stops.
    ///
    /// Each change of anything has the popups that are followed explained anew, off the caller's
    /// thread and in a time that is linear in the popups.
    public func statusUpdates(of id: String) -> PopupStatusUpdates {
        let updates = statuses.subscribe(to: id) { PopupStatus(explain(id)) }
        core.beginTellingStatuses()
        return updates
    }
}
