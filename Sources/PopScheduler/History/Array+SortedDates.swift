internal import PopCEL
internal import PopSource

extension Array<Timestamp> {
    /// Inserts a date in order; it goes to the end as long as the calendar doesn't go back.
    mutating func insertSorted(_ date: Timestamp) {
        // Appending to an empty array allocates more often.
        if isEmpty { return self = [date] }
        guard let last, last > date else { return append(date) }
        insert(date, at: firstIndex(after: date))
    }

    /// The index of the first date that is later than another.
    func firstIndex(after date: Timestamp) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if self[middle] > date { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// Returns the dates in ascending order. The dates of one popup are already in that order.
    func ascending() -> [Timestamp] {
        for index in indices.dropFirst() where self[index] < self[index - 1] { return ordered() }
        return self
    }

    mutating func removeSorted(_ date: Timestamp) {
        let index = firstIndex(after: date) - 1
        if index >= 0, self[index] == date { remove(at: index) }
    }

    /// Returns the number of dates in the period of this length that ends at `now`. Later dates
    /// count too, so that no cap is exceeded after the calendar was set back. The start isn't
    /// included.
    func count(within duration: Duration, of now: Timestamp) -> Int {
        count - firstIndex(after: now.advanced(by: .zero - duration))
    }

    /// Returns the date at which the oldest of these dates leaves that period; nil if there is
    /// none.
    func firstLeaving(_ duration: Duration, after now: Timestamp) -> Timestamp? {
        let oldest = count - count(within: duration, of: now)
        return oldest < count ? self[oldest].advanced(by: duration) : nil
    }
}
