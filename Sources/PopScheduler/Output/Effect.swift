/// What the host is asked to do, in this order: a record is kept before the effects behind it are
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
    /// Tell whoever listens.
    case emit(HostEvent)
}
