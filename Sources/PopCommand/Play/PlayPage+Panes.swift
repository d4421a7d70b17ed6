internal import PopReports
import PopSource
import PopStories

// MARK: The screen

extension PlayPage {
    private static let leastBoxRows = 3

    /// Rows that all areas would like to have.
    var neededRows: Int {
        state.areas.reduce(0) { rows, area in
            rows + (area.shown.map { 2 + max($0.content.count, 1) } ?? 1)
        }
    }

    /// Returns each scheduler's area: a box around the popup that shows, or a line if no popup
    /// shows.
    func areas(rows: Int, columns: Int) -> [String] {
        var lines: [String] = []
        for (index, area) in state.areas.enumerated() {
            let left = rows - lines.count
            let isLast = index == state.areas.count - 1
            let needs = area.shown == nil ? 1 : Self.leastBoxRows
            guard left >= needs + (isLast ? 0 : 1) else {
                lines.append(title("and \(state.areas.count - index) more", columns: columns))
                break
            }
            let name = "\(index + 1) \(area.scheduler)"
            guard let shown = area.shown else {
                lines.append(title("\(name): nothing", columns: columns))
                continue
            }
            let others = state.areas.dropFirst(index + 1)
            let reserved = others.reduce(0) { $0 + ($1.shown == nil ? 1 : Self.leastBoxRows) }
            let most = max(left - min(reserved, left - needs), needs)
            lines += box(shown, name: name, most: most, columns: columns)
        }
        return lines.filled(to: rows).map { $0.isEmpty ? $0.fitted(to: columns) : $0 }
    }

    private func box(
        _ shown: PlayState.Shown, name: String, most: Int, columns: Int
    ) -> [String] {
        let inside = columns - 4
        var head = "\(name): \(shown.popup)"
        if let template = shown.template { head += " (\(template))" }
        head = "┌ \(shortName(head, columns: columns - 6)) "
        let bar = String(repeating: "─", count: max(columns - 1 - TerminalText(head).width, 0))
        let content = shown.content.isEmpty ? ["(no content)"] : shown.content
        var text = content.flatMap { pageLines(escapedForTerminal($0), to: inside) }
        if text.count > most - 2 {
            let kept = max(most - 3, 0)
            text = text.prefix(kept) + ["… \(text.count - kept) more lines"]
        }
        return [style.bold((head + bar).fitted(to: columns - 1) + "┐")]
            + text.map { "│ \($0.fitted(to: inside)) │" }
            + ["└" + String(repeating: "─", count: columns - 2) + "┘"]
    }
}

// MARK: The lists

extension PlayPage {
    /// Returns a list below its title, from the scroll position on.
    func pane(_ pane: PlayState.Pane, rows: Int, columns: Int) -> [String] {
        guard rows > 0 else { return [] }
        let top = state.top(of: pane)
        var lines: [String]
        switch pane {
        case .popups: lines = list(popupEntries, rows: rows - 1, columns: columns)
        case .context: lines = list(keyEntries, rows: rows - 1, columns: columns)
        case .log: lines = latest(rows: rows - 1, columns: columns)
        }
        lines = lines.filled(to: rows - 1).map { $0.fitted(to: columns) }
        let isFocused = state.pane == pane
        var text = pane.title
        if top > 0 { text += pane == .log ? ", \(top) later below" : ", \(top) above" }
        if isFocused, !isWide || state.columns > 0 { text = "[\(text)]" }
        return [title(text, columns: columns, isFocused: isFocused)] + lines
    }

    private typealias Entry = (name: String, text: String)

    private var popupEntries: [Entry] {
        state.inSight.map { listed in
            let place = listed.place.map { "\($0)" } ?? "–"
            let lane = listed.scheduler.map { ", on \($0)" } ?? ""
            return ("\(place) \(listed.popup)", (state.reasons[listed.popup] ?? "") + lane)
        }
    }

    private var keyEntries: [Entry] {
        state.context.dropFirst(state.top(of: .context)).prefix(state.rows).map { key in
            ("\(key.isChanged ? "*" : " ") \(key.name)", key.value)
        }
    }

    /// Returns names in a column, with their descriptions next to them or, if that is too narrow,
    /// in lines below.
    private func list(_ entries: [Entry], rows: Int, columns: Int) -> [String] {
        let longest = entries.map { TerminalText($0.name).width }.max() ?? 0
        let width = min(longest, columns * 2 / 5)
        var lines: [String] = []
        for (index, entry) in entries.enumerated() {
            let texts = pageLines(escapedForTerminal(entry.text), to: columns - width - 2)
            let name = shortName(entry.name, columns: width).fitted(to: width)
            let blank = String(repeating: " ", count: width)
            let rest = entries.count - index - 1
            let block = texts.enumerated().map { ($0 == 0 ? name : blank) + "  " + $1 }
            if lines.count + block.count > rows - (rest > 0 ? 1 : 0) {
                lines += block.prefix(max(rows - lines.count - 1, 0))
                return lines.prefix(max(rows - 1, 0)) + ["… more below: [tab] and arrows"]
            }
            lines += block
        }
        return lines.isEmpty && rows > 0 ? ["none"] : lines
    }

    /// The latest lines that fit, the last of them at the bottom.
    private func latest(rows: Int, columns: Int) -> [String] {
        var lines: [String] = []
        for text in state.log.dropLast(state.top(of: .log)).reversed() where lines.count < rows {
            let wrapped = pageLines(escapedForTerminal(text), to: columns - 2)
            lines = wrapped.enumerated().map { ($0 == 0 ? "" : "  ") + $1 } + lines
        }
        return Array(lines.suffix(max(rows, 0)))
    }
}

extension PlayState.Pane {
    fileprivate var title: String {
        switch self {
        case .popups: "popups not on the screen"
        case .context: "context (* changed)"
        case .log: "log"
        }
    }
}
