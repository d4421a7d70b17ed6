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
