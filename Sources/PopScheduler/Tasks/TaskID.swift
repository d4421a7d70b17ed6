public import PopCEL
internal import PopSource

/// One request to show a popup, told apart by its number.
///
/// As long as there is one, the rules that its popup is defined by stay in memory: to note many
/// down, take `popup` and `number`.
public struct TaskID: Sendable, Hashable {
    /// Counts the tasks of a `Scheduler` value from 1: tasks made later have higher numbers.
    public let number: Int
    private let definitions: Definitions
    private let popupIndex: Int32
    private let schedulerIndex: Int32

    init(_ number: Int, of popup: PopupIndex, on lane: LaneIndex, in definitions: Definitions) {
        self.number = number
        self.definitions = definitions
        popupIndex = Int32(popup.number)
        schedulerIndex = Int32(lane.number)
    }

    /// A task's name for tests and hosts; equal to one of the same number from a scheduler.
    public init(popup: String, scheduler: String, number: Int) {
        let nowhere = SourceRange(file: FileID(index: 0), 0..<0)
        let definitions = Definitions(
            [PopupRule(id: popup, at: nowhere)], schedulers: [SchedulerRule(name: scheduler)])
        self.init(number, of: 0, on: 0, in: definitions)
    }

    /// The id of the popup.
    public var popup: String { rule.id }
    /// The name of the scheduler that the task is on; a reload may move a task to another.
    public var scheduler: String { definitions.schedulers[Int(schedulerIndex)].name }

    fileprivate var rule: PopupRule {
        @inline(__always) _read { yield definitions.popups[Int(popupIndex)] }
    }

    public static func == (left: TaskID, right: TaskID) -> Bool { left.number == right.number }

    public func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

extension TaskID: CustomStringConvertible {
    /// The three values, and not all rules.
    public var description: String {
        "TaskID(popup: \(popup.debugDescription), scheduler: \(scheduler.debugDescription), "
            + "number: \(number))"
    }
}

/// The popups and schedulers that tasks are named after: those of one rule set, or a hand-made
/// popup.
///
/// A task goes through half a dozen values on its way to the screen. With one reference and two
/// numbers in place of two strings and the rules, choosing a popup and presenting it takes a tenth
/// less instructions. No rule itself is referred to: it may lie anywhere in memory, and to count a
/// reference to it takes a fifth of the time of choosing one of 100,000.
final class Definitions: Sendable {
    let popups: [PopupRule]
    let schedulers: [SchedulerRule]

    init(_ popups: [PopupRule], schedulers: [SchedulerRule]) {
        self.popups = popups
        self.schedulers = schedulers
    }
}

/// One attempt to show a task: tells late replies about an earlier attempt apart.
public struct PresentationID: Sendable, Hashable {
    /// Which task is shown.
    public let task: TaskID
    /// Counts the attempts of the task from 1.
    public let turn: Int

    /// An attempt of a task, for answers to the scheduler.
    public init(task: TaskID, turn: Int) {
        self.task = task
        self.turn = turn
    }
}

/// What the host needs to show a task.
public struct Presentation: Sendable {
    /// Goes back to the scheduler with every answer of the host.
    public let id: PresentationID
    /// Nil where the popup is handed on as it is written. A reference, since what is presented is
    /// often copied.
    private let look: Look?

    init(_ id: PresentationID, as look: Look? = nil) {
        self.id = id
        self.look = look
    }

    /// The definition as it was when the task was chosen.
    public var popup: PopupRule { id.task.rule }

    /// The arm of the popup's experiment that the user is in: the name of a variant, or `control`;
    /// nil for a user who takes no part, and where there is no experiment.
    public var variant: String? { look?.arm }

    /// Whether nothing will be shown, whatever the host answers: the user is in the arm that
    /// others are compared with.
    public var isControl: Bool { variant == Assignment.control }

    /// What kind of popup it is: the template of the variant, or of the popup.
    public var template: String? { look?.variant?.template ?? popup.template }

    /// What the popup, or its variant, says, as it is written.
    public var content: Value { look?.variant?.content ?? popup.content }

    /// The content as its reader gets to see it: that of the variant, in the user's language, with
    /// placeholders filled as of the moment at which this was handed out.
    public var resolvedContent: Value { look?.resolvedContent ?? content }

    /// The task that was chosen.
    public var task: TaskID { id.task }
}

/// What a user gets to see of a popup where that is not the popup as it is written.
final class Look: Sendable {
    let arm: String?
    /// What the arm changes.
    let variant: Experiment.Variant?
    /// Nil where the content is handed on as it is written.
    let resolvedContent: Value?

    init(arm: String? = nil, variant: Experiment.Variant? = nil, resolvedContent: Value? = nil) {
        self.arm = arm
        self.variant = variant
        self.resolvedContent = resolvedContent
    }
}
