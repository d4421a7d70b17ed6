public import PopCEL

/// What a scheduler tells the app about the life of its tasks.
///
/// After `willShow` comes `shown`, `postponed`, `requeued` or a terminal event. Every task has
/// exactly one terminal event: `dismissed`, `discarded`, `cancelled` or `failed`. State changes
/// before the event is given out.
public enum HostEvent: Sendable, Hashable {
    /// A task was made.
    case queued(TaskID)
    /// A trigger fired while the popup's task was waiting or on screen.
    case coalesced(TaskID)
    /// A trigger fired while the popup's task was leaving the screen. It is tried when the task has
    /// ended: `queued` or `notMade` follows. Further triggers until then are coalesced.
    case remembered(TaskID)
    /// A trigger fired and no task was made.
    case notMade(popup: String, ReasonCode)
    /// The host is being asked whether the popup may show.
    case willShow(TaskID)
    /// The host put it off; it waits again.
    case postponed(TaskID, by: Duration)
    /// The user was exposed to an arm of the popup's experiment: a variant, which is about to be
    /// presented, or `control`, which ends here. `isFirst` says that it was for the first time.
    indirect case exposed(TaskID, variant: String, isFirst: Bool)
    /// It is visible, its animation over.
    case shown(TaskID)
    /// A person used this action of it; it goes by that, unless it stays.
    indirect case acted(TaskID, String)
    /// The user did what a goal of the popup is, in time after the latest exposure to it, which was
    /// to a variant or to `control`; nil where it was in no experiment. Its task may be long over.
    indirect case converted(popup: String, goal: String, variant: String?)
    /// The host is being asked to take it down.
    case willDismiss(TaskID, ReasonCode)
    /// It waits again: it was switched out, or was about to show and may not any more.
    case requeued(TaskID)
    /// Terminal: it was visible and is gone. It may have been switched out and dropped while it
    /// waited to come back; no `willDismiss` comes before that.
    case dismissed(TaskID, ReasonCode)
    /// Terminal: it was dropped before it was ever visible.
    case discarded(TaskID, ReasonCode)
    /// Terminal: the host said no.
    case cancelled(TaskID)
    /// Terminal: the host could not present it.
    case failed(TaskID, message: String)
    /// A condition could not be evaluated; it counts as not met.
    case conditionError(popup: String, ConditionRole, EvaluationError)
    /// The value of a context key names no time zone; the zone of the host counts instead. Nil when
    /// the key has no value.
    case zoneUnknown(key: String, String?)
    /// A placeholder in the content has neither a value nor something to stand for it, and is
    /// empty. Told once for each placeholder of a popup.
    case emptyPlaceholder(popup: String, String)
    /// The host took too long; the scheduler goes on as though it had answered.
    case animationTimeout(TaskID, Animation)
    /// A call did not fit the rules and changed nothing.
    case rejected(Rejection)
}

extension HostEvent {
    /// The task that the event is about.
    public var task: TaskID? {
        switch self {
        case .queued(let task), .coalesced(let task), .remembered(let task), .willShow(let task),
            .postponed(let task, _), .exposed(let task, _, _), .shown(let task),
            .acted(let task, _),
            .willDismiss(let task, _),
            .requeued(let task),
            .dismissed(let task, _), .discarded(let task, _), .cancelled(let task),
            .failed(let task, _), .animationTimeout(let task, _):
            task
        case .notMade, .converted, .conditionError, .zoneUnknown, .emptyPlaceholder, .rejected: nil
        }
    }

    /// The id of the popup that the event is about.
    public var popup: String? {
        switch self {
        case .notMade(let popup, _), .converted(let popup, _, _),
            .conditionError(let popup, _, _), .emptyPlaceholder(let popup, _):
            popup
        case .queued, .coalesced, .remembered, .willShow, .postponed, .exposed, .shown, .acted,
            .willDismiss, .requeued, .dismissed, .discarded, .cancelled, .failed, .animationTimeout:
            task?.popup
        case .zoneUnknown, .rejected: nil
        }
    }

    /// Why a terminal event ended its task; nil for every other event.
    public var ending: ReasonCode? {
        switch self {
        case .dismissed(_, let reason), .discarded(_, let reason): reason
        case .cancelled: .cancelled
        case .failed: .presentationFailed
        case .queued, .coalesced, .remembered, .notMade, .willShow, .postponed, .exposed, .shown,
            .acted, .converted, .willDismiss, .requeued, .conditionError, .zoneUnknown,
            .emptyPlaceholder,
            .animationTimeout, .rejected:
            nil
        }
    }
}

/// What a condition of a popup decides.
public enum ConditionRole: String, Sendable, Hashable {
    /// Whether the popup may show.
    case when
    /// Whether an entry of its schedule is open.
    case scheduleWhen = "schedule.when"
    /// Whether any popup of its group may show.
    case groupWhen = "group.when"
    /// Whether an event makes a task.
    case `where`
    /// Whether an event matches a goal of the popup.
    case goalWhere = "goals.where"
    /// Whether the popup is taken down, and kept from showing.
    case dismissWhen = "dismiss_when"
}

/// What the host was doing when it took too long.
public enum Animation: String, Sendable, Hashable {
    /// Putting the popup on the screen.
    case present
    /// Taking it off.
    case dismiss
}

/// Why a call changed nothing.
public enum Rejection: Sendable, Hashable {
    /// No popup of the rules has this id.
    case unknownPopup(String)
    /// The rules have no scheduler of this name.
    case unknownScheduler(String)
    /// A context key that the rules do not declare.
    case unknownKey(String)
    /// An event that the rules neither declare nor count.
    case unknownEvent(String)
    /// The value is not of the key's type, not listed, or out of bounds.
    case badValue(key: String, message: String)
    /// The field is not of the declared type.
    case badPayload(event: String, field: String, message: String)
    /// The popup has no experiment with an arm of this name.
    case unknownVariant(popup: String, variant: String)
    /// No time zone has this name.
    case unknownZone(String)
    /// A person can have used no action of it: it does not show, or has been closed or answered.
    case notShowing(String)
    /// The template of the popup declares no such action.
    case unknownAction(popup: String, String)
    /// The content of the popup has no such field, or the field is of another type.
    case badContent(popup: String, field: String, message: String)
    /// A hand-made popup has the id of a popup in the rules.
    case idTaken(String)
    /// As many hand-made popups wait as `SchedulerLimits.foreignPopups` allows.
    case tooManyForeignPopups
}
