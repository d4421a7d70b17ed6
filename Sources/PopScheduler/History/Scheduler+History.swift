internal import PopCEL

extension Scheduler {
    /// Counts the impressions of the history for the caps of groups and schedulers.
    mutating func countImpressions() {
        datesPerPopup = catalog.rules.datesPerPopup(atLeast: limits.datesPerPopup)
        groupImpressions = ParallelArray(
            repeating: CappedDates(), count: catalog.rules.groups.count)
        for lane in lanes.indices { lanes[lane].impressions = CappedDates() }
        for popup in catalog.rules.popups.places {
            for date in sources.history.counted(popup).dates { addToCaps(popup, at: date) }
        }
        for lane in lanes.indices {
            guard let occupant = lanes[lane].screen.occupant, occupant.subject.user == user,
                case .reserved = occupant.place,
                let popup = catalog.ruledPlace(of: occupant.popup.id)
            else { continue }
            keepPlaces(1, of: popup)
        }
    }

    private mutating func addToCaps(_ popup: PopupIndex, at date: Timestamp) {
        if let group = catalog.group(of: popup), let cap = catalog.rules.groups[group].cap {
            groupImpressions[group].add(date, keeping: kept(cap))
        }
        let lane = catalog.traits[popup].lane
        if let cap = lanes[lane].rule.cap { lanes[lane].impressions.add(date, keeping: kept(cap)) }
    }

    /// Keeps places under the caps that a popup shares with others, or gives them back.
    private mutating func keepPlaces(_ places: Int, of popup: PopupIndex) {
        if let group = catalog.group(of: popup) { groupImpressions[group].reserve(places) }
        lanes[catalog.traits[popup].lane].impressions.reserve(places)
    }

    /// What the cap can ask for, and one for each presentation that may still fail.
    private func kept(_ cap: WindowCap) -> Int { cap.max + lanes.count + 1 }

    /// Keeps a place under each cap of a popup that is about to be shown for the first time in its
    /// task. Gives the record, which the host has yet to be told to keep; nil where there will be
    /// no impression.
    mutating func reserve(_ popup: PopupIndex) -> HistoryRecord? {
        if tasks.wasShown(popup) || catalog.isForeign(popup) { return nil }
        let record = HistoryRecord.reservation(popup: catalog.traits[popup].id, date: now.date)
        keep(record, at: popup)
        keepPlaces(1, of: popup)
        capsChanged(popup)
        return record
    }

    /// It did not come to that.
    mutating func takeBackReservation(
        _ date: Timestamp, of id: String, at popup: PopupIndex?, user viewer: String?
    ) {
        guard let viewer else { return }
        let record = HistoryRecord.reservationTakenBack(popup: id, date: date)
        guard viewer == user else { return perform(.record(record, user: viewer)) }
        self.record(record, at: popup)
        guard let popup else { return }
        keepPlaces(-1, of: popup)
        capsChanged(popup)
        // Its own caps watch nothing.
        wake(popup)
    }

    /// What a place was kept for is visible.
    mutating func addImpression(of occupant: Screen.Occupant, reserved: Timestamp) {
        guard let viewer = occupant.subject.user else { return }
        let id = occupant.popup.id
        let record = HistoryRecord.impression(popup: id, date: now.date, reserved: reserved)
        guard viewer == user else {
            away.add(id, of: viewer)
            return perform(.record(record, user: viewer))
        }
        let index = catalog.ruledPlace(of: id)
        self.record(record, at: index)
        guard let popup = index else { return }
        keepPlaces(-1, of: popup)
        addToCaps(popup, at: now.date)
        capsChanged(popup)
        historyChanged(popup)
        wake(popup)
    }

    private mutating func capsChanged(_ popup: PopupIndex) {
        if let group = catalog.group(of: popup) { wake(watcherOf: watchKeys.groupCap(group)) }
        wake(watcherOf: watchKeys.laneCap(catalog.traits[popup].lane))
    }

    mutating func takeBackImpression(_ occupant: Screen.Occupant, at date: Timestamp) {
        let id = occupant.popup.id
        let index = catalog.ruledPlace(of: id)
        let record = HistoryRecord.impressionTakenBack(popup: id, date: date)
        guard let viewer = occupant.subject.user else { return }
        guard viewer == user else {
            away.takeBack(id, from: viewer)
            return perform(.record(record, user: viewer))
        }
        self.record(record, at: index)
        guard let popup = index else { return }
        if let group = catalog.group(of: popup) { groupImpressions[group].takeBack(date) }
        lanes[catalog.traits[popup].lane].impressions.takeBack(date)
        capsChanged(popup)
        historyChanged(popup)
        wake(popup)
    }

    /// A popup that a user saw will not come back.
    mutating func recordDismissal(_ id: String, for reason: ReasonCode, of viewer: String?) {
        guard let viewer else { return }
        let record = HistoryRecord.dismissal(popup: id, reason: reason, date: now.date)
        guard viewer == user else { return perform(.record(record, user: viewer)) }
        let index = catalog.ruledPlace(of: id)
        self.record(record, at: index)
        guard let popup = index else { return }
        historyChanged(popup)
    }
}

extension RuleSet {
    /// How many dates of one popup's impressions the caps may ask for. Each presentation that may
    /// still fail takes one more.
    package func datesPerPopup(atLeast least: Int) -> Int {
        let caps =
            popups.flatMap(\.caps.windows) + groups.compactMap(\.cap) + schedulers.compactMap(\.cap)
        let most = (caps.map(\.max).max() ?? 0).addingReportingOverflow(schedulers.count + 1)
        return max(least, most.overflow ? .max : most.partialValue)
    }
}
