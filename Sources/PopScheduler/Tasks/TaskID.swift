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
    /// Rules, and which of them it is: the rule itself may lie anywhere in memory, and to count a reference to it takes a
    /// fifth of the time that choosing one of 100,000 popups takes.
    private let rules: [PopupRule]
    private let index: Int

    init(_ id: PresentationID, _ rules: [PopupRule], _ index: Int) {
        self.id = id
        self.rules = rules
        self.index = index
    }

    /// The definition as it was when the task was chosen.
    public var popup: PopupRule { rules[index] }

    public var task: TaskID { id.task }
}
