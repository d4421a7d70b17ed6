public import PopCEL
internal import PopSource

/// One request to show a popup: the data that is kept in a queue and on a screen alike.
struct LiveTask: Sendable {
    enum Status: Sendable, Hashable {
        /// Something that the status depends on has changed since the task was examined.
        case unknown
        case eligible
        /// `isDroppable` is true if a walk of the queue may drop it.
        case blocked(isDroppable: Bool)
    }

    /// The data that eligibility depends on, in addition to the rule of the popup.
    struct Claim: Sendable {
        let made: Duration
        var postponedUntil: Duration?
        /// True if it was on the screen and was switched out; it makes no second impression, so
        /// caps don't block it.
        var wasShown = false
        /// The number of the draw that determines its delay after it was made; nil if nothing was
        /// drawn.
        var delay: Int?
        /// The arm of its popup's experiment, fixed when the host is asked; empty for a user who
        /// doesn't take part.
        var arm: String?
        /// True if its user was exposed to that arm.
        var isExposed = false
        /// The uses by the user before it was switched out.
        var acts: Acts = []
    }

    /// The uses of a task by the user.
    struct Acts: OptionSet, Sendable {
        let rawValue: UInt8

        /// An action was reported, or it was closed.
        static let any = Self(rawValue: 1)
        /// An action or the closing of it counted as closing.
        static let closing = Self(rawValue: 2)
    }

    /// Tasks are counted from 1.
    let number: Int
    var claim: Claim
    /// The number of times that it was chosen.
    var turn: Int
    /// The time for which it was visible before it was switched out.
    var visibleTime = Duration.zero
    /// The errors of its conditions that were already reported.
    var errors: [ConditionRole: EvaluationError] = [:]

    init(number: Int, _ claim: Claim, turn: Int = 0) {
        self.number = number
        self.claim = claim
        self.turn = turn
    }
}

/// The time at which something is due: on the clock of timers, by the calendar, or both, whichever
/// comes first.
struct Deadline: Sendable, Hashable {
    var instant: Duration?
    var date: Timestamp?

    static let never = Deadline()

    var isNever: Bool { instant == nil && date == nil }

    static func at(_ instant: Duration) -> Deadline { Deadline(instant: instant) }
    static func at(_ date: Timestamp?) -> Deadline { Deadline(date: date) }

    func isDue(at now: Moment) -> Bool {
        if let instant, instant <= now.instant { return true }
        if let date, date <= now.date { return true }
        return false
    }

    /// Returns a deadline that is due when either is.
    func or(_ other: Deadline) -> Deadline {
        Deadline(
            instant: earlier(instant, other.instant), date: earlier(date, other.date))
    }
}

/// Returns the smaller value; nil means never.
func earlier<Time: Comparable>(_ left: Time?, _ right: Time?) -> Time? {
    guard let left else { return right }
    guard let right else { return left }
    return min(left, right)
}

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
