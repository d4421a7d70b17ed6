internal import PopCEL
internal import PopExplanations
internal import PopScheduler
internal import PopSource

extension RuleGraph {
    /// A line of a diagram between two nodes.
    struct Arrow {
        enum Kind {
            /// The second comes after the first.
            case after
            /// The first preempts the second.
            case interrupts
            /// An event fires the popup.
            case fires
            /// The popup belongs to the group.
            case contains
        }

        var kind: Kind
        var from: String
        var to: String
        var label: String?
    }

    /// The arrows to draw, up to the limit, and the number of arrows left out.
    private var arrows: (shown: [Arrow], leftOut: Int) {
        var arrows: [Arrow] = []
        for popup in lanes.joined() {
            for other in popup.after where isDrawn(rules.popups[other.popup]) {
                arrows.append(
                    Arrow(
                        kind: .after, from: node(rules.popups[other.popup]), to: node(popup),
                        label: other.action))
            }
            if let group = popup.group {
                arrows.append(Arrow(kind: .contains, from: "g\(group)", to: node(popup)))
            }
        }
        for (index, source) in fired.enumerated() {
            for (popup, which) in source.popups {
                arrows.append(
                    Arrow(kind: .fires, from: "e\(index)", to: node(popup), label: which))
            }
        }
        for popup in lanes.joined() {
            arrows += interrupters(of: popup).first.prefix(DrawingLimits.drawnInterrupters).map {
                Arrow(kind: .interrupts, from: node($0), to: node(popup))
            }
        }
        let shown = Array(arrows.prefix(DrawingLimits.graphLines * 2))
        return (shown, arrows.count - shown.count)
    }

    private var leftOutText: String? {
        let arrows = arrows.leftOut
        let parts = [
            leftOut > 0 ? "\(leftOut) popups" : nil, arrows > 0 ? "\(arrows) arrows" : nil,
        ].compactMap { $0 }
        return parts.isEmpty ? nil : "and \(parts.joined(separator: " and ")) more"
    }

    /// Returns the name of a popup's node; the prefix keeps ids apart from reserved words of the
    /// languages.
    private func node(_ popup: PopupRule) -> String { "p_\(popup.id)" }

    /// Returns the lines in the node of a popup.
    private func label(_ popup: PopupRule) -> [String] {
        let count = interrupters(of: popup).count
        let popups = count == 1 ? "1 popup" : "\(count) popups"
        let fate = popup.switch == .latent ? "comes back" : "is dismissed"
        return [popup.id, popup.priorityText]
            + (count > 0 ? ["gives way to \(popups), \(fate)"] : [])
    }

    /// The meaning of broken arrows; nil without such arrows.
    private var key: String? {
        let isThere = lanes.joined().contains { interrupters(of: $0).count > 0 }
        let most = DrawingLimits.drawnInterrupters
        return isThere
            ? "dashed arrows point to popups that give way (at most \(most) arrows for each of"
                + " these popups)" : nil
    }

    /// The graph as an SVG drawing.
    package var svg: String { GraphPicture.draw(self) }

    /// A flow chart for Mermaid: an arrow leads from a popup to those that come after it, a broken
    /// arrow to those that it preempts, and an arrow from an event to the popups that it fires.
    package var mermaid: String {
        var lines = ["flowchart LR"]
        for lane in lanes.indices where !lanes[lane].isEmpty {
            let name = escapedForMermaid(rules.schedulers[lane].name)
            lines.append("    subgraph s\(lane)[\"\(name)\"]")
            lines += lanes[lane].map { popup in
                let text = label(popup).map { escapedForMermaid($0) }.joined(separator: "<br>")
                return "        \(node(popup))[\"\(text)\"]"
            }
            lines.append("    end")
        }
        for (index, group) in rules.groups.prefix(DrawingLimits.graphLines).enumerated() {
            lines.append("    g\(index)([\"\(escapedForMermaid(group.name))\"])")
        }
        for (index, source) in fired.enumerated() {
            lines.append("    e\(index){{\"\(escapedForMermaid(source.name))\"}}")
        }
        lines += arrows.shown.map { "    \($0.mermaid)" }
        if let key { lines.append("    key[\"\(key)\"]") }
        if let text = leftOutText { lines.append("    rest[\"\(text)\"]") }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The same arrows in Graphviz's language.
    package var dot: String {
        var lines = ["digraph rules {", "    rankdir=LR", "    node [shape=box]"]
        for lane in lanes.indices where !lanes[lane].isEmpty {
            lines.append("    subgraph cluster_\(lane) {")
            lines.append("        label=\(quoted(rules.schedulers[lane].name))")
            lines += lanes[lane].map {
                "        \(node($0)) [label=\(quoted(label($0).joined(separator: "\\n")))]"
            }
            lines.append("    }")
        }
        for (index, group) in rules.groups.prefix(DrawingLimits.graphLines).enumerated() {
            lines.append("    g\(index) [label=\(quoted(group.name)), shape=ellipse]")
        }
        for (index, source) in fired.enumerated() {
            lines.append("    e\(index) [label=\(quoted(source.name)), shape=hexagon]")
        }
        lines += arrows.shown.map { "    \($0.dot)" }
        if let key { lines.append("    key [label=\(quoted(key)), shape=plain]") }
        if let text = leftOutText { lines.append("    rest [label=\(quoted(text)), shape=plain]") }
        return (lines + ["}"]).joined(separator: "\n") + "\n"
    }

    private func quoted(_ text: String) -> String { "\"\(text.replacing("\"", with: "\\\""))\"" }
}

extension RuleGraph.Arrow {
    fileprivate var mermaid: String {
        let text = label.map { "|\"\($0)\"|" } ?? ""
        return switch kind {
        case .after: "\(from) -->\(text) \(to)"
        case .contains: "\(from) -.- \(to)"
        case .fires: "\(from) -->\(text) \(to)"
        case .interrupts: "\(from) -.-> \(to)"
        }
    }

    fileprivate var dot: String {
        let attributes: [String]
        switch kind {
        case .after: attributes = []
        case .contains: attributes = ["style=dashed", "dir=none"]
        case .fires: attributes = label.map { ["label=\"\($0)\""] } ?? []
        case .interrupts:
            attributes = ["style=dashed", "color=\"#b02020\"", "constraint=false"]
        }
        let list = attributes.isEmpty ? "" : " [\(attributes.joined(separator: ", "))]"
        return "\(from) -> \(to)\(list)"
    }
}
