/// The place of a task among those of its scheduler: smaller comes first. No two tasks have the
/// same order.
struct TaskOrder: Sendable, Hashable, Comparable {
    /// Smaller for a higher priority; 0 if priorities don't matter.
    let rank: Int
    /// The sequence number, negative if the newest task comes first.
    let sequence: Int

    init(_ scheduler: SchedulerRule, priority: Int, number: Int) {
        switch scheduler.strategy {
        case .fifo: (rank, sequence) = (0, number)
        case .lifo: (rank, sequence) = (0, -number)
        case .priority:
            // Every integer, including the smallest, has a complement, which reverses the order.
            (rank, sequence) = (~priority, scheduler.tieBreak == .fifo ? number : -number)
        }
    }

    /// Creates the place of a forced task, which comes before all tasks that aren't forced.
    init(forced number: Int) { (rank, sequence) = (.min, number) }

    private init() { (rank, sequence) = (0, 0) }

    /// The order if there is no task.
    static let none = TaskOrder()

    /// True if it is the order of a task: tasks are counted from 1.
    var isTaken: Bool { sequence != 0 }

    /// The sequence number of the task.
    var number: Int { abs(sequence) }

    static func < (left: TaskOrder, right: TaskOrder) -> Bool {
        (left.rank, left.sequence) < (right.rank, right.sequence)
    }

    /// Returns true if a task of this order may take the screen from a visible one under `strategy:
    /// priority`.
    func outranks(_ visible: TaskOrder, tieBreak: SchedulerRule.TieBreak) -> Bool {
        rank < visible.rank || (tieBreak == .lifo && self < visible)
    }
}
