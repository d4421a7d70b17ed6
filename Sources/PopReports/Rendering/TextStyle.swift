internal import PopSource

/// How texts are emphasised: not at all, or with the terminal's colours.
public enum TextStyle: Sendable {
    /// As it is, for files and pipes.
    case plain
    /// With the sequences of ECMA-48 that terminals take for colours.
    case colour

    /// Select Graphic Rendition (ECMA-48).
    private enum Code: String, CaseIterable {
        case reset = "0"
        case bold = "1"
        case green = "32"
        case blue = "34"
        case boldRed = "1;31"
        case boldYellow = "1;33"
        case boldBlue = "1;34"
        case boldCyan = "1;36"

        var sequence: String { "\u{1B}[\(rawValue)m" }
    }

    /// All that this makes of colours: what else begins with ESC comes from a value.
    static let sequences = Code.allCases.map(\.sequence)

    func paint(_ text: String, as level: Level) -> String {
        switch level {
        case .error: painted(text, .boldRed)
        case .warning: painted(text, .boldYellow)
        case .info, .off: painted(text, .boldCyan)
        }
    }

    func secondary(_ text: String) -> String { painted(text, .boldBlue) }

    /// What frames the text.
    public func dim(_ text: String) -> String { painted(text, .blue) }

    /// What matters.
    public func bold(_ text: String) -> String { painted(text, .bold) }

    /// What succeeded.
    public func good(_ text: String) -> String { painted(text, .green) }

    /// What failed.
    public func bad(_ text: String) -> String { painted(text, .boldRed) }

    private func painted(_ text: String, _ code: Code) -> String {
        self == .colour ? code.sequence + text + Code.reset.sequence : text
    }
}
