public import PopCEL
public import PopSource

/// The reason why a popup shows, waits or is absent, computed for one point in time.
public struct PopupExplanation: Sendable {
    /// The progress of the popup's task.
    public enum State: Sendable, Hashable {
        /// There is no task. The reason tells why none was made; `NOT_TRIGGERED` if no trigger has
        /// fired since the last task.
        case absent(ReasonCode)
        /// The task waits for this reason.
        case waiting(ReasonCode)
        /// The task is chosen, but nothing is on the screen yet.
        case chosen
        /// The host was asked to show it and hasn't finished.
        case presenting
        /// It is visible.
        case showing
        /// The host was asked to take it down for this reason and hasn't finished.
        case dismissing(ReasonCode)
    }

    /// The id of the popup.
    public var popup: String
    /// The progress of its task, with the reason why it isn't further.
    public var state: State
    /// The live task; nil without a live task.
    public var task: TaskID?
    /// The place of the rule in its file; nil for a hand-made popup.
    public var range: SourceRange?
    /// The name of the scheduler that it shows on.
    public var scheduler: String
    /// The position among the waiting tasks of its scheduler, from 1; nil if it doesn't wait.
    public var position: Int?
    /// The number of tasks that wait on its scheduler.
    public var waiting: Int
    /// The popup on the screen of its scheduler.
    public var occupant: String?
    /// True if it is chosen and its `grace` runs, even while another popup shows.
    public var isSettling = false
    /// The date at which the reason ends by itself, if known.
    public var until: Timestamp?
    /// The popups that must have been shown and be gone, if the reason is `AWAITING_PREDECESSOR`.
    public var awaited: [String] = []
    /// The explanation of the condition that decided, part by part.
    public var condition: Explanation?
    /// The role of the condition that decided; nil if none did.
    public var role: ConditionRole?
    /// The reason why the last event made no task, if the reason is `TRIGGER_FILTERED` or
    /// `TRIGGER_COUNTING`. `condition` is then the `where` of the trigger, with its values at that
    /// time. Nil if that was before a reload.
    public var filter: TriggerFilter?
    /// True if the reason kept the last trigger from making a task but no longer applies: the key
    /// that identifies users has another value.
    public var isFormer = false
    /// The reason for which it leaves once its `min_show` is over; nil if nothing has requested
    /// that.
    public var leaving: ReasonCode?
    /// The reason for which its last task ended.
    public var lastEnding: ReasonCode?
    /// The obstacle for which its last task was dropped; nil if no obstacle is known.
    public var obstacle: Obstacle?

    /// A sentence about what keeps the whole engine from showing anything; nil if nothing does.
    public var standstill: String?

    /// The reason code for waiting, being absent or being dismissed; nil while the popup is chosen
    /// or on screen.
    public var reason: ReasonCode? {
        switch state {
        case .absent(let reason), .waiting(let reason), .dismissing(let reason): reason
        case .chosen, .presenting, .showing: nil
        }
    }
}

/// The reason why a popup didn't show, recorded when its task was dropped for it.
public struct Obstacle: Sendable {
    /// The reason code, such as `CONDITION_FALSE`.
    public let reason: ReasonCode
    /// The calendar date at which the task was dropped.
    public let date: Timestamp
    /// The role of the condition that decided; nil if none did.
    public let role: ConditionRole?
    /// The explanation of that condition, part by part; nil if other rules are in force since then.
    public let condition: Explanation?
}

/// An obstacle as the scheduler stores it: a condition with the values that it read.
struct FormerObstacle: Sendable {
    let reason: ReasonCode
    let date: Timestamp
    var role: ConditionRole?
    /// Nil if no condition decided, or after other rules were loaded.
    var program: Program?
    /// The values of `program.slots`, in their order.
    var values: [SlotValue] = []
}

/// A value of a context key for which a cap has no more room.
package struct UsedUpValue: Sendable, Hashable {
    /// The name of the key.
    package let key: String
    /// Nil for a missing value.
    package let value: Value?
    /// The number of impressions, or of closings; reserved places count too.
    package let count: Int
    /// The maximum that the cap allows.
    package let most: Int
}

