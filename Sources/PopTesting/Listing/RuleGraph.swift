package import PopScheduler

/// Who waits for whom, scheduler by scheduler.
package struct RuleGraph {
    private let rules: RuleSet

    package init(_ rules: RuleSet) { self.rules = rules }

    /// The popups of each scheduler in the order in which they go first, each with what it waits for.
    package var text: String {
        var lines: [String] = []
        for (index, lane) in rules.schedulers.enumerated() {
            let popups = rules.queueOrder(of: index)
            if popups.isEmpty { continue }
            if !lines.isEmpty { lines.append("") }
            lines.append("\(lane.name) (\(laneText(lane)))")
            var table = TextTable(indent: 2)
            for popup in popups {
                let names = popup.after.map { rules.popups[$0].id }
                let notes = [
                    names.isEmpty ? nil : "after \(names.joined(separator: ", "))",
                    popup.group.map { "in group \(rules.groups[$0].name)" },
                    popup.switch == .await ? nil : "gives way (\(popup.switch.rawValue))",
                ]
                table.add(
                    popup.priorityText, popup.id,
                    notes.compactMap { $0 }.joined(separator: "; "))
            }
            lines += table.lines
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private func laneText(_ lane: SchedulerRule) -> String {
        var parts = [lane.strategy.rawValue]
        let gap = lane.gap
        if gap.upperBound > .zero {
            let bounds =
                gap.lowerBound == gap.upperBound
                ? timeText(gap.upperBound)
                : "\(timeText(gap.lowerBound)) to \(timeText(gap.upperBound))"
            parts.append("gap \(bounds)")
        }
        if let most = lane.maxWaiting { parts.append("at most \(most) waiting") }
        return parts.joined(separator: ", ")
    }

    /// A flow chart for Mermaid: an arrow leads from a popup to those that come after it.
    package var mermaid: String {
        var lines = ["flowchart LR"]
        for (index, lane) in rules.schedulers.enumerated() {
            let popups = rules.queueOrder(of: index)
            if popups.isEmpty { continue }
            lines.append("    subgraph s\(index)[\"\(escapedForMermaid(lane.name))\"]")
            for popup in popups {
                lines.append(
                    "        \(node(popup))[\"\(escapedForMermaid(popup.id))<br>\(popup.priorityText)\"]"
                )
            }
            lines.append("    end")
        }
        for (index, group) in rules.groups.enumerated() {
            lines.append("    g\(index)([\"\(escapedForMermaid(group.name))\"])")
        }
        for popup in rules.popups {
            for other in popup.after {
                lines.append("    \(node(rules.popups[other])) --> \(node(popup))")
            }
            if let group = popup.group { lines.append("    g\(group) -.- \(node(popup))") }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Graphviz's language; the same arrows.
    package var dot: String {
        var lines = ["digraph rules {", "    rankdir=LR", "    node [shape=box]"]
        for (index, lane) in rules.schedulers.enumerated() {
            let popups = rules.queueOrder(of: index)
            if popups.isEmpty { continue }
            lines.append("    subgraph cluster_\(index) {")
            lines.append("        label=\(quoted(lane.name))")
            for popup in popups {
                lines.append(
                    "        \(node(popup)) [label=\(quoted("\(popup.id)\\n\(popup.priorityText)"))]"
                )
            }
            lines.append("    }")
        }
        for (index, group) in rules.groups.enumerated() {
            lines.append("    g\(index) [label=\(quoted(group.name)), shape=ellipse]")
        }
        for popup in rules.popups {
            for other in popup.after {
                lines.append("    \(node(rules.popups[other])) -> \(node(popup))")
            }
            if let group = popup.group {
                lines.append("    g\(group) -> \(node(popup)) [style=dashed, dir=none]")
            }
        }
        return (lines + ["}"]).joined(separator: "\n") + "\n"
    }

    /// The name of a popup's node; ids may be words that the languages keep for themselves.
    private func node(_ popup: PopupRule) -> String { "p_\(popup.id)" }

    private func quoted(_ text: String) -> String { "\"\(text.replacing("\"", with: "\\\""))\"" }
}
