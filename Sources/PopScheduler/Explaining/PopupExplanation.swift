public import PopCEL
public import PopSource

/// Why a popup shows, waits or is not there at all, worked out afresh at one moment.
public struct PopupExplanation: Sendable {
    /// How far the popup's task has come.
    public enum State: Sendable, Hashable {
        /// There is no task; the reason says why none was made, `NOT_TRIGGERED` when no trigger
        /// fired since the last.
        case absent(ReasonCode)
        /// The task waits for this reason.
        case waiting(ReasonCode)
        /// The task is chosen, nothing is on the screen yet.
        case chosen
        /// The host has been asked to show it and has not finished.
        case presenting
        /// It is visible.
        case showing
        /// The host has been asked to take it down for this reason and has not finished.
        case dismissing(ReasonCode)
    }

    /// The id of the popup.
    public var popup: String
    /// How far its task has come, and why no further.
    public var state: State
    /// The live task; nil when there is none.
    public var task: TaskID?
    /// Where the rule is written; nil for a hand-made popup.
    public var range: SourceRange?
    /// The name of the scheduler that it would show on.
    public var scheduler: String
    /// From 1 among the waiting tasks of its scheduler, in their order; nil when it does not wait.
    public var position: Int?
    /// How many tasks wait on its scheduler.
    public var waiting: Int
    /// The popup that holds the screen of its scheduler.
    public var occupant: String?
    /// Whether it is chosen and its `grace` runs, be it behind another that shows.
    public var isSettling = false
    /// The date at which the reason ends by itself, when that is known.
    public var until: Timestamp?
    /// The popups that have to be shown, and be gone, when the reason is `AWAITING_PREDECESSOR`.
    public var awaited: [String] = []
    /// What the condition that decided came to, part by part, and which condition it is.
    public var condition: Explanation?
    /// Which of its conditions decided; nil when none did.
    public var role: ConditionRole?
    /// What kept the last event from making a task when the reason is `TRIGGER_FILTERED` or
    /// `TRIGGER_COUNTING`; `condition` is the `where` of the trigger then, with the values that it
    /// had. Nil when that was before a reload.
    public var filter: TriggerFilter?
    /// Whether the reason kept the last trigger from making a task, but would not do so now: what
    /// tells users apart has another value.
    public var isFormer = false
    /// Why it goes as soon as its `min_show` is over; nil when nothing has asked for that.
    public var leaving: ReasonCode?
    /// How its last task ended.
    public var lastEnding: ReasonCode?
    /// What kept its last task from showing when that was dropped for it.
    public var obstacle: Obstacle?

    /// What keeps the engine that was asked from showing anything at all, in words; nil when
    /// nothing does.
    public var standstill: String?

    /// The reason code: of waiting, of being absent or of going; nil while the popup is chosen or
    /// on screen.
    public var reason: ReasonCode? {
        switch state {
        case .absent(let reason), .waiting(let reason), .dismissing(let reason): reason
        case .chosen, .presenting, .showing: nil
        }
    }
}
