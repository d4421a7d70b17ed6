internal import PopCEL

extension Scheduler {
    /// Counts the impressions of the history for the caps of groups and schedulers.
    mutating func countImpressions() {
        memory.countImpressions(in: catalog, lanes: lanes.indices.count)
        for lane in lanes.indices {
            guard let occupant = lanes[lane].screen.occupant,
                occupant.subject.user == memory.user, case .reserved = occupant.place,
                let popup = catalog.ruledPlace(of: occupant.popup.id)
            else { continue }
            memory.keepPlaces(1, for: catalog.sharedCaps(of: popup))
        }
    }

    /// Reserves a place under each cap of a popup that is about to be shown for the first time in
    /// its task. Returns the record, which the host hasn't been asked to keep yet; nil if there
    /// will be no impression.
    mutating func reserve(_ popup: PopupIndex) -> HistoryRecord? {
        if queues.tasks.wasShown(popup) || catalog.isForeign(popup) { return nil }
        let record = HistoryRecord.reservation(popup: catalog.traits[popup].id, date: now.date)
        let sharing = catalog.sharedCaps(of: popup)
        memory.keep(record, at: popup)
        memory.keepPlaces(1, for: sharing)
        capsChanged(sharing)
        return record
    }

    /// Frees the reserved place of a popup that didn't become visible.
    mutating func takeBackReservation(
        _ date: Timestamp, isExposed: Bool, of id: String, at popup: PopupIndex?, task: Int,
        user viewer: String?
    ) {
        guard let viewer else { return }
        let record = HistoryRecord.reservationTakenBack(
            popup: id, date: date, isExposed: isExposed)
        defer { takeBackCounts(ofTask: task, isExposed: isExposed, of: id, user: viewer) }
        guard viewer == memory.user else { return effects.add(.record(record, user: viewer)) }
        self.record(record, at: popup)
        guard let popup else { return }
        let sharing = catalog.sharedCaps(of: popup)
        memory.keepPlaces(-1, for: sharing)
        capsChanged(sharing)
        // The popup's own caps watch nothing.
        wake(popup)
    }

    /// Records the impression for which a place was reserved.
    mutating func addImpression(of occupant: Screen.Occupant, reserved: Timestamp) {
        guard let viewer = occupant.subject.user else { return }
        let id = occupant.popup.id
        let record = HistoryRecord.impression(
            popup: id, date: now.date, reserved: reserved, isExposed: occupant.isExposed)
        guard viewer == memory.user else {
            memory.addAway(id, of: viewer, isExposed: occupant.isExposed)
            return effects.add(.record(record, user: viewer))
        }
        let index = catalog.ruledPlace(of: id)
        self.record(record, at: index)
        guard let popup = index else { return }
        let sharing = catalog.sharedCaps(of: popup)
        memory.keepPlaces(-1, for: sharing)
        memory.count(now.date, for: sharing)
        capsChanged(sharing)
        historyChanged(popup)
        wake(popup)
    }

    private mutating func capsChanged(_ sharing: [SharedCapIndex]) {
        for cap in sharing { wake(watcherOf: conditions.keys.sharedCap(cap)) }
    }

    mutating func takeBackImpression(
        _ occupant: Screen.Occupant, at date: Timestamp, in session: UInt32
    ) {
        let id = occupant.popup.id
        let index = catalog.ruledPlace(of: id)
        let record = HistoryRecord.impressionTakenBack(
            popup: id, date: date, isExposed: occupant.isExposed)
        guard let viewer = occupant.subject.user else { return }
        defer {
            takeBackCounts(
                ofTask: occupant.presentation.task.number, isExposed: occupant.isExposed, of: id,
                user: viewer)
        }
        guard viewer == memory.user else {
            memory.takeBackAway(id, from: viewer, isExposed: occupant.isExposed)
            return effects.add(.record(record, user: viewer))
        }
        self.record(record, at: index)
        guard let popup = index else { return }
        let sharing = catalog.sharedCaps(of: popup)
        memory.takeBack(date, in: session, for: sharing)
        capsChanged(sharing)
        historyChanged(popup)
        wake(popup)
    }

    /// Records that a popup that a user saw will not come back.
    mutating func recordDismissal(_ id: String, for reason: ReasonCode, of viewer: String?) {
        record(.dismissal(popup: id, reason: reason, date: now.date), about: id, of: viewer)
    }

    /// Records an action of the user on a popup; `isClosing` is true if it counts as closing.
    mutating func recordAction(
        _ action: String, of occupant: Screen.Occupant, isClosing: Bool
    ) {
        let id = occupant.popup.id
        record(
            .acted(popup: id, action: action, date: now.date, isClosing: isClosing), about: id,
            of: occupant.subject.user)
        if isClosing { countClosing(of: occupant) }
    }

    /// Records that a task ended by an action of the user.
    mutating func recordEnd(by action: String, of occupant: Screen.Occupant) {
        let id = occupant.popup.id
        record(
            .endedByAction(popup: id, action: action, date: now.date), about: id,
            of: occupant.subject.user)
    }

    /// Keeps a record about a popup that a user saw; nil for a user who was forgotten.
    private mutating func record(_ record: HistoryRecord, about id: String, of viewer: String?) {
        guard let viewer else { return }
        guard viewer == memory.user else { return effects.add(.record(record, user: viewer)) }
        let index = catalog.ruledPlace(of: id)
        self.record(record, at: index)
        if let popup = index { historyChanged(popup) }
    }
}

extension RuleSet {
    /// Returns the number of dates of one popup's impressions that the caps may need. Each
    /// presentation that may still fail takes one more.
    package func datesPerPopup(atLeast least: Int) -> Int {
        let windows = (caps.flatMap { $0.windows } + sharedCaps).filter { $0.key == nil }
        let most = (windows.map { $0.max }.max() ?? 0).addingReportingOverflow(schedulers.count + 1)
        return max(least, most.overflow ? .max : most.partialValue)
    }
}
