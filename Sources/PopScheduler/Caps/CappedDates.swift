internal import PopCEL

/// The counts of one cap: the newest impressions, and the places reserved for popups that are about
/// to show.
struct CappedDates: Sendable {
    /// In ascending order, including reservations that a terminated process left behind.
    private(set) var dates: [Timestamp] = []
    /// The number of reserved places.
    private(set) var reserved = 0
    /// The number of impressions since the session began; for a cap that counts for each value of a
    /// key, the number for the current value.
    private(set) var inSession = 0

    init(_ dates: [Timestamp] = [], reserved: Int = 0, inSession: Int = 0) {
        self.dates = dates
        self.reserved = reserved
        self.inSession = inSession
    }

    /// Adds a date. `kept` dates are enough to check the cap and to take back the dates of failed
    /// presentations.
    mutating func add(_ date: Timestamp, keeping kept: Int) {
        dates.insertSorted(date)
        // Not `2 * kept`, which may be more than an integer holds.
        if dates.count - kept > kept { dates.removeFirst(dates.count - kept) }
    }

    /// Adds ascending dates to an empty list.
    mutating func add(_ ascending: [Timestamp], keeping kept: Int) {
        dates = ascending.count > kept ? Array(ascending.suffix(kept)) : ascending
    }

    mutating func takeBack(_ date: Timestamp) { dates.removeSorted(date) }

    mutating func beginSession() { inSession = 0 }

    mutating func addToSession(_ impressions: Int) { inSession += impressions }

    mutating func reserve(_ places: Int) { reserved += places }
}
