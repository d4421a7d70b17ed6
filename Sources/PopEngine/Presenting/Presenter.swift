public import PopScheduler

/// The app's side of the screen: shows popups and takes them down, one at a time per scheduler.
///
/// All calls come on the main actor. You may call the engine from inside; such calls are handled
/// afterwards. Only `stop(dismissing: true)` must not be awaited in `present` and `dismiss`: it
/// waits for them, until `SchedulerLimits.animationTimeout` is over. Call `beginStop` there.
@MainActor
public protocol Presenter: Sendable {
    /// Asked right before each presentation. The popup is shown unless this is implemented.
    func willShow(_ popup: Popup) -> WillShowAnswer

    /// Puts the popup on the screen and returns when its animation is over. If that takes longer
    /// than `SchedulerLimits.animationTimeout`, the popup counts as shown.
    ///
    /// Throwing ends the popup's task without an impression. When the user closes the popup, call
    /// the engine's `userClosed`; `dismiss` is then called.
    func present(_ popup: Popup) async throws

    /// Replaces the shown content with the popup's new content, after the app has called
    /// `updateContent`. Called between `present` and `dismiss`, also while the animation of
    /// `present` runs. Does nothing unless you implement it.
    func update(_ popup: Popup)

    /// Takes the popup off the screen and returns when its animation is over.
    func dismiss(_ popup: Popup) async

    /// The presentation is over for the engine, whatever the cause: `dismiss` has returned or took
    /// too long, `present` threw, or the app called `didDisappear`. Called once for each `present`,
    /// before the next popup of the scheduler. If its view still exists, remove it now. Does
    /// nothing unless you implement it.
    func ended(_ popup: Popup)
}

extension Presenter {
    public func willShow(_ popup: Popup) -> WillShowAnswer { .show }
    public func update(_ popup: Popup) {}
    public func ended(_ popup: Popup) {}
}
