public import PopScheduler

/// The result of a popup that the app asked to be shown.
public enum PopupEnding: Sendable, Hashable {
    /// The user used this action, and it dismissed the popup.
    case acted(String)
    /// The user closed the popup.
    case closed
    /// It was visible and went for another reason, such as `dismissed`, `timedOut` or `preempted`.
    case gone(ReasonCode)
    /// It was never visible: why it was dropped, or why no task was made of it.
    case neverShown(ReasonCode)
    /// The presenter could not show it; what `present` threw.
    case failed(message: String)
    /// The call did not fit the rules.
    case refused(Rejection)
    /// The engine was stopped first. The popup may still be on the screen.
    case stopped
    /// The Swift task that waited was cancelled first. The popup continues.
    case waitCancelled
}

extension PopupEnding {
    /// Creates the ending of a terminal event; nil for every other event. `action` is the last one
    /// that was used.
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
