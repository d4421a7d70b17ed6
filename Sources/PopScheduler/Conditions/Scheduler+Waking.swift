internal import PopCEL

extension Scheduler {
    /// A slot has a new value.
    mutating func changed(slot: SlotIndex) {
        if conditions.hasNamed {
            changed(slots: [slot])
        } else {
            wake(watcherOf: slot)
        }
    }

    /// Slots have new values: wakes whoever depends on them, also through named conditions.
    mutating func changed(slots: [SlotIndex]) {
        guard !slots.isEmpty else { return }
        for slot in conditions.changed(slots, events: memory.history.events) {
            wake(watcherOf: slot)
        }
    }

    mutating func wake(watcherOf slot: SlotIndex) {
        while let watcher = conditions.takeWatcher(of: slot) {
            switch watcher {
            case .popup(let popup): wake(popup)
            case .lane(let lane): lanes[lane].recheckDismissCondition()
            }
        }
    }

    /// A task must be examined again before anything is said about it.
    mutating func wake(_ popup: PopupIndex) {
        queues.wake(popup, lane: catalog.traits[popup].lane)
    }

    /// Keeps a record and tells the host to keep it; `popup` is the index of the one of the rules
    /// that it is about.
    mutating func record(_ record: HistoryRecord, at popup: PopupIndex? = nil) {
        memory.keep(record, at: popup)
        effects.add(.record(record, user: memory.user))
    }

    /// The history of a popup has changed.
    mutating func historyChanged(_ popup: PopupIndex) {
        changed(slots: conditions.refill(popup: popup, from: memory.history))
    }
}
