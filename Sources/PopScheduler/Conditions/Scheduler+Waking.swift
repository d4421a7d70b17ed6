internal import PopCEL

// A watcher is the index of a popup whose task waits, is chosen or is on a screen, or the
// complement of the number of a lane whose visible popup has a `dismiss_when`.
extension Scheduler {
    /// A slot has a new value.
    mutating func changed(slot: Int) {
        if store.graph.hasConditions {
            changed(slots: [slot])
        } else {
            wake(watcherOf: slot)
        }
    }

    /// Slots have new values: wakes whoever depends on them, also through named conditions.
    mutating func changed(slots: [Int]) {
        guard !slots.isEmpty else { return }
        let watched = changedInPlace(slots)
        for slot in slots { wake(watcherOf: slot) }
        for condition in watched { recheck(condition.slot, before: condition.before) }
    }

    /// Marks what is computed from some slots as out of date, and gives those of it that somebody
    /// watches.
    @discardableResult
    mutating func changedInPlace(_ slots: [Int]) -> [(slot: Int, before: SlotValue)] {
        for slot in slots { store.markStale(slot) }
        if !store.graph.hasConditions { return [] }
        let dependents = store.graph.dependents(of: slots)
        for slot in dependents { store.markStale(slot) }
        return dependents.filter { watchers.isWatched($0) }.map { ($0, store[$0]) }
    }

    /// A named condition that comes to the same as before wakes nobody; one that time can change
    /// may do so at another time.
    private mutating func recheck(_ slot: Int, before: SlotValue) {
        if !store.graph.isTimed[slot] {
            store.prepare([slot], events: sources.history.events)
            if store[slot] == before { return }
        }
        wake(watcherOf: slot)
    }

    mutating func wake(watcherOf key: Int) {
        while let watcher = watchers.take(key) {
            if watcher < 0 {
                lanes[~watcher].mustCheckDismissCondition = true
            } else {
                wake(watcher)
            }
        }
    }

    /// A task must be examined again before anything is said about it.
    mutating func wake(_ popup: Int) {
        guard tasks.isLive(popup) else { return }
        tasks.forget(popup)
        if tasks.isWaiting(popup) { file(popup, status: .unknown) }
    }

    /// Keeps a record and tells the host to keep it; `popup` is the index of the one of the rules
    /// that it is about.
    mutating func record(_ record: HistoryRecord, at popup: Int? = nil) {
        keep(record, at: popup)
        perform(.record(record, user: user))
    }

    /// Keeps a record that the host is told to keep elsewhere.
    mutating func keep(_ record: HistoryRecord, at popup: Int?) {
        sources.history.apply(
            record, at: popup, keepingPerPopup: datesPerPopup, perEvent: limits.datesPerEvent)
    }

    /// The history of a popup has changed.
    mutating func historyChanged(_ popup: Int) {
        guard let slots = store.graph.slotsOfPopup[popup] else { return }
        for slot in slots { store.fill(slot, sources: sources) }
        changed(slots: slots)
    }
}
