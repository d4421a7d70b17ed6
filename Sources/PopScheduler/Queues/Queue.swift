/// The waiting tasks of one scheduler, by their popups.
struct Queue: Sendable {
    private(set) var count = 0
    /// The tasks that are eligible or may have become eligible, first in order first.
    private(set) var open = IndexedHeap<TaskOrder>()
    /// The tasks that may not show and are dropped when passed over.
    private(set) var doomed = IndexedHeap<TaskOrder>()
    /// The tasks that `max_waiting` counts, last in order first, if the rule has this key.
    private var bounded = IndexedHeap<Reversed<TaskOrder>>()
    private let maxWaiting: Int?

    init(_ rule: SchedulerRule) { maxWaiting = rule.maxWaiting }

    /// The last task in order if more tasks wait than allowed; nil otherwise.
    var excess: PopupIndex? {
        guard let maxWaiting, bounded.count > maxWaiting else { return nil }
        return bounded.first?.popup
    }

    /// Adds a task. `wasShown`: a task that was switched out takes no place in a bounded queue.
    mutating func add(_ popup: PopupIndex, order: TaskOrder, wasShown: Bool) {
        count += 1
        if maxWaiting != nil, !wasShown { bounded.insert(popup, key: Reversed(value: order)) }
    }

    mutating func remove(_ popup: PopupIndex) {
        count -= 1
        bounded.remove(popup)
        open.remove(popup)
        doomed.remove(popup)
    }

    /// Adds a waiting task to the tasks that may show.
    mutating func reopen(_ popup: PopupIndex, order: TaskOrder) {
        doomed.remove(popup)
        if !open.contains(popup) { open.insert(popup, key: order) }
    }

    /// Removes a waiting task from the tasks that may show.
    mutating func block(_ popup: PopupIndex, order: TaskOrder, isDoomed: Bool) {
        open.remove(popup)
        doomed.remove(popup)
        if isDoomed { doomed.insert(popup, key: order) }
    }
}

/// The same values in the opposite order.
struct Reversed<Value: Comparable & Sendable>: Comparable, Sendable {
    var value: Value

    static func < (left: Reversed, right: Reversed) -> Bool { right.value < left.value }
}
