public import PopCEL
public import PopSource

/// What the experiment of a popup exposed a user to.
///
/// An exposure is made when the host lets a task show, be it a variant, or control, which then does
/// not show. The popup's own caps count it, and not the impression that may follow.
public struct Exposures: Sendable, Hashable {
    /// All ever, also those whose dates are no longer kept.
    public var count = 0
    /// How many of them were to control.
    public var controlCount = 0
    /// Their dates, ascending; the oldest may have been pruned.
    public var dates: [Timestamp] = []
    /// The arm of the latest task that was exposed or shown; nil when that had none.
    public var variant: String?
    /// The dates of the impressions and reservations of tasks that were exposed, ascending.
    public var places: [Timestamp] = []
    /// How many of these there were ever.
    public var placeCount = 0

    /// No exposure.
    public init() {}
}

extension Exposures: HasUsualValue {}

extension Exposures {
    /// A task was exposed; `place` is the date of its reservation.
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

    /// A task became visible, exposed or not; `place` is the date of its impression.
    mutating func shown(isExposed: Bool, place: Timestamp) {
        if isExposed { places.insertSorted(place) } else { variant = nil }
    }

    /// A task that was exposed did not come to be visible; nil for a place that is not kept here.
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

    /// How many lifetimes of it are used up.
    var countedEver: Int {
        shownCount + reservations.count - exposures.placeCount + exposures.count
    }
}
