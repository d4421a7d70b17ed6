/// The reason why a popup doesn't show, or why its task ended: the same words in events,
/// explanations, test files and JSON.
public enum ReasonCode: String, Sendable, Hashable, CaseIterable {
    // Reasons why a waiting task is not eligible, in the order of evaluation.
    /// Its scheduler is suspended. Drops nothing.
    case suspended = "SUSPENDED"
    /// The app is in the background. Drops nothing.
    case background = "BACKGROUND"
    /// The time is within the hours of `quiet`. Drops nothing.
    case quietHours = "QUIET_HOURS"
    /// The host answered `postpone`, and that time is not over. Drops nothing.
    case postponed = "POSTPONED"
    /// `delay` since its trigger is not over. Drops nothing.
    case delayed = "DELAYED"
    /// `schedule.from` has not come. Drops nothing.
    case beforeStart = "BEFORE_START"
    /// Not one of `schedule.days`, or outside `schedule.hours`, in the schedule's zone.
    case outsideHours = "OUTSIDE_HOURS"
    /// A popup in `after` was never shown, isn't gone yet or not for long enough, or didn't end by
    /// the action that `after` requires.
    case awaitingPredecessor = "AWAITING_PREDECESSOR"
    /// The `when` of its group is not true.
    case groupConditionFalse = "GROUP_CONDITION_FALSE"
    /// Its group was shown as often as the group's `cap` allows.
    case groupCap = "GROUP_CAP"
    /// It was shown as often in this session as `cap.per_session` allows.
    case sessionCap = "SESSION_CAP"
    /// `cap.every` since its last impression is not over.
    case cooldown = "COOLDOWN"
    /// The user closed or refused it, and `cap.after_close` since then is not over.
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

    // Reasons why an eligible task waits.
    /// Another popup is on the screen of its scheduler.
    case slotBusy = "SLOT_BUSY"
    /// Its scheduler rests for its `gap` after a dismissal.
    case inGap = "IN_GAP"
    /// Another eligible task has priority.
    case outranked = "OUTRANKED"

    // Reasons why there is no task.
    /// `enabled` is false.
    case disabled = "DISABLED"
    /// The user isn't in the part of the users that `rollout` selects.
    case notInRollout = "NOT_IN_ROLLOUT"
    /// `schedule.until` is over; a waiting task is dropped then too.
    case expired = "EXPIRED"
    /// It was shown as often as `cap.lifetime` allows.
    case lifetimeCap = "LIFETIME_CAP"
    /// The user closed or refused it as often as `cap.closes` allows; a waiting task is blocked if
    /// that counts for each value of a context key.
    case closedTooOften = "CLOSED_TOO_OFTEN"
    /// An event matched a goal that `ends` it; a waiting task is dropped then too.
    case goalReached = "GOAL_REACHED"
    /// The user is in the `holdout`, and the popup is not `essential`.
    case heldOut = "HELD_OUT"
    /// The `where` of its trigger was not true.
    case triggerFiltered = "TRIGGER_FILTERED"
    /// `where` let the event pass; `nth` or `every` requires another event.
    case triggerCounting = "TRIGGER_COUNTING"
    /// None of its triggers has fired since its last task.
    case notTriggered = "NOT_TRIGGERED"

    // Reasons why a task ended before the host was asked, or while it waited.
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

    // Reasons why a visible popup was dismissed.
    /// A popup that outranks it came, and `switch` let that popup in.
    case preempted = "PREEMPTED"
    /// It was visible for `hide_after`.
    case timedOut = "TIMED_OUT"
    /// Its `dismiss_when` became true.
    case dismissCondition = "DISMISS_CONDITION"
    /// `dismiss(id)` or `removeAll()`.
    case dismissed = "DISMISSED"
    /// The user closed it.
    case userClosed = "USER_CLOSED"
    /// The user used one of its actions.
    case acted = "ACTED"
    /// The host reported it gone.
    case disappeared = "DISAPPEARED"

    // Reasons why a task ended, visible or not.
    /// `remove(id)`, or `removeAll()` while it waited.
    case removed = "REMOVED"
    /// `switchUser`, or `forget` of this user.
    case userSwitched = "USER_SWITCHED"
}

extension ReasonCode {
    /// The effect of a code on a popup, apart from its wording.
    package enum Kind: Sendable, Hashable {
        /// A waiting task is blocked, and never dropped for this reason.
        case held
        /// A waiting task may not show, and is dropped for this reason if `untriggered` is
        /// `discard`.
        case barred
        /// As `barred`, because of a cap.
        case capped
        /// As `barred`, because of a condition; the condition of a trigger makes no task.
        case condition(ConditionRole)
        /// It may show and waits until the screen is free for it.
        case ready
        /// It has no task.
        case absent
        /// It has no task, and is dismissed if it shows.
        case ruledOut
        /// A task ended that was not visible.
        case endedUnseen
        /// A task ended that may have been visible.
        case ended(by: Ender)
    }

    /// The cause of the end of a task that may have been visible.
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

    /// True if a task with `untriggered: discard` is dropped when it is passed over for this
    /// reason.
    var dropsWhenPassedOver: Bool {
        switch kind {
        case .barred, .capped: true
        case .condition(let role): role != .where
        // It bars a waiting task only if it is about a value of a key.
        case .absent: self == .closedTooOften
        case .held, .ready, .ruledOut, .endedUnseen, .ended: false
        }
    }

    /// True if the reason keeps tasks from being made, but doesn't keep a task that was already
    /// shown from coming back.
    var isUsedUpByShowing: Bool { self == .lifetimeCap || self == .closedTooOften }

    /// The role of the condition that decides for this reason; nil if no condition does.
    package var role: ConditionRole? {
        if case .condition(let role) = kind { role } else { nil }
    }

    /// True if the reason can be why a visible popup was dismissed.
    package var endsWhatShows: Bool {
        switch kind {
        case .ended, .ruledOut: true
        case .condition(let role): role == .dismissWhen
        case .held, .barred, .capped, .ready, .absent, .endedUnseen: false
        }
    }

    /// True if a task can end for this reason.
    package var endsTasks: Bool { kind == .endedUnseen || endsWhatShows }

    /// True if the reason can be why a popup waits, or why it has no task. A popup that is being
    /// dismissed has such a reason for some time only if the app is slow.
    package var keepsAway: Bool {
        switch kind {
        case .held, .barred, .capped, .condition, .ready, .absent, .ruledOut: true
        case .endedUnseen, .ended: false
        }
    }
}
