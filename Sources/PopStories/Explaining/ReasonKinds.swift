internal import PopScheduler

extension ReasonCode {
    /// Whether it is why a popup that was visible went.
    var endsWhatShows: Bool {
        switch self {
        case .preempted, .timedOut, .dismissCondition, .dismissed, .userClosed, .disappeared,
            .removed, .userSwitched, .expired, .queueFull, .discardedUntriggered, .removedByReload,
            .disabled, .notInRollout:
            true
        case .suspended, .postponed, .delayed, .beforeStart, .outsideHours, .awaitingPredecessor,
            .groupConditionFalse, .groupCap, .sessionCap, .cooldown, .periodCap, .schedulerCap,
            .conditionFalse, .conditionError, .slotBusy, .inGap, .outranked, .lifetimeCap,
            .triggerFiltered, .triggerCounting, .notTriggered, .waitedTooLong,
            .dismissedBeforeShown, .cancelled, .presentationFailed:
            false
        }
    }

    /// Whether a task can end by it.
    var endsTasks: Bool {
        let endsUnseen: Set<ReasonCode> = [
            .waitedTooLong, .dismissedBeforeShown, .cancelled, .presentationFailed,
        ]
        return endsUnseen.contains(self) || endsWhatShows
    }

    /// Whether it can be why a popup waits, or why it has no task.
    var keepsAway: Bool {
        // What is being dismissed does so for a time only when the app is slow.
        let both: Set<ReasonCode> = [.disabled, .notInRollout, .expired, .dismissCondition]
        return both.contains(self) || !endsTasks
    }
}
