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
