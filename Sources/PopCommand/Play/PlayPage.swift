internal import PopReports
internal import PopScheduler
import PopSource
import PopStories

/// Draws a state as the lines of a terminal, each exactly as wide as the terminal.
struct PlayPage {
    static let leastColumns = 40
    static let leastRows = 12
    /// The width from which the lists are next to the screen; below it, they are under the screen.
    private static let wideColumns = 110

    let state: PlayState
    let style: TextStyle

    init(_ state: PlayState, style: TextStyle = .plain) {
        self.state = state
        self.style = style
    }

    /// As many lines as the terminal has.
    var lines: [String] {
        guard state.columns >= Self.leastColumns, state.rows >= Self.leastRows else {
            return tooSmall
        }
        let rows = state.rows - 3
        let body =
            if let text = state.reading { reading(text, rows: rows) } else {
                isWide ? wide(rows: rows) : narrow(rows: rows)
            }
        return [style.bold(header.fitted(to: state.columns))] + body + [
            message, bottom.fitted(to: state.columns),
        ]
    }

    var isWide: Bool { state.columns >= Self.wideColumns }

    /// The column of the cursor while a command is typed, from 1.
    var cursorColumn: Int? {
        guard case .typing(let text) = state.line else { return nil }
        let end = TerminalText("> " + text.visibleEnd(of: max(state.columns - 3, 0))).width
        return max(min(end + 1, state.columns), 1)
    }

    private var tooSmall: [String] {
        let text = "play needs \(Self.leastColumns)x\(Self.leastRows)"
        return [text].filled(to: max(state.rows, 0)).map { $0.fitted(to: max(state.columns, 0)) }
    }

    private var header: String {
        var parts = [isWide ? state.title : nil, "\(state.date)"].compactMap { $0 }
        if state.skipped > .zero { parts.append("skipped \(timeText(state.skipped))") }
        let suspended = state.areas.map(\.scheduler).filter(state.suspended.contains)
        if !suspended.isEmpty {
            let isAll = suspended.count == state.areas.count
            parts.append((["SUSPENDED"] + (isAll ? [] : suspended)).joined(separator: " "))
        }
        if !isWide { parts.append(state.title) }
        return parts.joined(separator: "   ")
    }

    private var message: String {
        guard let error = state.rulesError else { return state.message.fitted(to: state.columns) }
        return style.bad("rules have errors: \(error)".fitted(to: state.columns))
    }

    /// The longest list of keys that fits.
    private var bottom: String {
        if case .typing(let text) = state.line {
            return "> " + text.visibleEnd(of: max(state.columns - 3, 0))
        }
        if state.reading != nil { return "[arrows] scroll   [q] back" }
        let texts = [
            "[:]command [c]lose [s]uspend clock +[t]10s +[m]1m +[h]1h +[d]1d [tab]list [w]hy"
                + " [?]help [q]uit",
            "[:]cmd [c]lose [s]uspend +[t]10s +[m]1m +[h]1h +[d]1d [tab] [?]help [q]uit",
            "[:]cmd [c]lose +[t]10s [h]1h [tab] [?]help [q]uit",
        ]
        return texts.first { $0.count <= state.columns } ?? "[:] [c] [tab] [?]help [q]uit"
    }

    func title(_ text: String, columns: Int, isFocused: Bool = false) -> String {
        let shown = TerminalText(text)
        let head = "── \(shown.text) "
        let rest = max(columns - shown.width - 4, 0)
        let line = (head + String(repeating: "─", count: rest)).fitted(to: columns)
        return isFocused ? style.bold(line) : style.dim(line)
    }
}

// MARK: Layout

extension PlayPage {
    /// The screen and what happened at the left, the lists at the right.
    private func wide(rows: Int) -> [String] {
        let side = min(max(44, state.columns / 2), 90)
        let stage = state.columns - side - 3
        let logRows = max(rows / 4, 4)
        let left =
            areas(rows: rows - logRows, columns: stage)
            + pane(.log, rows: logRows, columns: stage)
        let popupRows = rows * 3 / 5
        let right =
            pane(.popups, rows: popupRows, columns: side)
            + pane(.context, rows: rows - popupRows, columns: side)
        return zip(left, right).map { "\($0) │ \($1)" }
    }

    /// The screen above, one list below it, and the last of what happened.
    private func narrow(rows: Int) -> [String] {
        let columns = state.columns
        let logRows = state.pane == .log ? 0 : rows < 14 ? 2 : 4
        let most = (rows - logRows) * (rows < 14 ? 2 : 3) / 5
        let areaRows = max(min(neededRows, most), 1)
        var lines = areas(rows: areaRows, columns: columns)
        lines += pane(state.pane, rows: rows - areaRows - logRows, columns: columns)
        if logRows > 0 { lines += pane(.log, rows: logRows, columns: columns) }
        return lines
    }

    /// Returns the number of rows for the displayed text, without its frame.
    static func readingRows(_ rows: Int) -> Int { max(rows - 4, 1) }

    private func reading(_ text: PlayState.Reading, rows: Int) -> [String] {
        let lines = text.lines(columns: state.columns)
        let shown = lines.dropFirst(text.top).prefix(rows - 1)
        let below = lines.count - text.top - shown.count
        let rest = below > 0 ? "… \(below) more lines below" : ""
        return Array(shown).filled(to: rows - 1).map { $0.fitted(to: state.columns) }
            + [style.dim(rest.fitted(to: state.columns))]
    }
}

extension [String] {
    /// Exactly as many lines: cut or filled up.
    func filled(to count: Int) -> [String] {
        prefix(Swift.max(count, 0)) + Array(repeating: "", count: Swift.max(count - self.count, 0))
    }
}
