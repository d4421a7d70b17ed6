public import PopEngine
public import PopScheduler

/// A popup for a view: its content, its phase, and the calls to report on it.
///
/// When a view gets a popup with a new `id`, it puts it on the screen as `phase` requires: if
/// `appearing`, with an animation, and then it calls `appeared`; if `showing`, immediately, because
/// the popup comes from another scene. In the phase `leaving` the view removes it, and then calls
/// `disappeared`.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
public struct PresentedPopup: Sendable, Identifiable {
    /// The popup that is shown.
    public let popup: Popup
    /// The phase of its presentation.
    public let phase: ScreenState.Phase
    let screen: PopupScreen

    /// Another one each time that a popup is shown.
    public var id: PresentationID { popup.presentation }

    /// Returns the string under a key of the popup's content; nil if there is no such string.
    public func text(_ key: String) -> String? { popup.resolvedContent[key] }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PresentedPopup: Equatable {
    /// Returns true if a view would show the same.
    public static func == (left: Self, right: Self) -> Bool {
        left.id == right.id && left.phase == right.phase
            && left.popup.resolvedContent == right.popup.resolvedContent
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
@MainActor
extension PresentedPopup {
    /// Its view is there, the animation over.
    public func appeared() { screen.appeared(id) }

    /// Reports that its view is removed and the animation over, whatever the cause.
    public func disappeared() { screen.disappeared(id) }

    /// Reports that the user closed it, by a button, a swipe or a tap outside of it.
    public func close() { screen.close(id) }

    /// Reports that the user used a button, by the name of the action that its template declares.
    public func act(_ action: String, stays: Bool = false) { screen.act(id, action, stays: stays) }
}
