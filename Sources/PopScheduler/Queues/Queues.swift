internal import PopCEL

/// The tasks that wait or are chosen, in which order they go, and when they have to be looked at
/// again.
struct Queues: Sendable {
    /// By the index of their popup.
    private(set) var tasks: TaskTable
    private var lanes: ParallelArray<LaneIndex, Queue>
    // When tasks are looked at again.
    private var instants = IndexedHeap<Duration>()
    private var dates = IndexedHeap<Timestamp>()
    private var made = 0
    /// How many tasks were examined so far.
    private(set) var examined = 0

    init(popups: Int, lanes: [SchedulerRule]) {
        tasks = TaskTable(count: popups)
        self.lanes = ParallelArray(lanes.map(Queue.init))
    }

    /// Other popups and schedulers. There are no tasks.
    mutating func rulesChanged(popups: Int, lanes: [SchedulerRule]) {
        tasks = TaskTable(count: popups)
        self.lanes = ParallelArray(lanes.map(Queue.init))
    }

    /// For a popup that may stand behind all others.
    mutating func makeRoom(for popup: PopupIndex) { tasks.makeRoom(for: popup) }

    /// The number of a new task.
    mutating func nextNumber() -> Int {
        made += 1
        return made
    }
}

// The queue of a scheduler.
extension Queues {
    func waitingCount(_ lane: LaneIndex) -> Int { lanes[lane].count }

    /// The first in order of those that are eligible or may have become so.
    func firstOpen(_ lane: LaneIndex) -> IndexedHeap<TaskOrder>.Entry? { lanes[lane].open.first }

    /// The first in order of those that are dropped when they are passed over.
    func firstDoomed(_ lane: LaneIndex) -> IndexedHeap<TaskOrder>.Entry? {
        lanes[lane].doomed.first
    }

    /// The last in order where more wait than the scheduler allows.
    func excess(_ lane: LaneIndex) -> PopupIndex? { lanes[lane].excess }

    /// Whether a pass would find anything to choose or to drop.
    func hasWork(_ lane: LaneIndex) -> Bool {
        !lanes[lane].open.isEmpty || !lanes[lane].doomed.isEmpty
    }

    /// Adds a task about which nothing is known yet, outside of the queue.
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

    /// Takes a task out of the queue; it goes on living.
    mutating func leave(_ popup: PopupIndex, lane: LaneIndex) {
        guard tasks.isWaiting(popup) else { return }
        tasks.setWaiting(false, of: popup)
        lanes[lane].remove(popup)
    }

    /// Takes a task out of everything.
    mutating func remove(_ popup: PopupIndex, lane: LaneIndex) {
        leave(popup, lane: lane)
        instants.remove(popup)
        dates.remove(popup)
        tasks.remove(popup)
    }
}

// What is known about a task.
extension Queues {
    /// It is about to be examined.
    mutating func countExamination() { examined += 1 }

    /// What an examination came to, and when that may change by itself.
    mutating func know(
        _ popup: PopupIndex, status: LiveTask.Status, until ends: Deadline, lane: LaneIndex,
        isDiscardable: Bool
    ) {
        tasks.know(popup, status: status, until: ends)
        // One that may show stands where those stand of which nothing is known.
        guard case .blocked(let isDroppable) = status, tasks.isWaiting(popup) else { return }
        lanes[lane].block(
            popup, order: tasks.order(of: popup), isDoomed: isDroppable && isDiscardable)
    }

    /// A task must be examined again before anything is said about it.
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

    /// How often it was chosen, this time included.
    mutating func nextTurn(_ popup: PopupIndex) -> Int { tasks.nextTurn(popup) }

    /// Watches what the status depends on, which may be the slots of the popup's condition.
    mutating func watch(
        _ popup: PopupIndex, keys: ArraySlice<SlotIndex>, areOfCondition: Bool,
        with conditions: inout Conditions
    ) {
        tasks.watch(popup, keys: keys, areOfCondition: areOfCondition, with: &conditions)
    }

    /// Nobody watches anything any more.
    mutating func forgetPosts() { tasks.forgetPosts() }
}

// When tasks are looked at again.
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

    /// Those that are due by now, which are due no more.
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
