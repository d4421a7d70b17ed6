public import PopScheduler

/// What became of a popup that somebody asked to be shown.
public enum PopupEnding: Sendable, Hashable {
    /// A person used this action, and the popup went by it.
    case acted(String)
    /// A person closed it.
    case closed
    /// It was visible and went for another reason, such as `dismissed`, `timedOut` or `preempted`.
    case gone(ReasonCode)
    /// It was never visible: why it was dropped, or why no task was made of it.
    case neverShown(ReasonCode)
    /// The presenter could not show it; what `present` threw.
    case failed(message: String)
    /// The call did not fit the rules.
    case refused(Rejection)
    /// The engine was stopped first. What is on the screen may still be there.
    case stopped
    /// The Swift task that waited was cancelled first. The popup goes on.
    case waitCancelled
}

extension PopupEnding {
    /// What a terminal event says; nil for every other. `action` is the last one that was used.
    init?(_ event: HostEvent, action: String?, wasShown: Bool) {
        guard let reason = event.ending else { return nil }
        switch event {
        case .failed(_, let message): self = .failed(message: message)
        case .dismissed where reason == .userClosed: self = .closed
        case .dismissed where reason == .acted: self = action.map { .acted($0) } ?? .gone(reason)
        case .dismissed: self = .gone(reason)
        case .cancelled where wasShown: self = .gone(reason)
        case .cancelled, .discarded, .queued, .coalesced, .remembered, .notMade, .willShow,
            .postponed, .exposed, .shown, .acted, .converted, .willDismiss, .requeued,
            .conditionError,
            .zoneUnknown, .emptyPlaceholder, .animationTimeout, .rejected:
            self = .neverShown(reason)
        }
    }
}
