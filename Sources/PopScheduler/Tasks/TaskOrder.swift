/// The place of a task among those of its scheduler: smaller goes first. No two tasks have the
/// same.
struct TaskOrder: Sendable, Hashable, Comparable {
    /// Smaller for a higher priority; 0 where priorities do not matter.
    let rank: Int
    /// The sequence number, negative where the newest goes first.
    let sequence: Int

    init(_ scheduler: SchedulerRule, priority: Int, number: Int) {
        switch scheduler.strategy {
        case .fifo: (rank, sequence) = (0, number)
        case .lifo: (rank, sequence) = (0, -number)
        case .priority:
            // Of all integers, the smallest too, the complement exists and turns the order round.
            (rank, sequence) = (~priority, scheduler.tieBreak == .fifo ? number : -number)
        }
    }

    /// The place of a task that goes before all that are not forced.
    init(forced number: Int) { (rank, sequence) = (.min, number) }

    private init() { (rank, sequence) = (0, 0) }

    /// Where there is no task.
    static let none = TaskOrder()

    /// Whether it is that of a task: they are counted from 1.
    var isTaken: Bool { sequence != 0 }

    /// The sequence number of the task.
    var number: Int { abs(sequence) }

    static func < (left: TaskOrder, right: TaskOrder) -> Bool {
        (left.rank, left.sequence) < (right.rank, right.sequence)
    }

    /// Whether a task of this order may take the screen from a visible one under `strategy:
    /// priority`.
    func outranks(_ visible: TaskOrder, tieBreak: SchedulerRule.TieBreak) -> Bool {
        rank < visible.rank || (tieBreak == .lifo && self < visible)
    }
}
