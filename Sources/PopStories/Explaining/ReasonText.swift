package import PopScheduler

extension ReasonCode {
    /// What the code means to a person.
    package var meaning: String {
        switch self {
        case .suspended: "the scheduler is suspended"
        case .postponed: "the app put it off"
        case .delayed: "the delay since its trigger is not over"
        case .beforeStart: "its schedule has not begun"
        case .outsideHours: "outside of its days or hours"
        case .awaitingPredecessor: "a popup that it comes after was not shown yet, or is not gone"
        case .groupConditionFalse: "the condition of its group is not met"
        case .groupCap: "the cap of its group is reached"
        case .sessionCap: "its cap for one session is reached"
        case .cooldown: "too soon after the last time"
        case .periodCap: "its cap for a period is reached"
        case .schedulerCap: "the cap of its scheduler is reached"
        case .conditionFalse: "its condition is not met"
        case .conditionError: "its condition could not be evaluated"
        case .slotBusy: "the screen is taken"
        case .inGap: "the scheduler rests after a dismissal"
        case .outranked: "a better one goes first"
        case .disabled: "it is switched off"
        case .notInRollout: "this user is not in its rollout"
        case .expired: "its schedule is over"
        case .lifetimeCap: "its cap for a lifetime is reached"
        case .triggerFiltered: "its trigger did not let the event pass"
        case .triggerCounting: "its trigger asks for another of the events"
        case .notTriggered: "nothing has triggered it"
        case .discardedUntriggered: "dropped because it could not show when it was its turn"
        case .waitedTooLong: "dropped after `max_wait`"
        case .queueFull: "dropped because the queue was full"
        case .dismissedBeforeShown: "dismissed before it could show"
        case .removedByReload: "gone from the rules"
        case .cancelled: "the app said no"
        case .presentationFailed: "the app could not present it"
        case .preempted: "a better one took its place"
        case .timedOut: "`hide_after` was over"
        case .dismissCondition: "`dismiss_when` is true"
        case .dismissed: "the app took it down"
        case .userClosed: "a person closed it"
        case .disappeared: "it vanished from the screen"
        case .removed: "removed by the app"
        case .userSwitched: "another user signed in"
        }
    }
}
