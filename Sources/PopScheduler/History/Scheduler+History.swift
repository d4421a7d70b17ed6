package import PopCEL

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

/// The values that keys had when a place was reserved for a task.
struct ValuesOfPlace: Sendable {
    /// The values for which impressions are counted.
    var counted: [KeyedValue] = []
    /// The value for which closings are counted; nil if no cap counts closings for each value.
    var closing: KeyedValue?
}

// The counts of caps for each value of a context key. A place, and the impression that follows,
// counts for the value that the key had when the place was reserved. So no cap is exceeded if the
// key changes while the host decides.
extension Scheduler {
    /// Counts the place that is reserved for a task for the current values of keys. Values for
    /// which the place already counts stay.
    mutating func countPlace(of popup: PopupIndex, task: Int) {
        var values = valuesOfPlaces[task] ?? ValuesOfPlace()
        for key in catalog.countedKeys.keys(of: popup) {
            let value = keyedValue(key)
            if values.counted.contains(where: { $0.key == value.key }) { continue }
            values.counted.append(value)
            count(.shown, for: value, of: catalog.traits[popup].id, user: memory.user)
        }
        let closing = catalog.countedKeys.keyOfClosings(popup).map { keyedValue($0) }
        if values.closing?.key != closing?.key { values.closing = closing }
        if !values.counted.isEmpty || values.closing != nil { valuesOfPlaces[task] = values }
    }

    /// Counts the places of popups that were about to show before other rules were loaded.
    mutating func countPlacesAnew() {
        if catalog.countedKeys.isEmpty { return }
        for place in placesKept {
            if let popup = place.popup { countPlace(of: popup, task: place.task) }
        }
    }

    /// Takes back the counts of a task whose place is free again, or whose impression was taken
    /// back.
    mutating func takeBackCounts(ofTask task: Int, isExposed: Bool, of id: String, user: String) {
        if valuesOfPlaces.isEmpty { return }
        guard let values = valuesOfPlaces.removeValue(forKey: task) else { return }
        for value in values.counted {
            count(isExposed ? .takenBackExposed : .takenBack, for: value, of: id, user: user)
        }
    }

    /// Counts that a user closed or refused a popup, for the value for which the popup was shown.
    mutating func countClosing(of occupant: Screen.Occupant) {
        let id = occupant.popup.id
        guard let user = occupant.subject.user, let popup = catalog.ruledPlace(of: id),
            let key = catalog.countedKeys.keyOfClosings(popup)
        else { return }
        let now = keyedValue(key)
        let known = valuesOfPlaces[occupant.presentation.task.number]?.closing
        let value = known?.key == now.key ? known ?? now : now
        count(.closed, for: value, of: id, user: user)
    }

    private mutating func count(
        _ change: ValueChange, for value: KeyedValue, of id: String, user: String
    ) {
        effects.add(
            .record(
                .counted(popup: id, value: value, change: change, date: now.date), user: user))
        guard user == memory.user else { return }
        let caps = catalog.sharedCaps(counting: value.key, at: catalog.ruledPlace(of: id))
        memory.count(change, of: id, for: value, at: now.date, by: caps)
    }

    private func keyedValue(_ key: KeyIndex) -> KeyedValue {
        KeyedValue(key: catalog.rules.keys[key].name, value: conditions.value(ofKey: key))
    }
}

// The current counts.
extension Scheduler {
    /// Returns the counts of a popup's own caps for the current value of a key.
    func counted(of popup: PopupIndex, by key: KeyIndex) -> CappedDates {
        let (id, value) = (catalog.traits[popup].id, keyedValue(key))
        let all = memory.history.values.count(of: id, for: value)?.ofOwnCaps ?? 0
        let places = placesKept.count { $0.id == id && !$0.isExposed && counts($0, for: value) }
        return CappedDates(reserved: places, inSession: max(all - places, 0))
    }

    /// Returns the counts of a shared cap for the current value of a key.
    func counted(_ cap: SharedCapIndex, by key: KeyIndex) -> CappedDates {
        let value = keyedValue(key)
        let places = placesKept.count { place in
            counts(place, for: value)
                && catalog.sharedCaps(counting: value.key, at: place.popup).contains(cap)
        }
        let all = memory.counted(cap, for: value.text)
        return CappedDates(reserved: places, inSession: max(all - places, 0))
    }

