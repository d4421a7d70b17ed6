#if canImport(UIKit) && !os(watchOS)
    internal import UIKit

    @available(iOS 17, tvOS 17, visionOS 1, *)
    extension PopupScreen {
        /// Follows the life cycle of a UIKit scene: in use, not visible, disconnected.
        func followLife(of scene: UIWindowScene, as place: SceneID) {
            hear(UIScene.didActivateNotification, of: scene) { $0.activate(place) }
            hear(UIScene.didEnterBackgroundNotification, of: scene) { $0.conceal(place) }
            hear(UIScene.didDisconnectNotification, of: scene) { $0.disconnect(place) }
        }

        private func hear(
            _ name: Notification.Name, of scene: UIWindowScene,
            _ action: @escaping @MainActor (PopupScreen) -> Void
        ) {
            _ = NotificationCenter.default.addObserver(forName: name, object: scene, queue: .main) {
                [weak self] _ in
                MainActor.assumeIsolated { if let self { action(self) } }
            }
        }
    }

    #if !os(tvOS)
        @available(iOS 17, visionOS 1, *)
        extension PopupScreen {
            /// Puts popups off while a keyboard is up, from now on. Called once, for all scenes.
            public func yieldToKeyboard() {
                let keyboard = Keyboard(self)
                let center = NotificationCenter.default
                let changes = [
                    (UIResponder.keyboardWillShowNotification, true),
                    (UIResponder.keyboardDidHideNotification, false),
                ]
                for (name, isUp) in changes {
                    _ = center.addObserver(forName: name, object: nil, queue: .main) { _ in
                        MainActor.assumeIsolated { keyboard.set(isUp: isUp) }
                    }
                }
            }
        }

        @available(iOS 17, visionOS 1, *)
        @MainActor
        private final class Keyboard {
            private weak var popups: PopupScreen?
            private var isUp = false

            init(_ popups: PopupScreen) { self.popups = popups }

            /// The notification is also sent if a keyboard only changes its size.
            func set(isUp: Bool) {
                guard isUp != self.isUp else { return }
                self.isUp = isUp
                if isUp { popups?.obstruct(by: "keyboard") } else { popups?.clear(by: "keyboard") }
            }
        }
    #endif
#endif
