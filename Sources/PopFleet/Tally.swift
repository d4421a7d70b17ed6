internal import PopScheduler

/// The results of the popups in the replays of many users: counts that can be added up, however
/// users and days were divided among replays.
public struct Tally: ReplaySink, Sendable, Hashable {
    /// The counts of one popup on one day.
    public struct Popup: Sendable, Hashable {
        /// Impressions.
        public var shown = 0
        /// The number of users who saw it on that day.
        public var users = 0
        /// The number of users who saw it for the first time.
        public var firstUsers = 0
        /// Tasks that could have shown, by their reason: what kept them was that the screen was not
        /// theirs, or that the user is in the control.
        public var eligible: Int { shown + control + kept.count { $0.isReady } }
        /// The number of times that the user was in the control arm.
        public var control: Int { kept.count { $0 == .control } }
        /// The number of times that it was suppressed, by reason.
        public var kept = ReasonCounts()
        /// The number of times that it was dismissed, by reason.
        public var ended = ReasonCounts()
        /// The number of exposures of users, by arm.
        public var exposures: [String: Int] = [:]
        /// The number of users who were exposed to the arm for the first time.
        public var firstExposures: [String: Int] = [:]
        /// The number of conversions, by goal, then by arm; an empty arm means no arm.
        public var goals: [String: [String: Int]] = [:]

        /// Nothing happened.
        public init() {}
    }

    /// The counts of one day.
    public struct Day: Sendable, Hashable {
        /// The number of active users.
        public var users = 0
        /// By popup.
        public var popups: [Int: Popup] = [:]

        /// Nothing happened.
        public init() {}
    }

    /// By day, counted from 1970-01-01.
    public var days: [Int: Day] = [:]
    /// All users.
    public var users = 0
    /// All events, of copies one.
    public var events = 0
    /// The other copies.
    public var copies = 0
    /// When the first and the last event happened, in nanoseconds since 1970; nil without events.
    public var times: ClosedRange<Int64>?
    /// The number of weeks in which users were active, over all users.
    public var userWeeks = 0
    /// The number of such weeks in which a user saw at least this many popups: the first place is
    /// for one.
    public var userWeeksShowing: [Int] = []
    /// By popup, how long it took from the first session of a user to the first impression.
    public var timesToShow: [Int: DurationCounts] = [:]
    /// The number of users who saw two popups, by the one with the smaller number, then by the
    /// other.
    ///
    /// For a user who saw more than `FleetLimits.popupsInPairs` popups, only the pairs among the
    /// first ones count.
    public var overlaps: [Int: [Int: Int]] = [:]
    /// The number of users who saw more popups than that.
    public var usersBeyondPairs = 0

    /// Nothing happened.
    public init() {}

    public mutating func wasThere(onDay day: Int, isNewDay: Bool, isNewWeek: Bool) {
        if isNewDay { days[day, default: Day()].users += 1 }
        if isNewWeek { userWeeks += 1 }
    }

    public mutating func add(_ row: ReplayRow) {
        if case .shown(let impression) = row.kind { count(impression, of: row.popup) }
        days[row.day, default: Day()].popups[row.popup, default: Popup()].add(row.kind)
    }

    private mutating func count(_ impression: ReplayRow.Impression, of popup: Int) {
        let place = impression.ordinalInWeek - 1
        while userWeeksShowing.count <= place { userWeeksShowing.append(0) }
        userWeeksShowing[place] += 1
        if let time = impression.sinceFirstSession {
            timesToShow[popup, default: DurationCounts()].add(time)
        }
        if impression.othersBefore == FleetLimits.standard.popupsInPairs { usersBeyondPairs += 1 }
        for other in impression.others {
            overlaps[min(popup, other), default: [:]][max(popup, other), default: 0] += 1
        }
    }

    /// Adds a user with this number of events, and the counts of the user's replay.
    public mutating func add(_ replay: UserReplay, events count: Int) {
        users += 1
        events += count - replay.copies
        copies += replay.copies
        add(replay.times)
    }

    private mutating func add(_ other: ClosedRange<Int64>?) {
        guard let other, let times else { return times = times ?? other }
        let first = min(times.lowerBound, other.lowerBound)
        self.times = first...max(times.upperBound, other.upperBound)
    }

    /// Adds what was counted of other users, or on other days.
    public mutating func add(_ other: Tally) {
        users += other.users
        events += other.events
        copies += other.copies
        add(other.times)
        userWeeks += other.userWeeks
        while userWeeksShowing.count < other.userWeeksShowing.count { userWeeksShowing.append(0) }
        for (place, count) in other.userWeeksShowing.enumerated() {
            userWeeksShowing[place] += count
        }
        for (popup, times) in other.timesToShow {
            timesToShow[popup, default: DurationCounts()].add(times)
        }
        usersBeyondPairs += other.usersBeyondPairs
        for (popup, counts) in other.overlaps {
            overlaps[popup, default: [:]].merge(counts) { $0 + $1 }
        }
        for (number, day) in other.days {
            days[number, default: Day()].users += day.users
            for (popup, counts) in day.popups {
                days[number, default: Day()].popups[popup, default: Popup()].add(counts)
            }
        }
    }
}

extension Tally.Popup {
    fileprivate mutating func add(_ kind: ReplayRow.Kind) {
        switch kind {
        case .shown(let impression):
            shown += 1
            if impression.isFirstOfDay { users += 1 }
            if impression.ordinal == 1 { firstUsers += 1 }
        case .ended(let reason): ended.add(reason)
        case .keptAway(let reason): kept.add(reason)
        case .exposed(let variant, let isFirst):
            exposures[variant, default: 0] += 1
            if isFirst { firstExposures[variant, default: 0] += 1 }
        case .converted(let goal, let variant):
            goals[goal, default: [:]][variant ?? "", default: 0] += 1
        }
    }

    /// Adds what was counted elsewhere.
    public mutating func add(_ other: Tally.Popup) {
        shown += other.shown
        users += other.users
        firstUsers += other.firstUsers
        kept.add(other.kept)
        ended.add(other.ended)
        exposures.merge(other.exposures) { $0 + $1 }
        firstExposures.merge(other.firstExposures) { $0 + $1 }
        for (goal, counts) in other.goals { goals[goal, default: [:]].merge(counts) { $0 + $1 } }
    }
}

extension Tally {
    /// Returns the counts of a popup over all days.
    public func total(of popup: Int) -> Popup {
        days.values.reduce(into: Popup()) { total, day in
            if let counts = day.popups[popup] { total.add(counts) }
        }
    }

    /// The most popups that a part of the users' weeks has at most: of 0.99, what one week in a
    /// hundred exceeds.
    public func shownPerWeek(atMostIn share: Double) -> Int {
        let bound = Double(userWeeks) * (1 - share)
        return userWeeksShowing.firstIndex { Double($0) <= bound } ?? userWeeksShowing.count
    }
}

extension ReasonCode {
    fileprivate var isReady: Bool { kind == .ready }
}
