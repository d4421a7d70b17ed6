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

extension Exposures: HasUsualValue {}

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
