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
    public var priority: Int
    public var untriggered = PopupRule.Untriggered.await
    public var `switch` = PopupRule.Switch.await
    public var delay = Duration.zero
    public var grace = Duration.zero
    public var minShow = Duration.zero
    public var hideAfter: Duration?
    public var maxWait: Duration?
    /// Handed to the presenter as it is.
    public var content: Value

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
