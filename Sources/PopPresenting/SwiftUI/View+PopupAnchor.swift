#if canImport(SwiftUI)
    public import SwiftUI

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
    extension View {
        /// Marks a place that popups can point at: popups whose content has `anchor: id`.
        public func popupAnchor(_ id: String) -> some View {
            transformAnchorPreference(key: PopupAnchors.self, value: .bounds) { anchors, bounds in
                anchors.places[id] = bounds
            }
        }
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
    extension EnvironmentValues {
        /// The frame of the control that the popup points at, in the coordinates of the popup; nil
        /// if its content names no control, or a control that is not on the screen.
        public var popupTarget: CGRect? {
            get { self[PopupTarget.self] }
            set { self[PopupTarget.self] = newValue }
        }
    }

    private struct PopupTarget: EnvironmentKey {
        static var defaultValue: CGRect? { nil }
    }

    /// The anchors in a view, by their names.
    struct PopupAnchors: PreferenceKey {
        var places: [String: Anchor<CGRect>] = [:]

        static var defaultValue: PopupAnchors { PopupAnchors() }

        static func reduce(value: inout PopupAnchors, nextValue: () -> PopupAnchors) {
            value.places.merge(nextValue().places) { first, _ in first }
        }

        @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
        @MainActor
        func target(of popup: PresentedPopup, in proxy: GeometryProxy) -> CGRect? {
            popup.text("anchor").flatMap { places[$0] }.map { proxy[$0] }
        }
    }
#endif
