public import PopCEL

extension History {
    /// How often a user came to one goal of a popup.
    public struct Goal: Sendable, Hashable {
        /// How many exposures were converted.
        public var conversions = 0
        /// When an event matched it the last time, with an exposure to convert or without.
        public var last: Timestamp
        /// The date of the latest exposure that was converted, which closed those before it too;
        /// nil when there was none.
        public var converted: Timestamp?

        /// A goal that nothing ever matched; `last` is when it will be.
        public init(last: Timestamp) { self.last = last }
    }
}

extension History.Popup {
    /// What goals count: an exposure to an arm, or an impression of a task that was
    /// exposed to none.
    struct GoalExposure {
        var date: Timestamp
        /// Nil for none.
        var variant: String?
    }

    /// The latest of them; nil when there is none.
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

    /// An event matched a goal; it converted the exposure of a date, if one was open.
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
