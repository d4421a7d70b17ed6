internal import PopCEL

extension Scheduler {
    /// Wakes the watchers of a slot that has a new value.
    mutating func changed(slot: SlotIndex) {
        if conditions.hasNamed {
            changed(slots: [slot])
        } else {
            wake(watcherOf: slot)
        }
    }

    /// Wakes all watchers that depend on slots with new values, also through named conditions.
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

    /// Marks a task as to be examined again before its status is used.
    mutating func wake(_ popup: PopupIndex) {
        queues.wake(popup, lane: catalog.traits[popup].lane)
    }

    /// Keeps a record and has the host store it; `popup` is the index of the rules' popup that the
    /// record is about.
    mutating func record(_ record: HistoryRecord, at popup: PopupIndex? = nil) {
        memory.keep(record, at: popup)
        effects.add(.record(record, user: memory.user))
    }

    /// The history of a popup has changed.
    mutating func historyChanged(_ popup: PopupIndex) {
        changed(slots: conditions.refill(popup: popup, from: memory.history))
    }
}
