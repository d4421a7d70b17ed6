public import PopEngine
public import PopScheduler

/// A popup as a view gets it: what it says, how far it has come, and what to tell of it.
///
/// A view that gets one with another `id` than before puts it on the screen, as `phase` says:
/// `appearing` with an animation, and then calls `appeared`; `showing` at once, since it comes from
/// another scene. In the phase `leaving` it takes it off, and then calls `disappeared`.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
public struct PresentedPopup: Sendable, Identifiable {
    /// What is shown.
    public let popup: Popup
    /// How far it has come.
    public let phase: ScreenState.Phase
    let screen: PopupScreen

    /// Another one each time that a popup is shown.
    public var id: PresentationID { popup.presentation }

    /// The text that stands under a key of what the popup says; nil when there is none.
    public func text(_ key: String) -> String? { popup.resolvedContent[key] }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PresentedPopup: Equatable {
    /// Whether a view would show the same.
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

    /// Its view is gone, the animation over, whoever wanted it to go.
    public func disappeared() { screen.disappeared(id) }

    /// A person closed it, by a button, a swipe or a tap beside it.
    public func close() { screen.close(id) }

    /// A person used a button, by the name of the action that its template declares.
    public func act(_ action: String, stays: Bool = false) { screen.act(id, action, stays: stays) }
}
