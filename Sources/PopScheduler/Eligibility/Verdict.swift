internal import PopCEL

/// Whether a task may show now, and what could change that.
struct Verdict: Sendable {
    /// The first test that fails; nil when the task is eligible.
    private(set) var reason: ReasonCode?
    /// When the verdict may change by itself.
    private(set) var ends = Deadline.never
    /// The watch keys of what it depends on.
    private(set) var watched: [Int] = []
    /// Whether the slots of its condition are all that it depends on, besides `watched`, which is empty then: they need not
    /// be looked up as long as that was so before.
    private(set) var watchesCondition = false
    /// What the conditions came to, where they were evaluated.
    var when: Truth?
    var group: Truth?

    var hasErrors: Bool { when?.error != nil || group?.error != nil }

    /// What the group's condition depends on; it stays watched when a later test fails, so that its errors are reported.
    private var groupEnds = Deadline.never
    private var groupWatched: [Int] = []

    /// The verdict depends on the failing test, whatever tests before it depended on.
    mutating func block(_ reason: ReasonCode, until ends: Deadline = .never, on keys: [Int] = []) {
        self.reason = reason
        self.ends = groupEnds.or(ends)
        watched = joined(groupWatched, keys)
    }

    /// The condition of the popup was evaluated and came to this.
    mutating func decide(
        _ truth: Truth, until end: Timestamp?, by slots: @autoclosure () -> [Int]
    ) {
        when = truth
        let isAll = groupWatched.isEmpty && watched.isEmpty
        watchesCondition = isAll
        let keys = isAll ? [] : slots()
        switch truth {
        case .yes: depend(until: .at(end), on: keys)
        case .no: block(.conditionFalse, until: .at(end), on: keys)
        case .error: block(.conditionError, until: .at(end), on: keys)
        }
    }

    mutating func depend(until ends: Deadline = .never, on keys: [Int] = []) {
        self.ends = self.ends.or(ends)
        watched = joined(watched, keys)
    }

    /// The keys of a condition are shared with its program as long as nothing is added to them.
    private func joined(_ first: [Int], _ second: [Int]) -> [Int] {
        if first.isEmpty { return second }
        return second.isEmpty ? first : first + second
    }

    /// The group's condition holds.
    mutating func dependOnGroup(until ends: Deadline, on keys: [Int]) {
        groupEnds = ends
        groupWatched = keys
        depend(until: ends, on: keys)
    }
}

extension ReasonCode {
    /// Whether a task with `untriggered: discard` is dropped when it is passed over for this reason.
    var dropsWhenPassedOver: Bool {
        switch self {
        case .suspended, .postponed, .delayed: false
        default: true
        }
    }
}
