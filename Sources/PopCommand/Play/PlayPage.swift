import PopSource
import PopTesting

/// Draws a state as the lines of a terminal, each exactly as wide as it.
struct PlayPage {
    static let leastColumns = 80
    static let leastRows = 24
    /// The lines of what happened, below the areas.
    private static let logRows = 5
    private static let leastAreaRows = 4

    private let state: PlayState
    private let style: TextStyle

    init(_ state: PlayState, style: TextStyle = .plain) {
        self.state = state
        self.style = style
    }

    /// As many lines as the terminal has.
    var lines: [String] {
        guard state.columns >= Self.leastColumns, state.rows >= Self.leastRows else {
            return tooSmall
        }
        return [style.bold(header.fitted(to: state.columns))] + body(rows: state.rows - 3) + [
            message, bottom.fitted(to: state.columns),
        ]
    }

    /// Where the cursor stands while an order is typed, from 1.
    var cursorColumn: Int? {
        guard case .typing(let text) = state.line else { return nil }
        return min(
            TerminalText("> " + text.visibleEnd(of: state.columns - 3)).width + 1, state.columns)
    }

    private var tooSmall: [String] {
        let text =
            "play needs \(Self.leastColumns)x\(Self.leastRows), this is \(state.columns)x\(state.rows)"
        let lines = [text] + Array(repeating: "", count: max(state.rows - 1, 0))
        return lines.prefix(state.rows).map { $0.fitted(to: state.columns) }
    }

    private var header: String {
        var parts = [state.title, "\(state.date)"]
        if state.skipped > .zero { parts.append("skipped \(timeText(state.skipped))") }
        let suspended = state.areas.map(\.scheduler).filter(state.suspended.contains)
        if !suspended.isEmpty {
            let isAll = suspended.count == state.areas.count
            parts.append((["SUSPENDED"] + (isAll ? [] : suspended)).joined(separator: " "))
        }
        return parts.joined(separator: "   ")
    }

    private var message: String {
        guard let error = state.rulesError else { return state.message.fitted(to: state.columns) }
        return style.bad("rules refused: \(error)".fitted(to: state.columns))
    }

    private var bottom: String {
        switch state.line {
        case .typing(let text): "> " + text.visibleEnd(of: state.columns - 3)
        case .keys:
            "[:]order [c]lose [s]uspend clock +[t]10s +[m]1m +[h]1h +[d]1d [?]help [q]uit"
        }
    }
}

// MARK: The two sides

extension PlayPage {
    private var sideColumns: Int { max(32, state.columns * 2 / 5) }

    private func body(rows: Int) -> [String] {
        if state.isHelpShown { return help(rows: rows) }
        let side = side(rows: rows)
        let stageColumns = state.columns - sideColumns - 3
        return zip(stage(rows: rows, columns: stageColumns), side).map { left, right in
            "\(left) │ \(right)"
        }
    }

    private func help(rows: Int) -> [String] {
        var table = TextTable(indent: 2)
        table.add("1 to 9", "closes the popup of that area; c closes the first")
        for usage in PlayOrder.usages { table.add(usage.order, usage.meaning) }
        let text = ["After : type an order, then Enter; Escape drops it.", ""] + table.lines
        return text.filled(to: rows).map { $0.fitted(to: state.columns) }
    }

    private func title(_ text: String, columns: Int) -> String {
        let text = "── \(text) "
        let rest = max(columns - TerminalText(text).width, 0)
        return style.dim((text + String(repeating: "─", count: rest)).fitted(to: columns))
    }

    /// The areas above, what happened below.
    private func stage(rows: Int, columns: Int) -> [String] {
        let rowsForAreas = rows - Self.logRows - 1
        let count = max(min(state.areas.count, rowsForAreas / Self.leastAreaRows), 1)
        var lines: [String] = []
        for (index, area) in state.areas.prefix(count).enumerated() {
            let share = rowsForAreas / count + (index < rowsForAreas % count ? 1 : 0)
            var name = "\(index + 1) \(area.scheduler)"
            let hidden = state.areas.count - count
            if index == count - 1, hidden > 0 { name += " (and \(hidden) more)" }
            lines.append(title(name, columns: columns))
            let box = area.shown.map { self.box($0, rows: share - 1, columns: columns) } ?? []
            lines += box.filled(to: share - 1).map { $0.fitted(to: columns) }
        }
        lines = lines.filled(to: rowsForAreas)
        lines.append(title("what happened", columns: columns))
        let log = Array(state.log.suffix(Self.logRows)).filled(to: Self.logRows)
        return lines + log.map { $0.fitted(to: columns) }
    }

    private func box(_ shown: PlayState.Shown, rows: Int, columns: Int) -> [String] {
        let inside = columns - 4
        var name = "┌ \(escapedForTerminal(shown.popup)) "
        if let template = shown.template { name += "(\(escapedForTerminal(template))) " }
        let bar = String(repeating: "─", count: max(columns - 1 - TerminalText(name).width, 0))
        let text = shown.content.flatMap { wrapped(escapedForTerminal($0), to: inside) }
        return [(name + bar).fitted(to: columns - 1) + "┐"]
            + text.prefix(max(rows - 2, 0)).map { "│ \($0.fitted(to: inside)) │" }
            + ["└" + String(repeating: "─", count: columns - 2) + "┘"]
    }

    /// The queues above, the context below.
    private func side(rows: Int) -> [String] {
        let queueRows = rows * 3 / 5
        var queue: [String] = []
        for area in state.areas where !area.waiting.isEmpty {
            if state.areas.count > 1 { queue.append("\(area.scheduler):") }
            queue += area.waiting.enumerated().map { index, waiting in
                row("\(index + 1) \(waiting.popup)", waiting.reason)
            }
        }
        if queue.isEmpty { queue = ["nothing waits"] }
        let context = state.context.map { row($0.key, $0.value) }
        return section("waiting", queue, rows: queueRows)
            + section("context", context, rows: rows - queueRows)
    }

    private func section(_ name: String, _ lines: [String], rows: Int) -> [String] {
        var lines = lines
        if lines.count > rows - 1 {
            let hidden = lines.count - rows + 2
            lines = lines.prefix(rows - 2) + ["… \(hidden) more"]
        }
        return [title(name, columns: sideColumns)]
            + lines.filled(to: rows - 1).map { $0.fitted(to: sideColumns) }
    }

    /// A name at the left and what is said about it at the right, which is cut last.
    private func row(_ name: String, _ text: String) -> String {
        let width = min(TerminalText(text).width, sideColumns / 2 + 4)
        return name.fitted(to: sideColumns - width - 1) + " " + text.fitted(to: width)
    }
}

extension [String] {
    /// Exactly as many lines: cut or filled up.
    fileprivate func filled(to count: Int) -> [String] {
        prefix(count) + Array(repeating: "", count: Swift.max(count - self.count, 0))
    }
}
