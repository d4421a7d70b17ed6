internal import PopFleet
internal import PopReports
internal import PopScheduler

extension BacktestReport {
    /// The report as text, safe for a terminal.
    public var text: String {
        var lines = [summary] + remarks
        lines += [""] + table([popupTable.head] + popupTable.rows)
        lines += ["", fatigue]
        for section in sections {
            let head = section.needsHead ? [section.head] : []
            lines += ["", section.title.lowercased()]
            lines += (table(head + section.rows) + section.rest).map { "  " + $0 }
        }
        return lines.map { escapedForTerminal($0) + "\n" }.joined()
    }

    /// Returns cells aligned in columns; numbers are right-aligned.
    private func table(_ rows: [[String]]) -> [String] {
        let cells = rows.map { $0.map { TerminalText($0) } }
        let columns = cells.map { $0.count }.max() ?? 0
        let widths = (0..<columns).map { column in
            cells.map { column < $0.count ? $0[column].width : 0 }.max() ?? 0
        }
        return cells.map { row in
            let padded = row.enumerated().map { column, cell in
                let blanks = String(repeating: " ", count: widths[column] - cell.width)
                if column > 0, cell.text.first?.isNumber == true, !cell.text.contains("(") {
                    return blanks + cell.text
                }
                return column == row.count - 1 ? cell.text : cell.text + blanks
            }
            return padded.joined(separator: "  ")
        }
    }
}