/// The reason why the last event that fired a trigger of a popup made no task.
public struct TriggerFilter: Sendable, Hashable {
    /// The part of the trigger that the event didn't satisfy.
    public enum Cause: Sendable, Hashable {
        /// The `where` was false.
        case whereFalse
        /// The `where` couldn't be evaluated, which counts as not met.
        case whereError(EvaluationError)
        /// The `where`, if there is one, was met; the event had this number, from 1, and `nth` or
        /// `every` requires another number.
        case occurrence(Int)
    }

    /// The name of the event.
    public let event: String
    /// The date at which it was sent.
    public let date: Timestamp
    /// The cause. If the popup has several triggers on the event, the cause of the first trigger
    /// that counts, or else of the first trigger.
    public let cause: Cause
}

extension TriggerFilter.Cause {
    var reason: ReasonCode {
        switch self {
        case .whereFalse, .whereError: .triggerFiltered
        case .occurrence: .triggerCounting
        }
    }
}

/// The last event that fired a trigger of a popup and was not let pass, with the values that its
/// `where` read at that time: the payload is gone when the explanation is requested.
struct FilteredEvent: Sendable {
    let filter: TriggerFilter
    /// Nil when the trigger has no `where`.
    let program: Program?
    /// The values of `program.slots`, in their order.
    let values: [SlotValue]
}

/// The reason why the last event that fired a trigger of a popup made no task.
struct FilteredTrigger: Sendable {
    let reason: ReasonCode
    /// Nil if that happened under former rules.
    let event: FilteredEvent?
}

/// Assumed differences from the current values that conditions read.
public struct Supposition: Sendable {
    /// Other values of context keys; nil for a key without a value.
    public var context: [String: Value?]
    /// The name of an event that is being sent, with `payload`.
    public var event: String?
    /// The fields of the event, by name; no effect without `event`.
    public var payload: [String: Value]
    /// The popup to which `schedule.open` applies; without a popup, `schedule.open` has no value.
    public var popup: String?

    /// Creates a supposition in which nothing differs unless it is given.
    public init(
        context: [String: Value?] = [:], event: String? = nil, payload: [String: Value] = [:],
        popup: String? = nil
    ) {
        self.popup = popup
        self.context = context
        self.event = event
        self.payload = payload
    }
}

/// The results of the last trigger and the last task of each popup, by its id, to explain why it
/// doesn't show.
struct Outcomes: Sendable {
    /// The reasons why the last trigger made no task.
    private var filtered: [String: FilteredTrigger] = [:]
    /// The obstacles for which the last task was dropped.
    private var obstacles: [String: FormerObstacle] = [:]
    private var endings: [String: ReasonCode] = [:]
    /// The events that were reported and are reported only once.
    private var told: Set<HostEvent> = []

    func filter(of id: String) -> FilteredTrigger? { filtered[id] }
    func obstacle(of id: String) -> FormerObstacle? { obstacles[id] }
    func ending(of id: String) -> ReasonCode? { endings[id] }

    mutating func note(_ filter: FilteredTrigger, of id: String) { filtered[id] = filter }
    mutating func note(_ obstacle: FormerObstacle, of id: String) { obstacles[id] = obstacle }
    mutating func note(_ ending: ReasonCode, of id: String) { endings[id] = ending }

    /// Returns true if the event wasn't reported before.
    mutating func tellsFirst(_ event: HostEvent) -> Bool { told.insert(event).inserted }

    /// Removes the former reasons after a trigger has made a task.
    mutating func taskMade(of id: String) {
        if !filtered.isEmpty { filtered[id] = nil }
        if !obstacles.isEmpty { obstacles[id] = nil }
    }

    /// Removes the ending of a hand-made popup that is gone.
    mutating func forget(_ id: String) { endings[id] = nil }

    /// Adapts results to new rules: conditions that decided were compiled against other slots.
    mutating func rulesChanged(to catalog: Catalog) {
        told = []
        // The new rules may assign the popup to other users.
        filtered =
            filtered
            .filter { $0.value.reason != .notInRollout && $0.value.reason != .heldOut }
            .filter { catalog.place(of: $0.key) != nil }
            .mapValues { FilteredTrigger(reason: $0.reason, event: nil) }
        obstacles = obstacles.filter { catalog.place(of: $0.key) != nil }
            .mapValues { FormerObstacle(reason: $0.reason, date: $0.date) }
        endings = endings.filter { catalog.place(of: $0.key) != nil }
    }
}
