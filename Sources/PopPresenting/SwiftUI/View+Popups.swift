#if canImport(SwiftUI)
    public import SwiftUI

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
    extension View {
        /// Shows the popups of a scheduler over this view, in the built-in view of each template.
        public func popups(_ screen: PopupScreen, lane: String = "main") -> some View {
            popups(screen, lane: lane) { popup in TemplateView(popup: popup) }
        }

        /// Shows the popups of a scheduler over this view, as `content` makes them. They fade in
        /// and out; `content` may have a transition of its own.
        public func popups<Popups: View>(
            _ screen: PopupScreen, lane: String = "main",
            @ViewBuilder content: @escaping (PresentedPopup) -> Popups
        ) -> some View {
            modifier(PopupOverlay(screen: screen, lane: lane, popups: content))
        }
    }

    /// The overlay above a view, which follows the screen with animations.
    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
    struct PopupOverlay<Popups: View>: ViewModifier {
        let screen: PopupScreen
        let lane: String
        let popups: (PresentedPopup) -> Popups

        @State private var scene = SceneID()
        @State private var current: PresentedPopup?
        @Environment(\.scenePhase) private var scenePhase

        func body(content: Content) -> some View {
            content
                .overlayPreferenceValue(PopupAnchors.self) { anchors in
                    GeometryReader { proxy in
                        if let current {
                            popups(current)
                                .environment(\.popupTarget, anchors.target(of: current, in: proxy))
                                .frame(maxWidth: .infinity, maxHeight: .infinity)
                                .transition(.opacity)
                                .id(current.id)
                        }
                    }
                }
                .onAppear { screen.connect(scene, lanes: [lane]) }
                // Views that are re-created, as by a rotation, connect again: nothing is lost.
                .onDisappear { screen.disconnect(scene) }
                .onChange(of: scenePhase) { _, phase in
                    if phase == .active { screen.activate(scene) }
                    if phase == .background { screen.conceal(scene) }
                }
                .onChange(of: screen.shown(on: lane, in: scene), initial: true) { _, popup in
                    follow(popup)
                }
        }

        private func follow(_ popup: PresentedPopup?) {
            switch popup?.phase {
            case .appearing: animate(to: popup) { popup?.appeared() }
            case .leaving: animate(to: nil) { popup?.disappeared() }
            case .showing, nil: current = popup
            }
        }

        private func animate(to popup: PresentedPopup?, then: @escaping @MainActor () -> Void) {
            withAnimation(.default, completionCriteria: .removed) {
                current = popup
            } completion: {
                then()
            }
        }
    }
#endif
