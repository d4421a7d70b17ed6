internal import PopCEL

/// The tasks that wait or are chosen, their order, and the times at which they are examined again.
struct Queues: Sendable {
    /// By the index of their popup.
    private(set) var tasks: TaskTable
    private var lanes: TypedArray<LaneIndex, Queue>
    // The times at which tasks are examined again.
    private var instants = IndexedHeap<Duration>()
    private var dates = IndexedHeap<Timestamp>()
    private var made = 0
    /// The number of tasks examined so far.
    private(set) var examined = 0

    init(popups: Int, lanes: [SchedulerRule]) {
        tasks = TaskTable(count: popups)
        self.lanes = TypedArray(lanes.map(Queue.init))
    }

    /// Starts without tasks for other popups and schedulers.
    mutating func rulesChanged(popups: Int, lanes: [SchedulerRule]) {
        tasks = TaskTable(count: popups)
        self.lanes = TypedArray(lanes.map(Queue.init))
    }

    /// Makes room for a popup that may come after all others.
    mutating func makeRoom(for popup: PopupIndex) { tasks.makeRoom(for: popup) }

    /// Returns the number for a new task.
    mutating func nextNumber() -> Int {
        made += 1
        return made
    }
}

// The queue of a scheduler.
extension Queues {
    func waitingCount(_ lane: LaneIndex) -> Int { lanes[lane].count }

    /// Returns the first in order of the tasks that are eligible or may have become eligible.
    func firstOpen(_ lane: LaneIndex) -> IndexedHeap<TaskOrder>.Entry? { lanes[lane].open.first }

    /// Returns the first in order of the tasks that are dropped when they are passed over.
    func firstDoomed(_ lane: LaneIndex) -> IndexedHeap<TaskOrder>.Entry? {
        lanes[lane].doomed.first
    }

    /// Returns the last task in order if more tasks wait than the scheduler allows; nil otherwise.
    func excess(_ lane: LaneIndex) -> PopupIndex? { lanes[lane].excess }

    /// Returns true if a pass would find anything to choose or to drop.
    func hasWork(_ lane: LaneIndex) -> Bool {
        !lanes[lane].open.isEmpty || !lanes[lane].doomed.isEmpty
    }

    /// Adds a task that wasn't examined yet, outside of the queue.
    mutating func insert(_ task: LiveTask, order: TaskOrder, of popup: PopupIndex) {
        tasks.insert(task, order: order, of: popup)
    }

    /// Puts a task into the queue.
    mutating func enter(_ popup: PopupIndex, lane: LaneIndex, isDiscardable: Bool) {
        tasks.setWaiting(true, of: popup)
        lanes[lane].add(
            popup, order: tasks.order(of: popup), wasShown: tasks.wasShown(popup))
        switch tasks.status(of: popup) {
        case .unknown, .eligible: lanes[lane].reopen(popup, order: tasks.order(of: popup))
        case .blocked(let isDroppable):
            lanes[lane].block(
                popup, order: tasks.order(of: popup), isDoomed: isDroppable && isDiscardable)
        }
    }

    /// Takes a task out of the queue; it stays live.
    mutating func leave(_ popup: PopupIndex, lane: LaneIndex) {
        guard tasks.isWaiting(popup) else { return }
        tasks.setWaiting(false, of: popup)
        lanes[lane].remove(popup)
    }

    /// Removes a task completely.
    mutating func remove(_ popup: PopupIndex, lane: LaneIndex) {
        leave(popup, lane: lane)
        instants.remove(popup)
        dates.remove(popup)
        tasks.remove(popup)
    }
}

// The status of tasks.
extension Queues {
    /// Counts a task that is about to be examined.
    mutating func countExamination() { examined += 1 }

    /// Stores the result of an examination, and the deadline at which it may change by itself.
    mutating func know(
        _ popup: PopupIndex, status: LiveTask.Status, until ends: Deadline, lane: LaneIndex,
        isDiscardable: Bool
    ) {
        tasks.know(popup, status: status, until: ends)
        // An eligible task is in the same heap as tasks of unknown status.
        guard case .blocked(let isDroppable) = status, tasks.isWaiting(popup) else { return }
        lanes[lane].block(
            popup, order: tasks.order(of: popup), isDoomed: isDroppable && isDiscardable)
    }

    /// Marks a task as to be examined again before its status is used.
    mutating func wake(_ popup: PopupIndex, lane: LaneIndex) {
        guard tasks.isLive(popup) else { return }
        tasks.forget(popup)
        if tasks.isWaiting(popup) { lanes[lane].reopen(popup, order: tasks.order(of: popup)) }
    }

    mutating func postpone(_ popup: PopupIndex, until end: Duration) {
        tasks.postpone(popup, until: end)
    }

    mutating func setError(_ error: EvaluationError?, role: ConditionRole, of popup: PopupIndex) {
        tasks.setError(error, role: role, of: popup)
    }

    mutating func setArm(_ arm: String, of popup: PopupIndex) { tasks.setArm(arm, of: popup) }

    mutating func setExposed(_ popup: PopupIndex) { tasks.setExposed(popup) }

    /// Counts another choice of the task. Returns how often it was chosen, including this time.
    mutating func nextTurn(_ popup: PopupIndex) -> Int { tasks.nextTurn(popup) }

