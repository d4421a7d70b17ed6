/// Why a popup does not show, or why its task ended: the same words in events, explanations, test
/// files and JSON.
public enum ReasonCode: String, Sendable, Hashable, CaseIterable {
    // Why a waiting task is not eligible, in the order of evaluation.
    /// Its scheduler is suspended. Drops nothing.
    case suspended = "SUSPENDED"
    /// The host answered `postpone`, and that time is not over. Drops nothing.
    case postponed = "POSTPONED"
    /// `delay` since its trigger is not over. Drops nothing.
    case delayed = "DELAYED"
    /// `schedule.from` has not come. Drops nothing.
    case beforeStart = "BEFORE_START"
    /// Not one of `schedule.days`, or outside `schedule.hours`, in the schedule's zone.
    case outsideHours = "OUTSIDE_HOURS"
    /// A popup in `after` was never shown, or is not gone yet.
    case awaitingPredecessor = "AWAITING_PREDECESSOR"
    /// The `when` of its group is not true.
    case groupConditionFalse = "GROUP_CONDITION_FALSE"
    /// Its group was shown as often as the group's `cap` allows.
    case groupCap = "GROUP_CAP"
    /// It was shown as often in this session as `cap.per_session` allows.
    case sessionCap = "SESSION_CAP"
    /// `cap.every` since its last impression is not over.
    case cooldown = "COOLDOWN"
    /// One of `cap.windows` is used up.
    case periodCap = "PERIOD_CAP"
    /// Its scheduler showed as many popups as the scheduler's `cap` allows.
    case schedulerCap = "SCHEDULER_CAP"
    /// Its `when` is not true.
    case conditionFalse = "CONDITION_FALSE"
    /// A condition that it depends on could not be evaluated, which counts as not met.
    case conditionError = "CONDITION_ERROR"

    // Why an eligible task waits.
    /// Another popup is on the screen of its scheduler.
    case slotBusy = "SLOT_BUSY"
    /// Its scheduler rests for its `gap` after a dismissal.
    case inGap = "IN_GAP"
    /// Another eligible task goes first.
    case outranked = "OUTRANKED"

    // Why there is no task.
    /// `enabled` is false.
    case disabled = "DISABLED"
    /// The user is not among the part that `rollout` draws.
    case notInRollout = "NOT_IN_ROLLOUT"
    /// `schedule.until` is over; a waiting task is dropped then too.
    case expired = "EXPIRED"
    /// It was shown as often as `cap.lifetime` allows.
    case lifetimeCap = "LIFETIME_CAP"
    /// The `where` of its trigger was not true.
    case triggerFiltered = "TRIGGER_FILTERED"
    /// `where` let the event pass; `nth` or `every` asks for another.
    case triggerCounting = "TRIGGER_COUNTING"
    /// None of its triggers has fired since its last task.
    case notTriggered = "NOT_TRIGGERED"

    // Why a task ended without having been asked to show, or while it waited.
    /// It was passed over, and `untriggered` is `discard`.
    case discardedUntriggered = "DISCARDED_UNTRIGGERED"
    /// It was queued for `max_wait` and never shown.
    case waitedTooLong = "WAITED_TOO_LONG"
    /// It was the last in order of more tasks than `max_waiting` allows.
    case queueFull = "QUEUE_FULL"
    /// `dismiss(id)` came while it waited or settled.
    case dismissedBeforeShown = "DISMISSED_BEFORE_SHOWN"
    /// The rules that were loaded have no such popup.
    case removedByReload = "REMOVED_BY_RELOAD"
    /// The host answered `cancel`.
    case cancelled = "CANCELLED"
    /// The host's `present` threw. Makes no impression.
    case presentationFailed = "PRESENTATION_FAILED"

    // Why a visible popup went.
    /// A better one came, and `switch` let it through.
    case preempted = "PREEMPTED"
    /// It was visible for `hide_after`.
    case timedOut = "TIMED_OUT"
    /// Its `dismiss_when` became true.
    case dismissCondition = "DISMISS_CONDITION"
    /// `dismiss(id)` or `removeAll()`.
    case dismissed = "DISMISSED"
    /// A person closed it.
    case userClosed = "USER_CLOSED"
    /// The host reported it gone.
    case disappeared = "DISAPPEARED"

    // Why a task ended whether it was visible or not.
    /// `remove(id)`, or `removeAll()` while it waited.
    case removed = "REMOVED"
    /// `switchUser`, or `forget` of this user.
    case userSwitched = "USER_SWITCHED"
}
