#if canImport(UIKit) && !os(watchOS)
    internal import PopEngine
    public import UIKit

    /// Which view controller shows the popups of which template.
    @available(iOS 17, tvOS 17, visionOS 1, *)
    @MainActor
    public struct PopupViewControllers {
        /// Creates the view controller of a popup, which reports user actions by `close` and `act`.
        /// It is called once per presentation and scene.
        public typealias Maker = @MainActor (PresentedPopup) -> UIViewController

        private let makers: [String: Maker]
        private let other: Maker

        /// Creates the makers by template name; `other` is for popups without a template, and for
        /// templates that are not named.
        public init(_ makers: [String: Maker] = [:], other: @escaping Maker) {
            self.makers = makers
            self.other = other
        }

        func make(_ popup: PresentedPopup) -> UIViewController {
            (popup.popup.template.flatMap { makers[$0] } ?? other)(popup)
        }
    }
#endif
