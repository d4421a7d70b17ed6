internal import PopCEL

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
