internal import PopCEL

/// The result of judging whether a task may show now, and the changes that could alter it.
struct Eligibility: Sendable {
    /// The reason of the first test that fails, ignoring places reserved for others; nil if no test
    /// fails.
    private(set) var obstacle: ReasonCode?
    /// The reason of the first cap whose room is used up only by places reserved for others.
    private var reservation: ReasonCode?
    /// The deadline at which the verdict may change by itself.
    private(set) var ends = Deadline.never
    /// The deadline at which the obstacle may end by itself, even if something else has to be
    /// checked earlier.
    private(set) var obstacleEnds = Deadline.never
    /// The watch keys that the verdict depends on.
    private(set) var watched: [SlotIndex] = []
    /// True if the verdict depends only on the slots of the condition, besides `watched`, which is
    /// empty then. They needn't be looked up as long as the same was true before.
    private(set) var watchesCondition = false
    /// The result of the popup's condition, if it was evaluated.
    private(set) var when: Truth?
    var group: Truth?
    var schedule: Truth?
    /// The `when` of the schedule that decided; nil if none did.
    var scheduleCondition: Condition?
    private(set) var dismissWhen: Truth?

    /// The reason of the first test that fails; nil if the task is eligible. No test after an
    /// obstacle is run.
    var reason: ReasonCode? { reservation ?? obstacle }

    var hasErrors: Bool {
        when?.error != nil || group?.error != nil || schedule?.error != nil
            || dismissWhen?.error != nil
    }

    /// True if a task with `untriggered: discard` is dropped when it is passed over for this
    /// reason. False if only reservations block it.
    var isDroppable: Bool { obstacle?.dropsWhenPassedOver == true }

    /// The dependencies of the conditions of schedule and group. They stay watched when a later
    /// test fails, so that their errors are reported.
    private var keptEnds = Deadline.never
    private var keptWatched: [SlotIndex] = []

    /// Blocks the task. The verdict then depends only on the failing test, not on earlier tests.
    mutating func block(
        _ reason: ReasonCode, until ends: Deadline = .never, on keys: [SlotIndex] = []
    ) {
        obstacle = reason
        obstacleEnds = ends
        self.ends = keptEnds.or(ends)
        watched = joined(keptWatched, keys)
    }

    /// Takes in the result of the popup's condition.
    mutating func decide(
        _ truth: Truth, until end: Timestamp?, by slots: @autoclosure () -> [SlotIndex]
    ) {
        when = truth
        let isAll = keptWatched.isEmpty && watched.isEmpty
        watchesCondition = isAll
        let keys = isAll ? [] : slots()
        switch truth {
        case .yes: depend(until: .at(end), on: keys)
        case .no: block(.conditionFalse, until: .at(end), on: keys)
        case .error: block(.conditionError, until: .at(end), on: keys)
        }
    }

    /// Blocks the task if a cap is used up, by impressions or by places reserved for others.
    /// Otherwise only watches the keys for whose values the cap counts.
    mutating func limit(
        by cap: WindowCap, for reason: ReasonCode, counted: CappedDates, now: Timestamp,
        calendar: LocalCalendar = .utc, on keys: [SlotIndex] = []
    ) {
        switch cap.room(for: counted, now: now, calendar: calendar) {
        case .some: if !keys.isEmpty { depend(on: keys) }
        case .none(let opens): block(reason, until: .at(opens), on: keys)
        case .reserved(let opens):
            if reservation == nil { obstacleEnds = .at(opens) }
            reserve(reason)
            depend(until: .at(opens), on: keys)
        }
    }

    /// Blocks the task because only places reserved for others use up a cap.
    mutating func reserve(_ reason: ReasonCode) { reservation = reservation ?? reason }

    /// Takes in the result of `dismiss_when`, after a condition that reads `slots`. That condition
    /// stays watched too.
    mutating func decideDismissal(
        _ truth: Truth, until end: Timestamp?, by keys: [SlotIndex],
        beside slots: @autoclosure () -> [SlotIndex]
    ) {
        dismissWhen = truth
        if watchesCondition {
            watchesCondition = false
            watched = slots()
        }
        depend(until: .at(end), on: keys)
        if truth == .yes { (obstacle, obstacleEnds) = (.dismissCondition, .at(end)) }
    }

    mutating func depend(until ends: Deadline = .never, on keys: [SlotIndex] = []) {
        self.ends = self.ends.or(ends)
        watched = joined(watched, keys)
    }

    /// Joins two lists. The slots of a condition are shared with its program as long as nothing is
    /// added to them.
    private func joined(_ first: [SlotIndex], _ second: [SlotIndex]) -> [SlotIndex] {
        if first.isEmpty { return second }
        return second.isEmpty ? first : first + second
    }

    /// Keeps watching a condition that comes before the popup's own, so that it is evaluated again
    /// whenever its result may change.
    mutating func keepDepending(until ends: Deadline, on keys: [SlotIndex]) {
        keptEnds = keptEnds.or(ends)
        keptWatched = joined(keptWatched, keys)
        depend(until: ends, on: keys)
    }
}
