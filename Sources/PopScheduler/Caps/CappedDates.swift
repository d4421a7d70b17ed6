internal import PopCEL

/// What one cap counts: the newest impressions, and the places that are kept for what is about to
/// show.
struct CappedDates: Sendable {
    /// Ascending; reservations that a dead process left behind stand among them.
    private(set) var dates: [Timestamp] = []
    /// How many places are kept.
    private(set) var reserved = 0
    /// How many impressions were made since the session began; for a cap that counts for each value
    /// of a key, for the one that the key has.
    private(set) var inSession = 0

    init(_ dates: [Timestamp] = [], reserved: Int = 0, inSession: Int = 0) {
        self.dates = dates
        self.reserved = reserved
        self.inSession = inSession
    }

    /// `kept` dates are enough for the cap to be checked, and for those of failed presentations to
    /// be taken back.
    mutating func add(_ date: Timestamp, keeping kept: Int) {
        dates.insertSorted(date)
        // Not `2 * kept`, which may be more than an integer holds.
        if dates.count - kept > kept { dates.removeFirst(dates.count - kept) }
    }

    /// Adds dates that are ascending to none.
    mutating func add(_ ascending: [Timestamp], keeping kept: Int) {
        dates = ascending.count > kept ? Array(ascending.suffix(kept)) : ascending
    }

    mutating func takeBack(_ date: Timestamp) { dates.removeSorted(date) }

    mutating func beginSession() { inSession = 0 }

    mutating func addToSession(_ impressions: Int) { inSession += impressions }

    mutating func reserve(_ places: Int) { reserved += places }
}
