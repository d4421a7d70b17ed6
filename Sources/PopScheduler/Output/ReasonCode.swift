/// Why a popup does not show, or why its task ended: the same words in events, explanations, test
/// files and JSON.
public enum ReasonCode: String, Sendable, Hashable, CaseIterable {
    // Why a waiting task is not eligible, in the order of evaluation.
    case suspended = "SUSPENDED"
    case postponed = "POSTPONED"
    case delayed = "DELAYED"
    case beforeStart = "BEFORE_START"
    case outsideHours = "OUTSIDE_HOURS"
    case awaitingPredecessor = "AWAITING_PREDECESSOR"
    case groupConditionFalse = "GROUP_CONDITION_FALSE"
    case groupCap = "GROUP_CAP"
    case sessionCap = "SESSION_CAP"
    case cooldown = "COOLDOWN"
    case periodCap = "PERIOD_CAP"
    case schedulerCap = "SCHEDULER_CAP"
    case conditionFalse = "CONDITION_FALSE"
    case conditionError = "CONDITION_ERROR"

    // Why an eligible task waits.
    case slotBusy = "SLOT_BUSY"
    case inGap = "IN_GAP"
    case outranked = "OUTRANKED"

    // Why there is no task.
    case disabled = "DISABLED"
    case notInRollout = "NOT_IN_ROLLOUT"
    case expired = "EXPIRED"
    case lifetimeCap = "LIFETIME_CAP"
    case triggerFiltered = "TRIGGER_FILTERED"
    /// `where` let the event pass; `nth` or `every` asks for another.
    case triggerCounting = "TRIGGER_COUNTING"
    case notTriggered = "NOT_TRIGGERED"

    // Why a task ended without having been asked to show, or while it waited.
    case discardedUntriggered = "DISCARDED_UNTRIGGERED"
    case waitedTooLong = "WAITED_TOO_LONG"
    case queueFull = "QUEUE_FULL"
    case dismissedBeforeShown = "DISMISSED_BEFORE_SHOWN"
    case removedByReload = "REMOVED_BY_RELOAD"
    case cancelled = "CANCELLED"
    case presentationFailed = "PRESENTATION_FAILED"

    // Why a visible popup went.
    case preempted = "PREEMPTED"
    case timedOut = "TIMED_OUT"
    case dismissCondition = "DISMISS_CONDITION"
    /// `dismiss(id)` or `removeAll()`.
    case dismissed = "DISMISSED"
    /// A person closed it.
    case userClosed = "USER_CLOSED"
    /// The host reported it gone.
    case disappeared = "DISAPPEARED"

    // Why a task ended whether it was visible or not.
    case removed = "REMOVED"
    case userSwitched = "USER_SWITCHED"
}
