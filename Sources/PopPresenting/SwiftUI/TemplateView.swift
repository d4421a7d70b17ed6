#if canImport(SwiftUI)
    internal import PopEngine
    public import SwiftUI

    /// The built-in view of a popup: `sheet`, `banner`, `toast` or `tip` by its template, and a
    /// sheet for every other template.
    ///
    /// They show `title`, `body`, `text`, `button` and `second_button` of the content. `button`
    /// reports the action `accept`, `second_button` reports `later`; if the template declares no
    /// such action, they close.
    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
    public struct TemplateView: View {
        private let popup: PresentedPopup
        @Environment(\.popupTarget) private var target

        /// The view of that popup.
        public init(popup: PresentedPopup) { self.popup = popup }

        public var body: some View {
            switch popup.popup.template {
            case "banner": strip.frame(maxHeight: .infinity, alignment: .top)
            case "toast": strip.frame(maxHeight: .infinity, alignment: .bottom)
            case "tip": tip
            default: sheet
            }
        }

        /// A tap on it closes it.
        private var strip: some View { card.padding().onTapGesture { popup.close() } }

        private var sheet: some View {
            ZStack {
                // A tap outside of the sheet closes it, unless the sheet is blocking.
                Color.black.opacity(0.4).ignoresSafeArea().onTapGesture {
                    if popup.popup.template != "blocking" { popup.close() }
                }
                card.padding()
            }
        }

        @ViewBuilder private var tip: some View {
            if let target {
                card.fixedSize().position(x: target.midX, y: target.maxY + 48)
            } else {
                card.padding()
            }
        }

        private var card: some View {
            VStack(alignment: .leading, spacing: 12) {
                if let title = popup.text("title") { Text(title).font(.headline) }
                if let body = popup.text("body") ?? popup.text("text") { Text(body) }
                HStack {
                    if let second = popup.text("second_button") {
                        Button(second) { popup.act("later") }
                    }
                    if let button = popup.text("button") {
                        Button(button) { popup.act("accept") }
                    }
                }
            }
            .padding()
            .background(.regularMaterial, in: RoundedRectangle(cornerRadius: 14))
        }
    }
#endif
