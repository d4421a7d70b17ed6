public import PopScheduler

/// What an app wants to be called for about one popup that it enqueues.
///
/// Each is called on the main actor, in its order among the calls of the presenter. They hear of
/// what happens to the popup's task from the call on, and are released when it has ended. A popup
/// that waits or shows already has a task: they hear of that one, and of the next task where it is
/// leaving. The engine keeps them until then:
/// one that needs the engine keeps it weakly.
public struct PopupCallbacks: Sendable {
    /// Asked right before each presentation, ahead of the presenter, which is asked only about what
    /// is let through here.
    public var willShow: (@MainActor @Sendable (Popup) -> WillShowAnswer)?
    /// It is visible, its animation over; again when it was switched out and has come back.
    public var shown: (@MainActor @Sendable () -> Void)?
    /// A person used this action; the popup goes by it, unless it stays.
    public var acted: (@MainActor @Sendable (String) -> Void)?
    /// Called once, and last, whatever became of it.
    public var ended: (@MainActor @Sendable (PopupEnding) -> Void)?

    /// Calls what is given.
    public init(
        willShow: (@MainActor @Sendable (Popup) -> WillShowAnswer)? = nil,
        shown: (@MainActor @Sendable () -> Void)? = nil,
        acted: (@MainActor @Sendable (String) -> Void)? = nil,
        ended: (@MainActor @Sendable (PopupEnding) -> Void)? = nil
    ) {
        self.willShow = willShow
        self.shown = shown
        self.acted = acted
        self.ended = ended
    }
}

extension PopupCallbacks {
    /// What is to be called for a step; nil for nothing.
    func call(for step: FollowedStep) -> (@MainActor @Sendable () -> Void)? {
        switch step {
        case .shown: return shown
        case .acted(let action):
            guard let acted else { return nil }
            return { acted(action) }
        case .ended(let ending):
            guard let ended else { return nil }
            return { ended(ending) }
        }
    }
}
