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
    /// Higher priority shows first, as with a popup of the rules; `PopupRule.normalPriority` is
    /// 100.
    public var priority: Int
    /// The handling if it is passed over because its flag doesn't let it show.
    public var untriggered = PopupRule.Untriggered.await
    /// The handling if a popup that outranks it comes while it shows.
    public var `switch` = PopupRule.Switch.await
    /// The time that it waits before it may show.
    public var delay = Duration.zero
    /// The time that it stays chosen before anything is on the screen.
    public var grace = Duration.zero
    /// The minimum time that it stays visible, unless the user closes it.
    public var minShow = Duration.zero
    /// The visible time after which it is taken down; nil for never.
    public var hideAfter: Duration?
    /// The waiting time after which it is dropped; nil for never.
    public var maxWait: Duration?
    /// True if the app shows it itself, such as a system alert: the popup only holds its place in
    /// the queue, and `PopupScreen` draws nothing for it.
    public var isShownByApp = false
    /// Passed to the presenter unchanged.
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
