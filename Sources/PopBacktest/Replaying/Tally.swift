internal import PopCEL
public import PopScheduler

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

    /// Returns the number of popups that a share of the users' weeks doesn't exceed: with 0.99, at
    /// most one week in a hundred has more popups.
    public func shownPerWeek(atMostIn share: Double) -> Int {
        let bound = Double(userWeeks) * (1 - share)
        return userWeeksShowing.firstIndex { Double($0) <= bound } ?? userWeeksShowing.count
    }
}

extension ReasonCode {
    fileprivate var isReady: Bool { kind == .ready }
}

/// Counts by reason: in a list, because a popup has few reasons.
public struct ReasonCounts: Sendable {
    /// A reason and how often it was.
    public private(set) var counts: [(reason: ReasonCode, count: Int)] = []

    /// Nothing happened.
    public init() {}

    /// Counts a reason a number of times.
    public mutating func add(_ reason: ReasonCode, times: Int = 1) {
        if let place = counts.firstIndex(where: { $0.reason == reason }) {
            counts[place].count += times
        } else {
            counts.append((reason, times))
        }
    }

    /// Adds what was counted elsewhere.
    public mutating func add(_ other: ReasonCounts) {
        for (reason, count) in other.counts { add(reason, times: count) }
    }

    /// Returns the sum of the counts of some reasons.
    public func count(where isWanted: (ReasonCode) -> Bool) -> Int {
        counts.reduce(0) { $0 + (isWanted($1.reason) ? $1.count : 0) }
    }

    /// All together.
    public var total: Int { count { _ in true } }

    /// The most frequent reasons first; equally frequent ones by their names.
    public var sorted: [(reason: ReasonCode, count: Int)] {
        counts.sorted { ($1.count, $0.reason.rawValue) < ($0.count, $1.reason.rawValue) }
    }
}

extension ReasonCounts: Hashable {
    private var byName: [String: Int] {
        Dictionary(uniqueKeysWithValues: counts.map { ($0.reason.rawValue, $0.count) })
    }

    public static func == (left: Self, right: Self) -> Bool { left.byName == right.byName }

    public func hash(into hasher: inout Hasher) { hasher.combine(byName) }
}

/// Durations, counted by their length: eight steps from one power of two seconds to the next, so
/// that counts can be added up.
public struct DurationCounts: Sendable, Hashable {
    /// By step; the first is for less than a second.
    public var steps: [Int: Int] = [:]

    private static let stepsPerDoubling: Int64 = 8
    /// The steps of durations below 1,000 years.
    static let possibleSteps = 0...step(of: 1_000 * 366 * 86_400)

    /// Nothing was counted.
    public init() {}

    /// Counts a duration.
    public mutating func add(_ duration: Duration) {
        steps[Self.step(of: duration.components.seconds), default: 0] += 1
    }

    /// Adds what was counted elsewhere.
    public mutating func add(_ other: DurationCounts) { steps.merge(other.steps) { $0 + $1 } }

    /// The number of counted durations.
    public var count: Int { steps.values.reduce(0, +) }

    /// Returns a duration that a share of the counted durations doesn't exceed: in whole seconds
    /// below eight seconds, above that the upper bound of a step, which is at most an eighth too
    /// long. Nil if nothing was counted.
    public func quantile(_ share: Double) -> Duration? {
        let wanted = Double(count) * share
        var sum = 0
        for (step, count) in steps.sorted(by: { $0.key < $1.key }) {
            sum += count
            if Double(sum) >= wanted {
                let bound = Self.bound(of: step + 1)
                return .seconds(bound <= Self.stepsPerDoubling ? bound - 1 : bound)
            }
        }
        return nil
    }

    /// Without logarithms, which need not be the same on every machine.
    private static func step(of seconds: Int64) -> Int {
        if seconds < 1 { return 0 }
        let power = Int64(63 - seconds.leadingZeroBitCount)
        let below = ((seconds - (1 << power)) * stepsPerDoubling) >> power
        return Int(power * stepsPerDoubling + below) + 1
    }

    /// The smallest length of a step.
    private static func bound(of step: Int) -> Int64 {
        if step < 1 { return 0 }
        let (power, below) = Int64(step - 1).quotientAndRemainder(dividingBy: stepsPerDoubling)
        let start = Int64(1) << power
        return start + (start * below + stepsPerDoubling - 1) / stepsPerDoubling
    }
}

/// The current day of a user, in the mapping's time zone.
struct DayClock {
    private let calendar: LocalCalendar
    /// Counted from 1970-01-01.
    private(set) var day = 0
    /// The end of the day, in nanoseconds since 1970; before the first call, every time is after
    /// it.
    private(set) var ends = Int64.min

    init(_ calendar: LocalCalendar) { self.calendar = calendar }

    /// Notes that the user is active at a time, once per day.
    mutating func note(_ time: Int64, of state: inout UserState, into sink: inout some ReplaySink) {
        if time < ends { return }
        let civil = calendar.civil(at: Timestamp(nanoseconds: time))
        day = civil.dayNumber
        ends = calendar.start(ofDay: day + 1).seconds &* 1_000_000_000
        let week = day - civil.dayOfISOWeek
        let isNewWeek = state.week != week
        if isNewWeek { (state.week, state.shownInWeek) = (week, 0) }
        sink.wasThere(onDay: day, isNewDay: state.day != day, isNewWeek: isNewWeek)
        state.day = day
    }
}
