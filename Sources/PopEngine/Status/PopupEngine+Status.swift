extension PopupEngine {
    /// Returns the status of a popup, a short form of `explain`: the current status immediately,
    /// and then each new one until the engine stops.
    ///
    /// After each change of any input, all popups that have subscribers are explained again, off
    /// the caller's thread and in a time that is linear in the number of popups.
    public func statusUpdates(of id: String) -> PopupStatusUpdates {
        let updates = statuses.subscribe(to: id) { PopupStatus(explain(id)) }
        core.beginTellingStatuses()
        return updates
    }
}
