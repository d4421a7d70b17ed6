public import PopScheduler

/// The callbacks of an app for one popup that it enqueues.
///
/// Each is called on the main actor, in its order among the calls of the presenter. The callbacks
/// cover what happens to the popup's task from the call on, and are released when the task has
/// ended. If the popup already waits or shows, it has a task, and the callbacks cover that task. If
/// the popup is leaving, they cover its next task. The engine keeps the callbacks until then: a
/// callback that needs the engine must capture it weakly.
public struct PopupCallbacks: Sendable {
    /// Asked right before each presentation, ahead of the presenter, which is asked only about what
    /// is let through here.
    public var willShow: (@MainActor @Sendable (Popup) -> WillShowAnswer)?
    /// It is visible, its animation over; again when it was switched out and has come back.
    public var shown: (@MainActor @Sendable () -> Void)?
    /// The user used this action; the popup is dismissed by it, unless it stays.
    public var acted: (@MainActor @Sendable (String) -> Void)?
    /// Called once, and last, whatever the result is.
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
    /// Returns the call for a step; nil if the app gave no callback for it.
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
