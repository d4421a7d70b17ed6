/// A popup that another comes after, and how it has to have gone.
public struct Predecessor: Sendable, Hashable {
    /// It was shown at least once, is on no screen, and is not about to come back to one.
    public var popup: PopupIndex
    /// The action by which one of its tasks ended; nil for however it went.
    public var action: String?
    /// How long ago that is at least, by the calendar.
    public var since: Duration

    /// Just gone, however that was, unless more is given.
    public init(_ popup: PopupIndex, action: String? = nil, since: Duration = .zero) {
        self.popup = popup
        self.action = action
        self.since = since
    }
}
