import PopEngine
import PopPresenting

/// A view for each template, and one for the guide, which has none.
@MainActor
struct PopupViews {
    let shop: Shop
    /// What the guide can point at, by its name in the rules.
    let anchors: [String: Widget]

    /// Where a popup is in the window.
    enum Place { case everywhere, top, bottom }

    func view(for popup: PresentedPopup) -> (Widget, Place) {
        switch popup.popup.template {
        case "toast": (toast(popup), .bottom)
        case "blocking": (sheet(popup, canBeClosed: false), .everywhere)
        case "sheet": (sheet(popup, canBeClosed: true), .everywhere)
        default: (guide(popup), .top)
        }
    }

    private func sheet(_ popup: PresentedPopup, canBeClosed: Bool) -> Widget {
        let accept = button("accept", of: popup, text: popup.text("button") ?? "OK") {
            shop.accepted(popup.popup.id)
            // What blocks the shop has one answer, and no actions.
            if canBeClosed { popup.act("accept") } else { popup.close() }
        }
        let buttons = Widget.row([accept.styled("main")]).placed(.end)
        if let second = popup.text("second_button") {
            buttons.add(button("later", of: popup, text: second) { popup.act("later") })
        }
        let head = Widget.row([Widget.label(popup.text("title") ?? "", "title").growing()])
        if canBeClosed {
            head.add(button("close", of: popup, text: "×") { popup.close() }.styled("close"))
        }
        let card = Widget.column(
            [head, .paragraph(popup.text("body") ?? ""), buttons], spacing: 16
        )
        .styled("sheet").named("popup.\(popup.popup.id)").placed(.center, .center)
        // The rest of the window is behind the scrim, and cannot be clicked.
        return Widget.overlay(Widget.column().styled("scrim").filling()).covered(by: card)
    }

    private func toast(_ popup: PresentedPopup) -> Widget {
        let row = Widget.row([.label(popup.text("text") ?? "", "toast-text")])
        if let progress: Double = popup.popup.resolvedContent["progress"] {
            row.add(.progress(progress).named("\(popup.popup.id).progress"))
        }
        if let text = popup.text("button") {
            row.add(
                button("undo", of: popup, text: text) {
                    shop.accepted(popup.popup.id)
                    popup.close()
                })
        }
        return row.styled("toast").named("popup.\(popup.popup.id)")
    }

    /// Points at one control after the other.
    private func guide(_ popup: PresentedPopup) -> Widget {
        let words = [
            "search": "Search finds everything, also by color.",
            "map": "The map has the shops near you.",
            "cart": "Your cart is kept until you come back.",
        ]
        let steps: [String] = popup.popup.resolvedContent["steps"] ?? []
        let text = Widget.label("").growing()
        let step = Step()
        let show = {
            let name = steps[step.number]
            text.setText("\(step.number + 1) of \(steps.count):  \(words[name] ?? name)")
            point(at: name)
        }
        let next = button("next", of: popup, text: "Next") {
            step.number += 1
            guard step.number >= steps.count else { return show() }
            shop.accepted(popup.popup.id)
            popup.close()
        }
        if !steps.isEmpty { show() }
        return Widget.row([text, next.styled("main")])
            .styled("guide").named("popup.\(popup.popup.id)")
    }

    func point(at name: String?) {
        for (anchor, widget) in anchors { widget.marked("pointed", anchor == name) }
    }

    private func button(
        _ name: String, of popup: PresentedPopup, text: String, _ press: @escaping Action
    ) -> Widget {
        Widget.button(text, named: "\(popup.popup.id).\(name)", press)
    }

    private final class Step {
        var number = 0
    }
}

extension Widget {
    fileprivate func covered(by child: Widget) -> Widget {
        addOver(child)
        return self
    }
}
