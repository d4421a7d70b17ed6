public import PopCEL
public import PopScheduler
public import PopSource

/// Plays the events of one user to the rules, session by session.
///
/// A session begins with an event after which `sessionTimeout` has passed without another, or with
/// one of the mapping's `starts`, and ends when that time has passed since its last event. With
/// each the app starts: contexts and the history stay, queues and screens do not.
public struct UserReplay {
    /// The user.
    public let user: String
    /// The state that continues on another day.
    public private(set) var state: UserState
    /// The session that was not decided, because the budget was used up; nothing is played after
    /// it.
    public private(set) var undecided: UndecidedSession?
    /// The number of events that were copies of others.
    public private(set) var copies = 0
    /// When the first and the last of the events happened, in nanoseconds since 1970.
    public private(set) var times: ClosedRange<Int64>?

    let rules: ReplayRules
    private var work: JudgingWork
    /// When the last session with work began, and the places of the popups that waited at its end.
    private var lastSession: (start: Int64, waiting: [Int]) = (0, [])

    /// Creates the replay of a user, with any state that is known. `budget` is shared by all users
    /// of the log, as `FleetLimits.budget(events:popups:)` makes it.
    public init(
        of user: String, rules: ReplayRules, state: UserState = UserState(), budget: WorkBudget
    ) {
        self.user = user
        self.rules = rules
        self.state = state
        work = JudgingWork(budget)
    }

    /// The number of steps of the replay, as `FleetLimits.judged` counts them.
    package var judged: Int { work.total }

    /// Plays events, in any order, and reports what happens.
    ///
    /// If events have the same insert ID, only the first counts. Sessions that are not over at
    /// `end`, in nanoseconds since 1970, are kept for another day. Takes the time to sort the
    /// events, and the time of the scheduler.
    public mutating func play(
        _ events: [LogEvent], until end: Int64 = .max, into sink: inout some ReplaySink
    ) {
        let sorted = unique(sorted(state.open.isEmpty ? events : state.open + events))
        state.open = []
        if let first = sorted.first, let last = sorted.last {
            let earliest = min(first.time, times?.lowerBound ?? .max)
            times = earliest...max(last.time, times?.upperBound ?? .min)
        }
        var start = sorted.startIndex
        while start < sorted.endIndex {
            let next = sessionEnd(from: start, in: sorted)
            let following = next < sorted.endIndex ? sorted[next] : nil
            let over = closing(of: sorted[start..<next], next: following)
            guard over <= end else {
                state.open = Array(sorted[start...])
                break
            }
            playSession(sorted[start..<next], until: over, into: &sink)
            if undecided != nil { return }
            start = next
        }
        if !work.charge() {
            let (start, waiting) = lastSession
            undecided = UndecidedSession(of: user, start: start, waiting: waiting, rules: rules)
        }
    }

    /// Most are in order: each comparison is cheaper than a copy.
    private func sorted(_ events: [LogEvent]) -> [LogEvent] {
        let isSorted = events.indices.dropFirst().allSatisfy {
            !rules.plan.isBefore(events[$0], events[$0 - 1])
        }
        return isSorted ? events : events.sorted { rules.plan.isBefore($0, $1) }
    }

    /// Returns the events without copies.
    private mutating func unique(_ events: [LogEvent]) -> [LogEvent] {
        guard events.contains(where: { $0.insertion != 0 }) else { return events }
        var seen: Set<UInt64> = []
        let kept = events.filter { $0.insertion == 0 || seen.insert($0.insertion).inserted }
        copies += events.count - kept.count
        return kept
    }

    /// The place of the first event of the next session.
    private func sessionEnd(from start: Int, in events: [LogEvent]) -> Int {
        var next = start + 1
        while next < events.endIndex,
            events[next].time - events[next - 1].time < rules.sessionTimeout,
            !rules.plan.readings[events[next].reading].isStart
        {
            next += 1
        }
        return next
    }

    /// When a session is over.
    private func closing(of session: ArraySlice<LogEvent>, next: LogEvent?) -> Int64 {
        let (end, isOver) = (session.last?.time ?? 0).addingReportingOverflow(
            rules.sessionTimeout)
        return min(isOver ? .max : end, next?.time ?? .max)
    }

    private mutating func playSession(
        _ events: ArraySlice<LogEvent>, until end: Int64, into sink: inout some ReplaySink
    ) {
        guard let first = events.first else { return }
        if rules.isIdleAtStart, events.allSatisfy({ rules.inputs[$0.reading].isNothing }) {
            return passOver(events, until: end, into: &sink)
        }
        var session = UserSession(
            of: user, rules: rules, state: state, first: first, work: work)
        session.begin(with: first, into: &sink)
        for event in events { session.play(event, into: &sink) }
        session.end(at: end, into: &sink)
        state = session.state
        (work, undecided) = (session.work, session.undecided)
        lastSession = (first.time, session.waitingAtEnd)
    }

