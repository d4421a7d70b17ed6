/// A popup that another comes after, and the required manner of its end.
public struct Predecessor: Sendable, Hashable {
    /// It was shown at least once, is on no screen, and is not about to come back to one.
    public var popup: PopupIndex
    /// The action by which one of its tasks must have ended; nil for any end.
    public var action: String?
    /// The minimum time since then, by the calendar.
    public var since: Duration

    /// Creates a predecessor that may have ended just now and in any manner, unless more is given.
    public init(_ popup: PopupIndex, action: String? = nil, since: Duration = .zero) {
        self.popup = popup
        self.action = action
        self.since = since
    }
}
