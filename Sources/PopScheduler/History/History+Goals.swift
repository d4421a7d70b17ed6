public import PopCEL

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
