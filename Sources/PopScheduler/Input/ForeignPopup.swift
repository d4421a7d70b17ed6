public import PopCEL

/// A popup that the app shows by itself, such as a system alert, and that takes a place in a queue
/// of this scheduler.
///
/// It has no rule; its condition is a flag that the host sets.
public struct ForeignPopup: Sendable, Hashable {
    /// Different from the id of every popup in the rules.
    public var id: String
    /// The name of the scheduler.
    public var scheduler: String
    /// Higher goes first, as with a popup of the rules; `PopupRule.normalPriority` is 100.
    public var priority: Int
    /// What becomes of it when it is passed over because its flag does not let it show.
    public var untriggered = PopupRule.Untriggered.await
    /// What becomes of it when a better popup comes while it shows.
    public var `switch` = PopupRule.Switch.await
    /// How long it waits before it may show.
    public var delay = Duration.zero
    /// How long it stays chosen before anything is on the screen.
    public var grace = Duration.zero
    /// How long it stays visible at least, unless a person closes it.
    public var minShow = Duration.zero
    /// After how long of being visible it is taken down; nil for never.
    public var hideAfter: Duration?
    /// After how long of waiting it is dropped; nil for never.
    public var maxWait: Duration?
    /// Whether the app shows it itself, such as a system alert: the popup only holds its place in
    /// the queue, and `PopupScreen` draws nothing for it.
    public var isShownByApp = false
    /// Handed to the presenter as it is.
    public var content: Value

    /// A hand-made popup that waits for nothing: all times are zero or absent until they are set.
    public init(
        id: String, scheduler: String = "main", priority: Int = PopupRule.normalPriority,
        content: Value = .map([:])
    ) {
        self.id = id
        self.scheduler = scheduler
        self.priority = priority
        self.content = content
    }
}
