/// One scheduler of the rule set: its queue, its screen, its rest between two popups.
struct Lane: Sendable {
    var rule: SchedulerRule
    var screen = Screen.free
    /// What comes on the screen next, once something is chosen.
    var chosen: Chosen?
    /// Until when it rests after a dismissal.
    var gapEnds: Duration?
    var isSuspended = false

    private(set) var waitingCount = 0
    /// The waiting tasks that `max_waiting` counts, last in order first, where the rule has one.
    private(set) var bounded = IndexedHeap<Reversed<TaskOrder>>()
    /// The waiting tasks that are eligible or may have become so, first in order first.
    var open = IndexedHeap<TaskOrder>()
    /// The waiting tasks that may not show and are dropped when passed over.
    var doomed = IndexedHeap<TaskOrder>()

    /// Whether `dismiss_when` of the popup on the screen may come to something else than before.
    var mustCheckDismissCondition = false
    /// What `dismiss_when` of the popup on the screen depends on.
    var post = Watchers.Post()

    init(_ rule: SchedulerRule) { self.rule = rule }

    /// Whether the pass would choose from the queue.
    var isReady: Bool {
        guard case .free = screen else { return false }
        return chosen == nil && gapEnds == nil && !isSuspended
    }

    var isOccupied: Bool {
        if case .occupied = screen { true } else { false }
    }

    /// `wasShown`: a task that was switched out takes no place in a queue that is bounded.
    mutating func add(_ popup: PopupIndex, order: TaskOrder, wasShown: Bool) {
        waitingCount += 1
        if rule.maxWaiting != nil, !wasShown { bounded.insert(popup, key: Reversed(value: order)) }
    }

    /// Puts a waiting task among those that may show.
    mutating func reopen(_ popup: PopupIndex, order: TaskOrder) {
        doomed.remove(popup)
        if !open.contains(popup) { open.insert(popup, key: order) }
    }

    mutating func remove(_ popup: PopupIndex) {
        waitingCount -= 1
        bounded.remove(popup)
        open.remove(popup)
        doomed.remove(popup)
    }
}

/// The same values in the opposite order.
struct Reversed<Value: Comparable & Sendable>: Comparable, Sendable {
    var value: Value

    static func < (left: Reversed, right: Reversed) -> Bool { right.value < left.value }
}
