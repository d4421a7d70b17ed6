/// Why a popup does not show, or why its task ended: the same words in events, explanations, test
/// files and JSON.
public enum ReasonCode: String, Sendable, Hashable, CaseIterable {
    // Why a waiting task is not eligible, in the order of evaluation.
    /// Its scheduler is suspended. Drops nothing.
    case suspended = "SUSPENDED"
    /// The app is in the background. Drops nothing.
    case background = "BACKGROUND"
    /// It is one of the hours of `quiet`. Drops nothing.
    case quietHours = "QUIET_HOURS"
    /// The host answered `postpone`, and that time is not over. Drops nothing.
    case postponed = "POSTPONED"
    /// `delay` since its trigger is not over. Drops nothing.
    case delayed = "DELAYED"
    /// `schedule.from` has not come. Drops nothing.
    case beforeStart = "BEFORE_START"
    /// Not one of `schedule.days`, or outside `schedule.hours`, in the schedule's zone.
    case outsideHours = "OUTSIDE_HOURS"
    /// A popup in `after` was never shown, is not gone yet or for long enough, or did not end by
    /// the action that it asks for.
    case awaitingPredecessor = "AWAITING_PREDECESSOR"
    /// The `when` of its group is not true.
    case groupConditionFalse = "GROUP_CONDITION_FALSE"
    /// Its group was shown as often as the group's `cap` allows.
    case groupCap = "GROUP_CAP"
    /// It was shown as often in this session as `cap.per_session` allows.
    case sessionCap = "SESSION_CAP"
    /// `cap.every` since its last impression is not over.
    case cooldown = "COOLDOWN"
    /// A person closed or refused it, and `cap.after_close` since then is not over.
    case closedRecently = "CLOSED_RECENTLY"
    /// One of `cap.windows` is used up.
    case periodCap = "PERIOD_CAP"
    /// Its scheduler showed as many popups as the scheduler's `cap` allows.
    case schedulerCap = "SCHEDULER_CAP"
    /// The popups that an entry of `limits` is about were shown as often as it allows.
    case globalCap = "GLOBAL_CAP"
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
    /// People closed or refused it as often as `cap.closes` allows; a waiting task is held back
    /// where that counts for each value of a context key.
    case closedTooOften = "CLOSED_TOO_OFTEN"
    /// An event matched a goal that `ends` it; a waiting task is dropped then too.
    case goalReached = "GOAL_REACHED"
    /// The user is in the `holdout`, and the popup is not `essential`.
    case heldOut = "HELD_OUT"
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
    /// The user is in the arm of the popup's experiment that sees nothing.
    case control = "CONTROL"
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
    /// A person used one of its actions.
    case acted = "ACTED"
    /// The host reported it gone.
    case disappeared = "DISAPPEARED"

    // Why a task ended whether it was visible or not.
    /// `remove(id)`, or `removeAll()` while it waited.
    case removed = "REMOVED"
    /// `switchUser`, or `forget` of this user.
    case userSwitched = "USER_SWITCHED"
}

extension ReasonCode {
    /// What a code does to a popup: all about it that its words do not say.
    package enum Kind: Sendable, Hashable {
        /// A waiting task is held back, and dropped by nobody for that.
        case held
        /// A waiting task may not show, and is dropped for that where `untriggered` is `discard`.
        case barred
        /// The same by a cap.
        case capped
        /// The same by a condition; that of a trigger makes no task.
        case condition(ConditionRole)
        /// It may show and waits for its turn on the screen.
        case ready
        /// It has no task.
        case absent
        /// It has no task, and what shows of it goes.
        case ruledOut
        /// A task ended that was not visible.
        case endedUnseen
        /// A task ended that may have been visible.
        case ended(by: Ender)
    }

    /// What makes a task end that may have been visible.
    package enum Ender: Sendable, Hashable {
        case person
        /// Its own time was over.
        case time
        case betterPopup
        /// A call of the app, or its rules.
        case app
        /// Something went wrong.
        case fault
    }

    package var kind: Kind {
        switch self {
        case .suspended, .background, .quietHours, .postponed, .delayed, .beforeStart: .held
        case .outsideHours, .awaitingPredecessor: .barred
        case .groupCap, .sessionCap, .cooldown, .closedRecently, .periodCap, .schedulerCap,
            .globalCap:
            .capped
        case .groupConditionFalse: .condition(.groupWhen)
        case .conditionFalse, .conditionError: .condition(.when)
        case .triggerFiltered: .condition(.where)
        case .dismissCondition: .condition(.dismissWhen)
        case .slotBusy, .inGap, .outranked: .ready
        case .lifetimeCap, .closedTooOften, .triggerCounting, .notTriggered: .absent
        case .disabled, .notInRollout, .expired, .goalReached, .heldOut: .ruledOut
        case .waitedTooLong, .dismissedBeforeShown, .cancelled, .control,
            .presentationFailed:
            .endedUnseen
        case .userClosed, .acted: .ended(by: .person)
        case .timedOut: .ended(by: .time)
        case .preempted: .ended(by: .betterPopup)
        case .discardedUntriggered, .queueFull, .removedByReload, .dismissed, .removed,
            .userSwitched:
            .ended(by: .app)
        case .disappeared: .ended(by: .fault)
        }
    }

    /// Whether a task with `untriggered: discard` is dropped when it is passed over for this
    /// reason.
    var dropsWhenPassedOver: Bool {
        switch kind {
        case .barred, .capped: true
        case .condition(let role): role != .where
        // It bars a waiting task where it is about a value of a key alone.
        case .absent: self == .closedTooOften
        case .held, .ready, .ruledOut, .endedUnseen, .ended: false
        }
    }

    /// Whether it keeps tasks from being made, and none that was shown already from coming back.
    var isUsedUpByShowing: Bool { self == .lifetimeCap || self == .closedTooOften }

    /// Which condition decides when this is the reason; nil when none does.
    package var role: ConditionRole? {
        if case .condition(let role) = kind { role } else { nil }
    }

    /// Whether it is why a popup that was visible went.
    package var endsWhatShows: Bool {
        switch kind {
        case .ended, .ruledOut: true
        case .condition(let role): role == .dismissWhen
        case .held, .barred, .capped, .ready, .absent, .endedUnseen: false
        }
    }

    /// Whether a task can end by it.
    package var endsTasks: Bool { kind == .endedUnseen || endsWhatShows }

    /// Whether it can be why a popup waits, or why it has no task. What is being dismissed does so
    /// for a time only when the app is slow.
    package var keepsAway: Bool {
        switch kind {
        case .held, .barred, .capped, .condition, .ready, .absent, .ruledOut: true
        case .endedUnseen, .ended: false
        }
    }
}
