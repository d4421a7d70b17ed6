package import PopCEL

/// A value of a context key for which a cap has no more room.
package struct UsedUpValue: Sendable, Hashable {
    /// The name of the key.
    package let key: String
    /// Nil for a missing value.
    package let value: Value?
    /// The number of impressions, or of closings; reserved places count too.
    package let count: Int
    /// The maximum that the cap allows.
    package let most: Int
}

extension Scheduler {
    /// Returns the values for which caps have no room and thus block a popup for this reason; empty
    /// for a popup that doesn't belong to the rules.
    package func usedUpValues(of id: String, for reason: ReasonCode) -> [UsedUpValue] {
        guard let popup = catalog.ruledPlace(of: id) else { return [] }
        let caps = catalog.popups[popup].caps
        var counted: [UsedUpValue] = []
        if reason == .closedTooOften, let key = caps.closesPer, let most = caps.closes {
            counted.append(value(of: key, count: closings(of: popup, by: key), most: most))
        }
        for cap in caps.windows where reason == .periodCap {
            guard let key = cap.key else { continue }
            counted.append(value(of: key, dates: self.counted(of: popup, by: key), most: cap.max))
        }
        for index in catalog.sharedCaps(of: popup) where catalog.sharedCaps[index].reason == reason
        {
            let cap = catalog.sharedCaps[index].cap
            guard let key = cap.key else { continue }
            counted.append(value(of: key, dates: self.counted(index, by: key), most: cap.max))
        }
        return counted.filter { $0.count >= $0.most }
    }

    private func value(of key: KeyIndex, dates: CappedDates, most: Int) -> UsedUpValue {
        value(of: key, count: dates.inSession + dates.reserved, most: most)
    }

    private func value(of key: KeyIndex, count: Int, most: Int) -> UsedUpValue {
        UsedUpValue(
            key: catalog.rules.keys[key].name, value: conditions.value(ofKey: key), count: count,
            most: most)
    }
}
