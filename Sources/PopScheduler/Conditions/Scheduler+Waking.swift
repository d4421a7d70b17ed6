internal import PopCEL

extension Scheduler {
    /// A slot has a new value.
    mutating func changed(slot: SlotIndex) {
        if store.graph.hasConditions {
            changed(slots: [slot])
        } else {
            wake(watcherOf: slot)
        }
    }

    /// Slots have new values: wakes whoever depends on them, also through named conditions.
    mutating func changed(slots: [SlotIndex]) {
        guard !slots.isEmpty else { return }
        let watched = changedInPlace(slots)
        for slot in slots { wake(watcherOf: slot) }
        for condition in watched { recheck(condition.slot, before: condition.before) }
    }

    /// Marks what is computed from some slots as out of date, and gives those of it that somebody
    /// watches.
    @discardableResult
    mutating func changedInPlace(_ slots: [SlotIndex]) -> [(slot: SlotIndex, before: SlotValue)] {
        for slot in slots { store.markStale(slot) }
        if !store.graph.hasConditions { return [] }
        let dependents = store.graph.dependents(of: slots)
        for slot in dependents { store.markStale(slot) }
        return dependents.filter { watchers.isWatched($0) }.map { ($0, store[$0]) }
    }

    /// A named condition that comes to the same as before wakes nobody; one that time can change
    /// may do so at another time.
    private mutating func recheck(_ slot: SlotIndex, before: SlotValue) {
        if !store.graph.isTimed[slot] {
            store.prepare([slot], events: memory.history.events)
            if store[slot] == before { return }
        }
        wake(watcherOf: slot)
    }

    mutating func wake(watcherOf slot: SlotIndex) {
        while let watcher = watchers.take(slot) {
            switch watcher {
            case .popup(let popup): wake(popup)
            case .lane(let lane): lanes[lane].mustCheckDismissCondition = true
            }
        }
    }

    /// A task must be examined again before anything is said about it.
    mutating func wake(_ popup: PopupIndex) {
        guard tasks.isLive(popup) else { return }
        tasks.forget(popup)
        if tasks.isWaiting(popup) { file(popup, status: .unknown) }
    }

    /// Keeps a record and tells the host to keep it; `popup` is the index of the one of the rules
    /// that it is about.
    mutating func record(_ record: HistoryRecord, at popup: PopupIndex? = nil) {
        memory.keep(record, at: popup)
        effects.add(.record(record, user: memory.user))
    }

    /// The history of a popup has changed.
    mutating func historyChanged(_ popup: PopupIndex) {
        guard let slots = store.graph.slotsOfPopup[popup] else { return }
        for slot in slots { store.fill(slot, from: memory.history) }
        changed(slots: slots)
    }
}
