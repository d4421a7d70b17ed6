public import PopCEL
public import PopSource

/// The exposures of a user to the experiment of a popup.
///
/// An exposure is recorded when the host lets a task show, be it a variant, or control, which then
/// isn't shown. The popup's own caps count the exposure, and not the impression that may follow.
public struct Exposures: Sendable, Hashable {
    /// The number of all exposures ever, including those whose dates are no longer kept.
    public var count = 0
    /// The number of exposures to control.
    public var controlCount = 0
    /// The dates of the exposures, ascending; the oldest may have been pruned.
    public var dates: [Timestamp] = []
    /// The arm of the latest task that was exposed or shown; nil if that task had none.
    public var variant: String?
    /// The dates of the impressions and reservations of tasks that were exposed, ascending.
    public var places: [Timestamp] = []
    /// The number of these places ever.
    public var placeCount = 0

    /// Creates exposures without any.
    public init() {}
}

extension Exposures: Defaultable {}

extension Exposures {
    /// Adds the exposure of a task; `place` is the date of its reservation.
    mutating func add(
        _ variant: String, at date: Timestamp, place: Timestamp?, keeping kept: Int = .max
    ) {
        count += 1
        if variant == Assignment.control { controlCount += 1 }
        self.variant = variant
        dates.insertSorted(date)
        dates.keepLatest(kept)
        guard let place else { return }
        placeCount += 1
        places.insertSorted(place)
        places.keepLatest(kept)
    }

    /// Records that a task became visible, exposed or not; `place` is the date of its impression.
    mutating func shown(isExposed: Bool, place: Timestamp) {
        if isExposed { places.insertSorted(place) } else { variant = nil }
    }

    /// Takes back the place of an exposed task that didn't become visible; nil for a place that
    /// isn't kept here.
    mutating func takeBackPlace(at date: Timestamp?) {
        if let date { places.removeSorted(date) }
        placeCount = max(placeCount - 1, 0)
    }
}

extension History.Popup {
    /// The dates that the popup's own caps count, ascending.
    var countedDates: [Timestamp] {
        var dates = impressions
        for date in reservations { dates.insertSorted(date) }
        if exposures.count == 0 { return dates }
        for date in exposures.places { dates.removeSorted(date) }
        for date in exposures.dates { dates.insertSorted(date) }
        return dates
    }

    /// The number of impressions and exposures that count for the lifetime cap.
    var countedEver: Int {
        shownCount + reservations.count - exposures.placeCount + exposures.count
    }
}

extension History {
    /// The conversions of a user under one goal of a popup.
    public struct Goal: Sendable, Hashable {
        /// The number of exposures that were converted.
        public var conversions = 0
        /// The date at which an event last matched it, with or without an exposure to convert.
        public var last: Timestamp
        /// The date of the latest exposure that was converted, which also closed earlier exposures;
        /// nil if none was converted.
        public var converted: Timestamp?

        /// Creates a goal that nothing has matched yet; `last` is the date of the match to come.
        public init(last: Timestamp) { self.last = last }
    }
}

extension History.Popup {
    /// An exposure as goals count it: an exposure to an arm, or an impression of a task that was
    /// exposed to none.
    struct GoalExposure {
        var date: Timestamp
        /// Nil if there was no arm.
        var variant: String?
    }

    /// The latest exposure that goals count; nil without such an exposure.
    var latestExposure: GoalExposure? {
        var seen = impressions[...]
        var places = exposures.places[...]
        while let last = seen.last, let place = places.last, last <= place {
            places.removeLast()
            if place == last { seen.removeLast() }
        }
        let date = [exposures.dates.last, seen.last].compactMap { $0 }.max()
        return date.map { GoalExposure(date: $0, variant: exposures.variant) }
    }

    /// Records that an event matched a goal and, if an exposure was open, converted the exposure of
    /// that date.
    mutating func matched(_ name: String, at date: Timestamp, exposure: Timestamp?) {
        var goal = goals[name] ?? History.Goal(last: date)
        goal.last = max(goal.last, date)
        if let exposure {
            goal.conversions += 1
            goal.converted = max(goal.converted ?? exposure, exposure)
        }
        goals[name] = goal
    }
}

extension History {
    /// The uses of one action of a popup by the user.
    public struct Action: Sendable, Hashable {
        /// The number of times it was reported.
        public var count = 0
        /// The date of the last report.
        public var last: Timestamp
        /// The date at which a task of the popup last ended by it; nil if the popup always stayed.
        public var lastEnd: Timestamp?

        /// Creates an action that was never reported; `last` is the date of the report to come.
        public init(last: Timestamp) { self.last = last }
    }
}

extension History.Popup {
    /// The actions of the user on the popup, by name; closing it is the action `close`.
    public var actions: [String: History.Action] {
        get {
            var all = otherActions
            if let closing { all[TemplateRule.Action.close] = closing }
            return all
        }
        set {
            otherActions = newValue
            closing = otherActions.removeValue(forKey: TemplateRule.Action.close)
        }
    }

    func action(_ name: String) -> History.Action? {
        name == TemplateRule.Action.close ? closing : otherActions[name]
    }

    mutating func acted(_ name: String, at date: Timestamp, isClosing: Bool) {
        var action = action(name) ?? History.Action(last: date)
        action.count += 1
        action.last = max(action.last, date)
        if isClosing { closedCount += 1 }
        if name == TemplateRule.Action.close {
            closing = action
        } else {
            otherActions[name] = action
            lastAction = name
        }
    }

    mutating func ended(by name: String, at date: Timestamp) {
        guard let action = otherActions[name] else { return }
        otherActions[name]?.lastEnd = max(action.lastEnd ?? date, date)
    }

    /// The date at which it was last gone from a screen, or last shown if no end is known. Control
    /// is gone as soon as its user was exposed to it.
    var lastGone: Timestamp? {
        let exposed =
            isNeverExposed || exposures.controlCount == 0 ? nil : exposures.dates.last
        return [lastDismissed, lastShown, reservations.last, exposed].compactMap { $0 }.max()
    }
}
