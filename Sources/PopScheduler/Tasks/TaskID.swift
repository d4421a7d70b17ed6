public import PopCEL
internal import PopSource

/// One request to show a popup, identified by its number.
///
/// As long as it exists, the rules that define its popup stay in memory: to store many, keep
/// `popup` and `number`.
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
    /// The name of the scheduler that the task is on; a reload may move a task to another
    /// scheduler.
    public var scheduler: String { definitions.schedulers[Int(schedulerIndex)].name }

    fileprivate var rule: PopupRule {
        @inline(__always) _read { yield definitions.popups[Int(popupIndex)] }
    }

    public static func == (left: TaskID, right: TaskID) -> Bool { left.number == right.number }

    public func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

extension TaskID: CustomStringConvertible {
    /// The three values, without the rules.
    public var description: String {
        "TaskID(popup: \(popup.debugDescription), scheduler: \(scheduler.debugDescription), "
            + "number: \(number))"
    }
}

/// The popups and schedulers that tasks are named after: those of one rule set, or a hand-made
/// popup.
///
/// A task is copied through half a dozen values on its way to the screen. With one reference and
/// two numbers in place of two strings and the rules, choosing and presenting a popup takes a tenth
/// fewer instructions. No rule itself is referred to: it may be anywhere in memory, and counting a
/// reference to it takes a fifth of the time of choosing one of 100,000.
final class Definitions: Sendable {
    let popups: [PopupRule]
    let schedulers: [SchedulerRule]

    init(_ popups: [PopupRule], schedulers: [SchedulerRule]) {
        self.popups = popups
        self.schedulers = schedulers
    }
}

/// One attempt to show a task: distinguishes late replies about an earlier attempt.
public struct PresentationID: Sendable, Hashable {
    /// The task that is shown.
    public let task: TaskID
    /// Counts the attempts of the task from 1.
    public let turn: Int

    /// An attempt of a task, for answers to the scheduler.
    public init(task: TaskID, turn: Int) {
        self.task = task
        self.turn = turn
    }
}

/// The data that the host needs to show a task.
public struct Presentation: Sendable {
    /// Passed back to the scheduler with every answer of the host.
    public let id: PresentationID
    /// Nil if the popup is passed on as written. A reference, because presentations are often
    /// copied.
    private let look: Look?

    init(_ id: PresentationID, as look: Look? = nil) {
        self.id = id
        self.look = look
    }

    /// The definition as it was when the task was chosen.
    public var popup: PopupRule { id.task.rule }

    /// The arm of the popup's experiment that the user is in: the name of a variant, or `control`.
    /// Nil for a user who doesn't take part, and if there is no experiment.
    public var variant: String? { look?.arm }

    /// True if nothing will be shown, whatever the host answers: the user is in the arm that others
    /// are compared with.
    public var isControl: Bool { variant == Assignment.control }

    /// The template of the variant, or of the popup.
    public var template: String? { look?.variant?.template ?? popup.template }

    /// The content of the variant, or of the popup, as written.
    public var content: Value { look?.variant?.content ?? popup.content }

    /// The content as its reader sees it: the variant's content, in the user's language, with
    /// placeholders filled in at the time at which this presentation was created.
    public var resolvedContent: Value { look?.resolvedContent ?? content }

    /// The task that was chosen.
    public var task: TaskID { id.task }
}

/// The appearance of a popup for a user, if it isn't the popup as written.
final class Look: Sendable {
    let arm: String?
    /// The changes of the arm.
    let variant: Experiment.Variant?
    /// Nil if the content is passed on as written.
    let resolvedContent: Value?

    init(arm: String? = nil, variant: Experiment.Variant? = nil, resolvedContent: Value? = nil) {
        self.arm = arm
        self.variant = variant
        self.resolvedContent = resolvedContent
    }
}
