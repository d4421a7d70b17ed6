internal import PopSource

/// How texts are emphasised: not at all, or with the terminal's colours.
public enum TextStyle: Sendable {
    /// As it is, for files and pipes.
    case plain
    /// With the sequences of ECMA-48 that terminals take for colours.
    case colour

    func paint(_ text: String, as level: Level) -> String {
        switch level {
        case .error: sequence("1;31", text: text)
        case .warning: sequence("1;33", text: text)
        case .info, .off: sequence("1;36", text: text)
        }
    }

    func secondary(_ text: String) -> String { sequence("1;34", text: text) }

    /// What frames the text.
    public func dim(_ text: String) -> String { sequence("34", text: text) }

    /// What matters.
    public func bold(_ text: String) -> String { sequence("1", text: text) }

    /// What succeeded.
    public func good(_ text: String) -> String { sequence("32", text: text) }

    /// What failed.
    public func bad(_ text: String) -> String { sequence("1;31", text: text) }

    /// Select Graphic Rendition (ECMA-48).
    private func sequence(_ code: String, text: String) -> String {
        self == .colour ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
