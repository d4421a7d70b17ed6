internal import PopScheduler

extension ReasonCode {
    /// Whether it is why a popup that was visible went.
    var endsWhatShows: Bool {
        switch self {
        case .preempted, .timedOut, .dismissCondition, .dismissed, .userClosed, .disappeared,
            .removed, .userSwitched, .expired, .queueFull, .discardedUntriggered, .removedByReload,
            .disabled, .notInRollout:
            true
        default: false
        }
    }

    /// Whether a task can end by it.
    var endsTasks: Bool {
        switch self {
        case .waitedTooLong, .dismissedBeforeShown, .cancelled, .presentationFailed: true
        default: endsWhatShows
        }
    }

    /// Whether it can be why a popup waits, or why it has no task.
    var keepsAway: Bool {
        switch self {
        case .disabled, .notInRollout, .expired: true
        // What is being dismissed does so for a time only when the app is slow.
        case .dismissCondition: true
        default: !endsTasks
        }
    }
}