    /// Watches the slots that the status depends on, which may be the slots of the popup's
    /// condition.
    mutating func watch(
        _ popup: PopupIndex, keys: ArraySlice<SlotIndex>, areOfCondition: Bool,
        with conditions: inout Conditions
    ) {
        tasks.watch(popup, keys: keys, areOfCondition: areOfCondition, with: &conditions)
    }

    /// Resets the posts of all tasks after all watchers were removed.
    mutating func forgetPosts() { tasks.forgetPosts() }
}

// The times at which tasks are examined again.
extension Queues {
    var nextInstant: Duration? { instants.first?.key }
    var nextDate: Timestamp? { dates.first?.key }
    var hasDeadlines: Bool { !instants.isEmpty || !dates.isEmpty }

    mutating func schedule(_ popup: PopupIndex, at due: Deadline) {
        if let instant = due.instant {
            instants.insert(popup, key: instant)
        } else {
            instants.remove(popup)
        }
        if let date = due.date { dates.insert(popup, key: date) } else { dates.remove(popup) }
    }

    /// Takes out the popups that are due by now.
    mutating func takeDue(at now: Moment) -> Set<PopupIndex> {
        var due: Set<PopupIndex> = []
        while let first = instants.first, first.key <= now.instant {
            instants.remove(first.popup)
            due.insert(first.popup)
        }
        while let first = dates.first, first.key <= now.date {
            dates.remove(first.popup)
            due.insert(first.popup)
        }
        return due
    }
}

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

/// A heap of popups by key, smallest first, that also finds and removes any of them.
///
/// Each entry has four children: half as many levels as with two, and so half as many entries that
/// move. Inserting and removing are logarithmic, reading the first is constant. A popup is in it at
/// most once.
///
/// Up to `smallCount` entries are searched linearly: the position of a popup is somewhere in
/// memory, but the entries are in a few cache lines. In samples of a change among 100,000 popups, 6
/// % were spent on positions.
struct IndexedHeap<Key: Comparable & Sendable>: Sendable {
    struct Entry: Sendable {
        var key: Key
        var popup: PopupIndex
    }

    private static var fanOut: Int { 4 }
    private static var smallCount: Int { 8 }

    /// In no particular order, except for the first.
    private(set) var entries: [Entry] = []
    /// The position of each popup in `entries`, -1 if it isn't there; all -1 while there is no
    /// index.
    private var positions: [Int32] = []
    /// True from more than `smallCount` entries on, until no entry is left.
    private var hasIndex = false

    var first: Entry? { entries.first }
    var count: Int { entries.count }
    var isEmpty: Bool { entries.isEmpty }

    func contains(_ popup: PopupIndex) -> Bool { position(of: popup) != nil }

    private func position(of popup: PopupIndex) -> Int? {
        if !hasIndex { return entries.firstIndex { $0.popup == popup } }
        let item = popup.number
        return item < positions.count && positions[item] >= 0 ? Int(positions[item]) : nil
    }

    /// Inserts a popup, or moves it to another key.
    mutating func insert(_ popup: PopupIndex, key: Key) {
        remove(popup)
        entries.append(Entry(key: key, popup: popup))
        if entries.count == 1 { return }
        if hasIndex {
            makeRoom(for: popup)
        } else if entries.count > Self.smallCount {
            addIndex()
        }
        siftUp(entries.count - 1)
    }

    private mutating func addIndex() {
        hasIndex = true
        for position in entries.indices {
            makeRoom(for: entries[position].popup)
            positions[entries[position].popup.number] = Int32(position)
        }
    }

    private mutating func makeRoom(for popup: PopupIndex) {
        guard popup.number >= positions.count else { return }
        let missing = max(popup.number + 1, positions.count * 2) - positions.count
        positions.append(contentsOf: repeatElement(-1, count: missing))
    }

    // This check avoids most calls: most heaps that a popup is removed from are empty.
    @inline(__always)
    mutating func remove(_ popup: PopupIndex) {
        if !entries.isEmpty { removeFromEntries(popup) }
    }

    private mutating func removeFromEntries(_ popup: PopupIndex) {
        guard let position = position(of: popup) else { return }
        if hasIndex { positions[popup.number] = -1 }
        let last = entries.removeLast()
        if entries.isEmpty { hasIndex = false }
        guard position < entries.count else { return }
        entries[position] = last
        if siftUp(position) == position { siftDown(position) }
    }

    /// Moves an entry up. Returns its new position.
    @discardableResult
    private mutating func siftUp(_ start: Int) -> Int {
        let entry = entries[start]
        var position = start
        while position > 0 {
            let parent = (position - 1) / Self.fanOut
            guard entry.key < entries[parent].key else { break }
            put(entries[parent], at: position)
            position = parent
        }
        put(entry, at: position)
        return position
    }

    private mutating func siftDown(_ start: Int) {
        let entry = entries[start]
        let count = entries.count
        var position = start
        while true {
            let first = Self.fanOut * position + 1
            guard first < count else { break }
            var child = first
            for other in first + 1..<max(first + 1, min(first + Self.fanOut, count))
            where entries[other].key < entries[child].key {
                child = other
            }
            guard entries[child].key < entry.key else { break }
            put(entries[child], at: position)
            position = child
        }
        put(entry, at: position)
    }

    private mutating func put(_ entry: Entry, at position: Int) {
        entries[position] = entry
        if hasIndex { positions[entry.popup.number] = Int32(position) }
    }
}
