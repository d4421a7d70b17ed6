internal import PopCEL

extension Scheduler {
    /// Counts the impressions of the history for the caps of groups and schedulers.
    mutating func countImpressions() {
        datesPerPopup = rules.datesPerPopup(atLeast: limits.datesPerPopup)
        groupImpressions = rules.groups.map { _ in CappedDates() }
        for lane in lanes.indices { lanes[lane].impressions = CappedDates() }
        if sources.history.popups.isEmpty { return }
        for popup in rules.popups.indices {
            for date in sources.history.popups[rules.popups[popup].id]?.impressions ?? [] {
                addToCaps(rules.popups[popup], date)
            }
        }
    }

    private mutating func addToCaps(_ rule: PopupRule, _ date: Timestamp) {
        if let group = rule.group, let cap = rules.groups[group].cap {
            groupImpressions[group].add(date, keeping: kept(cap))
        }
        if let cap = lanes[rule.scheduler].rule.cap {
            lanes[rule.scheduler].impressions.add(date, keeping: kept(cap))
        }
    }

    /// What the cap can ask for, and one for each presentation that may still fail.
    private func kept(_ cap: WindowCap) -> Int { cap.max + lanes.count + 1 }

    mutating func addImpression(_ popup: Int, _ date: Timestamp) {
        let rule = popups[popup]
        record(.impression(popup: rule.id, date: date))
        session.add(1, of: rule.id)
        addToCaps(rule, date)
        capsChanged(rule)
        historyChanged(popup)
    }

    private mutating func capsChanged(_ rule: PopupRule) {
        if let group = rule.group { wake(watcherOf: watchKeys.groupCap(group)) }
        wake(watcherOf: watchKeys.laneCap(rule.scheduler))
    }

    /// The index of a popup that the rules define.
    private func ruled(_ id: String) -> Int? {
        popupIndex[id].flatMap { $0 < rules.popups.count ? $0 : nil }
    }

    mutating func takeBackImpression(_ occupant: Screen.Occupant, _ date: Timestamp) {
        let id = occupant.popup.id
        session.add(-1, of: id, seenBy: occupant.subject.user)
        let record = HistoryRecord.impressionTakenBack(popup: id, date: date)
        guard occupant.subject.user == user else {
            return perform(.record(record, user: occupant.subject.user))
        }
        self.record(record)
        guard let popup = ruled(id) else { return }
        let rule = popups[popup]
        if let group = rule.group { groupImpressions[group].takeBack(date) }
        lanes[rule.scheduler].impressions.takeBack(date)
        capsChanged(rule)
        historyChanged(popup)
    }

    /// A popup that a user saw will not come back.
    mutating func recordDismissal(_ id: String, _ reason: ReasonCode, of viewer: String) {
        let record = HistoryRecord.dismissal(popup: id, reason: reason, date: now.date)
        guard viewer == user else { return perform(.record(record, user: viewer)) }
        self.record(record)
        guard let popup = ruled(id) else { return }
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
