internal import PopReports

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
