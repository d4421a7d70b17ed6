internal import PopReports
internal import PopSource

/// Rows of cells whose columns line up; the last column is broken at blanks to stay in the page.
package struct TextTable {
    private var rows: [[String]] = []
    private let indent: Int
    private let wraps: Bool

    /// Columns between two cells.
    private static let gap = 2
    /// The minimum number of columns for the last cell, however long the other cells are.
    private static let least = 24

    /// The lines begin after `indent` blanks. Without `wraps` the last column is never broken,
    /// however long it is: blanks may matter in it.
    package init(indent: Int = 0, wraps: Bool = true) {
        self.indent = indent
        self.wraps = wraps
    }

    package mutating func add(_ cells: String...) { rows.append(cells) }

    /// The rows as lines, safe for a terminal and without blanks at their ends.
    package var lines: [String] {
        let cells = rows.map { $0.map { TerminalText($0) } }
        let columns = cells.map(\.count).max() ?? 0
        let widths = (0..<columns).map { column in
            cells.map { $0.indices.contains(column) ? $0[column].width : 0 }.max() ?? 0
        }
        let start = indent + widths.dropLast().reduce(0) { $0 + $1 + Self.gap }
        return cells.flatMap { row -> [String] in
            var line = String(repeating: " ", count: indent)
            for (cell, width) in zip(row.dropLast(), widths) {
                line += cell.text
                line += String(repeating: " ", count: width - cell.width + Self.gap)
            }
            let text = row.last?.text ?? ""
            let last = wraps ? wrapped(text, to: max(pageWidth - start, Self.least)) : [text]
            let more = last.dropFirst().map { String(repeating: " ", count: start) + $0 }
            return [trimmed(line + last[0])] + more
        }
    }
}

/// Returns a line without the blanks at its end.
func trimmed(_ text: String) -> String {
    var text = text
    while text.last == " " { text.removeLast() }
    return text
}

/// Returns a string that is safe for a terminal as lines that are never wider than `width`: broken
/// at blanks, and within words that are wider than a line. Returns at least one line.
package func pageLines(_ text: String, to width: Int) -> [String] {
    let width = max(width, 1)
    return wrapped(text, to: width).flatMap { cut($0, to: width) }
}

private func cut(_ line: String, to width: Int) -> [String] {
    guard TerminalText(line).width > width else { return [line] }
    var lines: [String] = []
    var rest = ""
    var columns = 0
    for character in line {
        let more = TerminalText(String(character)).width
        if columns + more > width, !rest.isEmpty {
            lines.append(rest)
            rest = ""
            columns = 0
        }
        rest.append(character)
        columns += more
    }
    return lines + [rest]
}
