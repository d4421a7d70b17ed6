internal import PopCEL

/// The dates of the newest impressions that one cap counts.
struct CappedDates: Sendable {
    private(set) var dates: [Timestamp] = []

    /// `kept` dates are enough for the cap to be checked, and for those of failed presentations to be taken back.
    mutating func add(_ date: Timestamp, keeping kept: Int) {
        dates.insertSorted(date)
        if dates.count > 2 * kept { dates.removeFirst(dates.count - kept) }
    }

    mutating func takeBack(_ date: Timestamp) { dates.removeSorted(date) }
}
