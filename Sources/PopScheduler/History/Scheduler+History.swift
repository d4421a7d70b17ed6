internal import PopCEL

extension Scheduler {
    /// Counts the impressions of the history for the caps of groups and schedulers.
    mutating func countImpressions() {
        datesPerPopup = rules.datesPerPopup(atLeast: limits.datesPerPopup)
        groupImpressions = rules.groups.map { _ in CappedDates() }
        for lane in lanes.indices { lanes[lane].impressions = CappedDates() }
        for popup in rules.popups.indices {
            for date in sources.history[popup]?.impressions ?? [] {
                addToCaps(popup, date)
            }
        }
    }

    private mutating func addToCaps(_ popup: Int, _ date: Timestamp) {
        if let group = group(of: popup), let cap = rules.groups[group].cap {
            groupImpressions[group].add(date, keeping: kept(cap))
        }
        let lane = traits[popup].lane
        if let cap = lanes[lane].rule.cap { lanes[lane].impressions.add(date, keeping: kept(cap)) }
    }

    private func group(of popup: Int) -> Int? {
        traits[popup].isPlain ? nil : popups[popup].group
    }

    /// What the cap can ask for, and one for each presentation that may still fail.
    private func kept(_ cap: WindowCap) -> Int { cap.max + lanes.count + 1 }

    /// Also gives the record, which the host has yet to be told to keep.
    mutating func addImpression(_ popup: Int, _ date: Timestamp) -> HistoryRecord {
        let record = HistoryRecord.impression(popup: traits[popup].id, date: date)
        keep(record, at: popup)
        addToCaps(popup, date)
        capsChanged(popup)
        historyChanged(popup)
        return record
    }

    private mutating func capsChanged(_ popup: Int) {
        if let group = group(of: popup) { wake(watcherOf: watchKeys.groupCap(group)) }
        wake(watcherOf: watchKeys.laneCap(traits[popup].lane))
    }

    /// The index of a popup that the rules define.
    func ruled(_ id: String) -> Int? {
        popupIndex[id].flatMap { $0 < rules.popups.count ? $0 : nil }
    }

    mutating func takeBackImpression(_ occupant: Screen.Occupant, _ date: Timestamp) {
        let id = occupant.popup.id
        let index = ruled(id)
        let record = HistoryRecord.impressionTakenBack(popup: id, date: date)
        guard let viewer = occupant.subject.user else { return }
        guard viewer == user else {
            away.takeBack(id, from: viewer)
            return perform(.record(record, user: viewer))
        }
        self.record(record, at: index)
        guard let popup = index else { return }
        if let group = group(of: popup) { groupImpressions[group].takeBack(date) }
        lanes[traits[popup].lane].impressions.takeBack(date)
        capsChanged(popup)
        historyChanged(popup)
    }

    /// A popup that a user saw will not come back.
    mutating func recordDismissal(_ id: String, _ reason: ReasonCode, of viewer: String?) {
        guard let viewer else { return }
        let record = HistoryRecord.dismissal(popup: id, reason: reason, date: now.date)
        guard viewer == user else { return perform(.record(record, user: viewer)) }
        let index = ruled(id)
        self.record(record, at: index)
        guard let popup = index else { return }
        wake(watcherOf: watchKeys.firstDismissal(of: popup))
        historyChanged(popup)
    }
}

extension RuleSet {
    /// How many dates of one popup's impressions the caps may ask for. Each presentation that may still fail takes one more.
    package func datesPerPopup(atLeast least: Int) -> Int {
        let caps =
            popups.flatMap(\.caps.windows) + groups.compactMap(\.cap) + schedulers.compactMap(\.cap)
        let most = (caps.map(\.max).max() ?? 0).addingReportingOverflow(schedulers.count + 1)
        return max(least, most.overflow ? .max : most.partialValue)
    }
}
