internal import PopCEL

/// Whether a task may show now, and what could change that.
struct Verdict: Sendable {
    /// The first test that fails, were no places kept for others; nil when there is none.
    private(set) var obstacle: ReasonCode?
    /// The first cap that has room but for places that are kept for others.
    private var reservation: ReasonCode?
    /// When the verdict may change by itself.
    private(set) var ends = Deadline.never
    /// When the obstacle may be gone by itself, whatever else is to be looked at again before.
    private(set) var obstacleEnds = Deadline.never
    /// The watch keys of what it depends on.
    private(set) var watched: [SlotIndex] = []
    /// Whether the slots of its condition are all that it depends on, besides `watched`, which is
    /// empty then: they need not be looked up as long as that was so before.
    private(set) var watchesCondition = false
    /// What the conditions came to, where they were evaluated.
    private(set) var when: Truth?
    var group: Truth?
    var schedule: Truth?
    /// The `when` of its schedule that decided; nil when none did.
    var scheduleCondition: Condition?
    private(set) var dismissWhen: Truth?

    /// The first test that fails; nil when the task is eligible. Nothing behind an obstacle is
    /// tested.
    var reason: ReasonCode? { reservation ?? obstacle }

    var hasErrors: Bool {
        when?.error != nil || group?.error != nil || schedule?.error != nil
            || dismissWhen?.error != nil
    }

    /// Whether a task with `untriggered: discard` is dropped when it is passed over for this: not
    /// when only reservations keep it out.
    var isDroppable: Bool { obstacle?.dropsWhenPassedOver == true }

    /// What the conditions of the schedule and the group depend on; it stays watched when a later
    /// test fails, so that their errors are reported.
    private var keptEnds = Deadline.never
    private var keptWatched: [SlotIndex] = []

    /// The verdict depends on the failing test, whatever tests before it depended on.
    mutating func block(
        _ reason: ReasonCode, until ends: Deadline = .never, on keys: [SlotIndex] = []
    ) {
        obstacle = reason
        obstacleEnds = ends
        self.ends = keptEnds.or(ends)
        watched = joined(keptWatched, keys)
    }

    /// The condition of the popup was evaluated and came to this.
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

    /// A cap blocks, or may do so when what it counts changes.
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

    /// A cap has room but for places that are kept for others.
    mutating func reserve(_ reason: ReasonCode) { reservation = reservation ?? reason }

    /// `dismiss_when` was evaluated and came to this, after a condition of these slots. That one
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

    /// The keys of a condition are shared with its program as long as nothing is added to them.
    private func joined(_ first: [SlotIndex], _ second: [SlotIndex]) -> [SlotIndex] {
        if first.isEmpty { return second }
        return second.isEmpty ? first : first + second
    }

    /// A condition before that of the popup was evaluated, and is to be so again whenever it may
    /// come to something else.
    mutating func keepDepending(until ends: Deadline, on keys: [SlotIndex]) {
        keptEnds = keptEnds.or(ends)
        keptWatched = joined(keptWatched, keys)
        depend(until: ends, on: keys)
    }
}