    /// Plays a session in which the scheduler has no inputs apart from its beginning and its end.
    private mutating func passOver(
        _ events: ArraySlice<LogEvent>, until end: Int64, into sink: inout some ReplaySink
    ) {
        state.beginContext(of: user, rules: rules)
        var days = DayClock(rules.calendar)
        for event in events { days.note(event.time, of: &state, into: &sink) }
        let began = Timestamp(nanoseconds: events.first?.time ?? end)
        state.history.apply(.session(date: began))
        state.history.apply(.sessionLeft(date: Timestamp(nanoseconds: end)))
    }
}

/// A receiver of the events of replays.
public protocol ReplaySink {
    /// Something happened to a popup.
    mutating func add(_ row: ReplayRow)
    /// A user was there on a day, counted from 1970-01-01, of a week that began with one.
    mutating func wasThere(onDay day: Int, isNewDay: Bool, isNewWeek: Bool)
}

extension Duration {
    /// As far as 64 bits have them.
    var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let whole = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let sum = whole.partialValue.addingReportingOverflow(attoseconds / 1_000_000_000)
        return whole.overflow || sum.overflow ? (seconds < 0 ? .min : .max) : sum.partialValue
    }
}

extension Timestamp {
    /// Creates the time this number of nanoseconds after 1970-01-01T00:00:00Z.
    init(nanoseconds: Int64) {
        let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        self.init(
            seconds: rest < 0 ? seconds - 1 : seconds,
            nanoseconds: Int32(rest < 0 ? rest + 1_000_000_000 : rest))
    }
}

/// The state with which a user's replay continues on another day.
public struct UserState: Sendable, Hashable {
    /// The user's history.
    public var history = History()
    /// The values of context keys that the log has set.
    public var context: [String: Value] = [:]
    /// The events of a session that is not over.
    public var open: [LogEvent] = []
    /// The week of the last event, by the day with which it began; nil before the first.
    public var week: Int?
    /// The number of impressions in that week.
    public var shownInWeek = 0
    /// The day of the last event, counted from 1970-01-01; nil before the first.
    public var day: Int?

    /// Creates the state of a new user.
    public init() {}

    /// Returns true if an event is from before the end of a session that is over.
    package func isOver(_ event: LogEvent) -> Bool {
        history.sessions.left.map { Timestamp(nanoseconds: event.time) < $0 } ?? false
    }

    /// Sets the context values that all users begin with, and the user's ID.
    mutating func beginContext(of user: String, rules: ReplayRules) {
        // Later a key without a value is one that the log has cleared.
        if day == nil { context.merge(rules.given) { known, _ in known } }
        for key in rules.userKeys { context[key] = .string(user) }
    }
}

/// A session that was not played to its end, since its rules wake too often.
public struct UndecidedSession: Error, Sendable, Hashable {
    /// The user.
    public var user: String
    /// When the session began.
    public var start: Timestamp
    /// The popups that were waiting, in the order of the rules.
    public var waiting: [String]

    /// `start` is in nanoseconds since 1970; `waiting` has the popups' places in the rules.
    init(of user: String, start: Int64, waiting: [Int], rules: ReplayRules) {
        self.user = user
        self.start = Timestamp(nanoseconds: start)
        self.waiting = waiting.map { rules.popups[$0] }
    }
}

/// Counts the steps of replays, and charges them in lumps: many threads share a
/// budget.
struct JudgingWork {
    private static let lump = 1_024

    let budget: WorkBudget
    /// All that was done.
    private(set) var total = 0
    private var pending = 0

    init(_ budget: WorkBudget) { self.budget = budget }

    /// Returns whether more may be done.
    mutating func note(_ count: Int) -> Bool {
        total += count
        pending += count
        return pending < Self.lump || charge()
    }

    /// Charges what was not yet charged.
    mutating func charge() -> Bool {
        defer { pending = 0 }
        return pending == 0 || budget.charge(.judgedPopups, pending)
    }
}

/// The users that a log names by two names: if a row has both places of `user`, the user of its
/// second name is the user of its first name.
///
/// A name that rows give to several users belongs to the first of these by bytes, so that the order
/// of the rows doesn't matter.
package struct Identities: Sendable {
    private var users: [String: String] = [:]

    package init() {}

    /// A row has both names.
    package mutating func note(_ user: String, as alias: String) {
        guard let known = users[alias] else {
            bytes += user.utf8.count + alias.utf8.count
            return users[alias] = user
        }
        guard user.utf8.lexicographicallyPrecedes(known.utf8) else { return }
        bytes += user.utf8.count - known.utf8.count
        users[alias] = user
    }

    /// Adds what other rows have.
    package mutating func add(_ other: Identities) {
        for (alias, user) in other.users { note(user, as: alias) }
    }

    /// Returns the user of a row that only has the second name.
    package func user(of alias: String) -> String { users[alias] ?? alias }

    package var isEmpty: Bool { users.isEmpty }
    package var count: Int { users.count }
    /// The bytes of all names.
    package private(set) var bytes = 0
}
