internal import PopReports
import PopSource

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
