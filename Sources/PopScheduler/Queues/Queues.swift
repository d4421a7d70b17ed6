internal import PopCEL

/// The tasks that wait or are chosen, their order, and the times at which they are examined again.
struct Queues: Sendable {
    /// By the index of their popup.
    private(set) var tasks: TaskTable
    private var lanes: ParallelArray<LaneIndex, Queue>
    // The times at which tasks are examined again.
    private var instants = IndexedHeap<Duration>()
    private var dates = IndexedHeap<Timestamp>()
    private var made = 0
    /// The number of tasks examined so far.
    private(set) var examined = 0

    init(popups: Int, lanes: [SchedulerRule]) {
        tasks = TaskTable(count: popups)
        self.lanes = ParallelArray(lanes.map(Queue.init))
    }

    /// Starts without tasks for other popups and schedulers.
    mutating func rulesChanged(popups: Int, lanes: [SchedulerRule]) {
        tasks = TaskTable(count: popups)
        self.lanes = ParallelArray(lanes.map(Queue.init))
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
