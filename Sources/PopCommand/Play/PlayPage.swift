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

/// The content of a terminal, so that only differences are written.
struct TerminalFrame {
    /// Goes to the other screen of the terminal, hides the cursor and keeps long lines from
    /// wrapping (xterm's control sequences 1049, 25 and 7).
    static let enter: TerminalLines = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[2J"
    /// Undoes `enter`.
    static let leave: TerminalLines = "\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"

    private var lines: [String] = []
    private var cursorColumn: Int?

    /// Forgets the content, because the size has changed.
    mutating func reset() { self = TerminalFrame() }

    /// Returns the output that changes the terminal from the current content to these lines, with
    /// the cursor on the last one.
    mutating func update(to new: [String], cursorColumn column: Int?) -> TerminalLines {
        guard new != lines || column != cursorColumn else { return "" }
        var text: TerminalLines =
            lines.count == new.count ? "\u{1B}[?25l" : "\u{1B}[?25l\u{1B}[2J"
        for (row, line) in new.enumerated() where lines.count != new.count || lines[row] != line {
            text += "\u{1B}[\(row + 1);1H\u{1B}[2K\(.styled(line))"
        }
        if let column { text += "\u{1B}[\(new.count);\(column)H\u{1B}[?25h" }
        lines = new
        cursorColumn = column
        return text
    }
}

extension String {
    /// Exactly as many columns of a terminal: cut or filled up, with nothing in it that a terminal
    /// would obey.
    func fitted(to columns: Int) -> String {
        var text = ""
        var width = 0
        for character in self {
            let shown = TerminalText(String(character))
            guard width + shown.width <= columns else { break }
            text += shown.text
            width += shown.width
        }
        return text + String(repeating: " ", count: max(columns - width, 0))
    }

    /// Returns as much of the end as fits into a number of columns.
    func visibleEnd(of columns: Int) -> String {
        var width = 0
        var count = 0
        for character in reversed() {
            width += TerminalText(String(character)).width
            guard width <= columns else { break }
            count += 1
        }
        return String(suffix(count))
    }
}
