internal import PopSource

/// The emphasis of texts: none, or the terminal's colors.
public enum TextStyle: Sendable {
    /// Without sequences, for files and pipes.
    case plain
    /// With the sequences of ECMA-48 that terminals interpret as colors.
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

    /// All color sequences of the program: any other ESC comes from a value.
    static let sequences = Code.allCases.map(\.sequence)

    func paint(_ text: String, as level: Level) -> String {
        switch level {
        case .error: painted(text, .boldRed)
        case .warning: painted(text, .boldYellow)
        case .info, .off: painted(text, .boldCyan)
        }
    }

    func secondary(_ text: String) -> String { painted(text, .boldBlue) }

    /// Returns text in the style of frames around the content.
    public func dim(_ text: String) -> String { painted(text, .blue) }

    /// Returns text in the style of important parts.
    public func bold(_ text: String) -> String { painted(text, .bold) }

    /// Returns text in the style of success.
    public func good(_ text: String) -> String { painted(text, .green) }

    /// Returns text in the style of failure.
    public func bad(_ text: String) -> String { painted(text, .boldRed) }

    private func painted(_ text: String, _ code: Code) -> String {
        self == .colour ? code.sequence + text + Code.reset.sequence : text
    }
}
