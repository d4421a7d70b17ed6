public import PopCEL

/// A report to the app about the life of a task.
///
/// After `willShow` comes `shown`, `postponed`, `requeued` or a terminal event. Every task has
/// exactly one terminal event: `dismissed`, `discarded`, `cancelled` or `failed`. State changes
/// before the event is reported.
public enum HostEvent: Sendable, Hashable {
    /// A task was made.
    case queued(TaskID)
    /// A trigger fired while the popup's task was waiting or on screen.
    case coalesced(TaskID)
    /// A trigger fired while the popup's task was leaving the screen. It is tried after the task
    /// has ended: `queued` or `notMade` follows. Further triggers until then are coalesced.
    case remembered(TaskID)
    /// A trigger fired and no task was made.
    case notMade(popup: String, ReasonCode)
    /// The host is being asked whether the popup may show.
    case willShow(TaskID)
    /// The host postponed it; it waits again.
    case postponed(TaskID, by: Duration)
    /// The user was exposed to an arm of the popup's experiment: a variant, which is about to be
    /// presented, or `control`, which ends here. `isFirst` is true for the first exposure.
    indirect case exposed(TaskID, variant: String, isFirst: Bool)
    /// It is visible, its animation over.
    case shown(TaskID)
    /// The user used this action of it; it is dismissed, unless it stays.
    indirect case acted(TaskID, String)
    /// The user reached a goal of the popup, in time after the latest exposure to it. That exposure
    /// was to a variant or to `control`; nil if it was in no experiment. Its task may have ended
    /// long before.
    indirect case converted(popup: String, goal: String, variant: String?)
    /// The host is being asked to take it down.
    case willDismiss(TaskID, ReasonCode)
    /// It waits again: it was switched out, or was about to show and no longer may.
    case requeued(TaskID)
    /// Terminal: it was visible and is gone. It may have been switched out and dropped while it
    /// waited to come back; no `willDismiss` comes before that.
    case dismissed(TaskID, ReasonCode)
    /// Terminal: it was dropped before it was ever visible.
    case discarded(TaskID, ReasonCode)
    /// Terminal: the host answered `cancel`.
    case cancelled(TaskID)
    /// Terminal: the host could not present it.
    case failed(TaskID, message: String)
    /// A condition could not be evaluated; it counts as not met.
    case conditionError(popup: String, ConditionRole, EvaluationError)
    /// The value of a context key isn't the name of a time zone; the zone of the host counts
    /// instead. Nil if the key has no value.
    case zoneUnknown(key: String, String?)
    /// A placeholder in the content has neither a value nor a fallback, and is empty. Reported once
    /// for each placeholder of a popup.
    case emptyPlaceholder(popup: String, String)
    /// The host took too long; the scheduler continues as though the host had answered.
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

    /// The reason for which a terminal event ended its task; nil for every other event.
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

/// The role of a condition of a popup.
public enum ConditionRole: String, Sendable, Hashable {
    /// Decides if the popup may show.
    case when
    /// Decides if an entry of its schedule is open.
    case scheduleWhen = "schedule.when"
    /// Decides if any popup of its group may show.
    case groupWhen = "group.when"
    /// Decides if an event makes a task.
    case `where`
    /// Decides if an event matches a goal of the popup.
    case goalWhere = "goals.where"
    /// Decides if the popup is taken down, and is blocked from showing.
    case dismissWhen = "dismiss_when"
}

/// The action during which the host took too long.
public enum Animation: String, Sendable, Hashable {
    /// Putting the popup on the screen.
    case present
    /// Taking it off.
    case dismiss
}

/// The reason why a call changed nothing.
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
    /// The user can't have used an action of it: it doesn't show, or has been closed or answered.
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

extension HostEvent {
    /// Returns the event for the end of a task that isn't on the screen: `dismissed` if it was
    /// shown and was to come back, `discarded` otherwise.
    static func dropped(_ task: TaskID, for reason: ReasonCode, wasShown: Bool) -> HostEvent {
        wasShown ? .dismissed(task, reason) : .discarded(task, reason)
    }
}

extension Truth {
    var error: EvaluationError? {
        if case .error(let error) = self { error } else { nil }
    }
}

/// A request to the host. Effects are in order: a record is kept before the effects after it are
/// acted on.
public enum Effect: Sendable {
    /// Ask whether the popup may be presented now; answer with `Event.answered`.
    case askWillShow(Presentation)
    /// Put the popup on the screen; answer with `didPresent` or `presentFailed`.
    case present(Presentation)
    /// Take the popup off the screen; answer with `didDismiss`.
    case dismiss(PresentationID)
    /// Keep this in the user's history.
    case record(HistoryRecord, user: String)
    /// Report this to all listeners.
    case emit(HostEvent)
}

/// The effects of an event, in order, until they are returned.
struct Effects: Sendable {
    private var list: [Effect] = []

    /// Adds an effect. Usually there are two to four effects, so space for four is reserved in one
    /// step.
    mutating func add(_ effect: consuming Effect) {
        if list.isEmpty { list.reserveCapacity(4) }
        list.append(effect)
    }

    /// Adds two effects. Usually they are the first and only ones, and a list made of two takes
    /// half the instructions.
    mutating func add(_ first: consuming Effect, then second: consuming Effect) {
        if list.isEmpty {
            list = [first, second]
        } else {
            list.append(first)
            list.append(second)
        }
    }

    /// Reserves space for more effects; without it, the list would be copied whenever its space is
    /// used up.
    mutating func makeRoom(for count: Int) { list.reserveCapacity(list.count + count) }

    /// Returns all effects and empties the list.
    mutating func take() -> [Effect] {
        var given: [Effect] = []
        swap(&given, &list)
        return given
    }
}