    /// Returns how often users closed or refused a popup for the current value of a key.
    func closings(of popup: PopupIndex, by key: KeyIndex) -> Int {
        let id = catalog.traits[popup].id
        return memory.history.values.count(of: id, for: keyedValue(key))?.closed ?? 0
    }

    private func counts(_ place: KeptPlace, for value: KeyedValue) -> Bool {
        valuesOfPlaces[place.task]?.counted.contains(value) ?? false
    }

    /// A place that is reserved for a popup that is about to show to the current user.
    private struct KeptPlace {
        let id: String
        /// Nil for a popup that the rules no longer have.
        let popup: PopupIndex?
        let task: Int
        let isExposed: Bool
    }

    private var placesKept: [KeptPlace] {
        var places: [KeptPlace] = []
        for lane in lanes.indices {
            if let chosen = lanes[lane].chosen, chosen.reserved != nil {
                let popup = chosen.popup
                places.append(
                    KeptPlace(
                        id: catalog.traits[popup].id, popup: popup,
                        task: queues.tasks.order(of: popup).number,
                        isExposed: queues.tasks.isExposed(popup)))
            }
            guard let occupant = lanes[lane].screen.occupant, case .reserved = occupant.place,
                occupant.subject.user == memory.user
            else { continue }
            let id = occupant.popup.id
            places.append(
                KeptPlace(
                    id: id, popup: catalog.ruledPlace(of: id),
                    task: occupant.presentation.task.number, isExposed: occupant.isExposed))
        }
        return places
    }
}

extension Catalog {
    /// Returns the shared caps that count the impressions of a popup for each value of a key. If
    /// `popup` is nil, because the rules no longer have it, returns the caps that count such
    /// popups.
    func sharedCaps(counting key: String, at popup: PopupIndex?) -> [SharedCapIndex] {
        if countedKeys.shared.isEmpty { return [] }
        let caps =
            popup.map { sharedCaps(of: $0) }
            ?? sharedCaps.indices.filter { sharedCaps[$0].countsStrangers }
        return caps.filter { cap in
            countedKeys.shared[cap].map { rules.keys[$0].name == key } ?? false
        }
    }
}

// Histories, such as those of tests, that record for some things only that they happened.
extension Scheduler {
    /// Returns the history with everything that isn't recorded for a value of a key attributed to
    /// the value in a context. Nil if no cap counts for each value of a key.
    package func history(completedFor context: [String: Value]) -> History? {
        if catalog.countedKeys.isEmpty { return nil }
        var history = history
        for popup in catalog.rules.popups.places {
            let id = catalog.traits[popup].id
            guard let past = history.popups[id] else { continue }
            var shown = ValueCounts.Count(text: nil, last: past.lastShown ?? now.date)
            shown.shown = past.shownCount
            shown.ofOwnCaps = past.countedEver
            for key in catalog.countedKeys.keys(of: popup) {
                history.values.complete(id, for: value(of: key, in: context), with: shown)
            }
            var closed = ValueCounts.Count(text: nil, last: past.lastDismissed ?? now.date)
            closed.closed = past.closedCount
            if let key = catalog.countedKeys.keyOfClosings(popup) {
                history.values.complete(id, for: value(of: key, in: context), with: closed)
            }
        }
        return history
    }

    /// Returns the names of the keys for whose values impressions or closings of a popup are
    /// counted.
    package func countedKeys(of id: String) -> [String] {
        guard let popup = catalog.ruledPlace(of: id) else { return [] }
        let keys =
            catalog.countedKeys.keys(of: popup)
            + [catalog.countedKeys.keyOfClosings(popup)].compactMap { $0 }
        return keys.map { catalog.rules.keys[$0].name }
    }

    private func value(of key: KeyIndex, in context: [String: Value]) -> KeyedValue {
        let rule = catalog.rules.keys[key]
        return KeyedValue(key: rule.name, value: context[rule.name] ?? rule.defaultValue)
    }
}

