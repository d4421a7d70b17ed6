/// One request to show a popup, told apart by its number.
public struct TaskID: Sendable, Hashable {
    /// The id of the popup.
    public let popup: String
    /// The name of the scheduler that the task is on; a reload may move a task to another.
    public let scheduler: String
    /// Counts the tasks of a `Scheduler` value from 1: tasks made later have higher numbers.
    public let number: Int

    public init(popup: String, scheduler: String, number: Int) {
        self.popup = popup
        self.scheduler = scheduler
        self.number = number
    }

    public static func == (left: TaskID, right: TaskID) -> Bool { left.number == right.number }

    public func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

/// One attempt to show a task: tells late replies about an earlier attempt apart.
public struct PresentationID: Sendable, Hashable {
    public let task: TaskID
    /// Counts the attempts of the task from 1.
    public let turn: Int

    public init(task: TaskID, turn: Int) {
        self.task = task
        self.turn = turn
    }
}

/// What the host needs to show a task.
public struct Presentation: Sendable {
    public let id: PresentationID
    /// The definition as it was when the task was chosen.
    public let popup: PopupRule

    public var task: TaskID { id.task }
}
