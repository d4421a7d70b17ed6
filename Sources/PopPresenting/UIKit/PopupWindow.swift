#if canImport(UIKit) && !os(watchOS)
    public import UIKit

    /// A window over the others of its scene that shows popups. Touches go through it wherever a
    /// popup has nothing but a root view without a background color.
    @available(iOS 17, tvOS 17, visionOS 1, *)
    public final class PopupWindow: UIWindow {
        private let popups: PopupScreen
        private let views: PopupViewControllers
        private let place: SceneID
        private var shown: [String: (popup: PresentedPopup, controller: UIViewController)] = [:]

        /// Made once a scene, when it connects; kept by the scene's delegate.
        public init(
            _ scene: UIWindowScene, showing popups: PopupScreen, lanes: [String] = ["main"],
            views: PopupViewControllers
        ) {
            self.popups = popups
            self.views = views
            place = SceneID(scene.session.persistentIdentifier)
            super.init(windowScene: scene)
            rootViewController = UIViewController()
            windowLevel = UIWindow.Level(rawValue: UIWindow.Level.alert.rawValue - 1)
            isHidden = false
            popups.follow(place, lanes: lanes) { [weak self] lane, popup in
                self?.show(popup, on: lane)
            }
            popups.followLife(of: scene, as: place)
        }

        @available(*, unavailable)
        public required init?(coder: NSCoder) { nil }

        public override func hitTest(_ point: CGPoint, with event: UIEvent?) -> UIView? {
            guard let view = super.hitTest(point, with: event) else { return nil }
            let roots = [self, rootViewController?.view] + shown.values.map(\.controller.view)
            return roots.contains { $0 === view } && view.backgroundColor == nil ? nil : view
        }

        private func show(_ popup: PresentedPopup?, on lane: String) {
            if let before = shown[lane], before.popup.id != popup?.id {
                before.controller.willMove(toParent: nil)
                before.controller.view.removeFromSuperview()
                before.controller.removeFromParent()
                shown[lane] = nil
            }
            guard let popup else { return }
            let controller = shown[lane]?.controller ?? add(popup)
            shown[lane] = (popup, controller)
            switch popup.phase {
            case .appearing: fade(controller.view, to: 1) { popup.appeared() }
            case .showing: controller.view.alpha = 1
            case .leaving: fade(controller.view, to: 0) { popup.disappeared() }
            }
        }

        private func add(_ popup: PresentedPopup) -> UIViewController {
            let controller = views.make(popup)
            rootViewController?.addChild(controller)
            controller.view.frame = bounds
            controller.view.autoresizingMask = [.flexibleWidth, .flexibleHeight]
            controller.view.alpha = 0
            rootViewController?.view.addSubview(controller.view)
            controller.didMove(toParent: rootViewController)
            return controller
        }

        private func fade(_ view: UIView, to alpha: CGFloat, then: @escaping @MainActor () -> Void)
        {
            UIView.animate(withDuration: 0.25, animations: { view.alpha = alpha }) { _ in then() }
        }
    }
#endif