// The arms of users in experiments, and the exposure of users to them. Nothing of this applies to a
// popup without an experiment.
extension Scheduler {
    /// Returns the arm of a task. Nil while it isn't fixed, for a user who doesn't take part, and
    /// if there is no experiment.
    ///
    /// Inlined: for a call from a mutating function, the compiler would copy the whole scheduler.
    @inline(__always)
    func arm(of popup: PopupIndex) -> String? {
        guard catalog.traits[popup].hasExperiment, let arm = queues.tasks.arm(of: popup),
            !arm.isEmpty
        else { return nil }
        return arm
    }

    /// Returns true if a task of a popup is in control, so that it ends where it would be shown.
    @inline(__always)
    func isControl(_ popup: PopupIndex) -> Bool { arm(of: popup) == Assignment.control }

    /// Fixes the arm of a task before the host is asked, if it isn't fixed, or if a reload removed
    /// it.
    mutating func fixArm(of popup: PopupIndex) {
        guard catalog.traits[popup].hasExperiment,
            let experiment = catalog.popups[popup].experiment
        else { return }
        if let arm = queues.tasks.arm(of: popup), experiment.has(arm: arm) { return }
        let arm = drawnArm(of: popup, in: experiment) ?? ""
        queues.setArm(arm == Assignment.control && isForced(popup) ? "" : arm, of: popup)
    }

    /// Returns the user's arm in a popup's experiment, by the task that waits or shows if its arm
    /// is fixed. Nil for a user who doesn't take part, and if there is no experiment.
    package func arm(ofPopup id: String) -> String? {
        guard let popup = catalog.ruledPlace(of: id),
            let experiment = catalog.popups[popup].experiment
        else { return nil }
        let shown = lanes.showing(id).flatMap { lanes[$0].screen.subject?.task.claim.arm }
        let fixed = shown ?? queues.tasks.arm(of: popup)
        if let fixed, fixed.isEmpty || experiment.has(arm: fixed) {
            return fixed.isEmpty ? nil : fixed
        }
        return drawnArm(of: popup, in: experiment)
    }

    private func drawnArm(of popup: PopupIndex, in experiment: Experiment) -> String? {
        let value = conditions.value(ofKey: experiment.assignment.key)
        return forcedArm(of: popup, in: experiment) ?? experiment.assignment.arm(of: value)
    }

    private func forcedArm(of popup: PopupIndex, in experiment: Experiment) -> String? {
        guard !forcedArms.isEmpty, let arm = forcedArms[catalog.traits[popup].id],
            experiment.has(arm: arm)
        else { return nil }
        return arm
    }

    /// Forces the user into an arm of a popup's experiment, regardless of the assignment; nil
    /// restores the assignment. A task whose arm is fixed keeps it.
    mutating func forceArm(_ arm: String?, of id: String) {
        guard let popup = catalog.ruledPlace(of: id) else {
            return emit(.rejected(.unknownPopup(id)))
        }
        if let arm, catalog.popups[popup].experiment?.has(arm: arm) != true {
            return emit(.rejected(.unknownVariant(popup: id, variant: arm)))
        }
        forcedArms[id] = arm
    }

    /// Exposes the user to the arm of a task, once, when the host has allowed the task and it may
    /// still show.
    mutating func expose(_ popup: PopupIndex, since date: Timestamp, reserved: Timestamp?) {
        guard let arm = arm(of: popup), let reserved, !queues.tasks.isExposed(popup) else {
            return
        }
        let id = catalog.traits[popup].id
        let isFirst = memory.history[popup]?.exposures.count ?? 0 == 0
        record(.exposure(popup: id, variant: arm, date: date, reserved: reserved), at: popup)
        queues.setExposed(popup)
        historyChanged(popup)
        emit(.exposed(taskID(popup), variant: arm, isFirst: isFirst))
    }

    /// Ends a task in control where it would be shown, and frees the places of its impression.
    mutating func endControl(_ popup: PopupIndex, since date: Timestamp, in lane: LaneIndex) {
        expose(popup, since: date, reserved: lanes[lane].chosen?.reserved)
        discard(popup, for: .control)
    }
}
