internal import PopReports
internal import PopSource

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
