internal import PopSource

/// How texts are emphasised: not at all, or with the terminal's colours.
public enum TextStyle: Sendable {
    case plain
    case colour

    func paint(_ text: String, as level: Level) -> String {
        switch level {
        case .error: sequence("1;31", text)
        case .warning: sequence("1;33", text)
        case .info, .off: sequence("1;36", text)
        }
    }

    func secondary(_ text: String) -> String { sequence("1;34", text) }

    public func dim(_ text: String) -> String { sequence("34", text) }

    public func bold(_ text: String) -> String { sequence("1", text) }

    public func good(_ text: String) -> String { sequence("32", text) }

    public func bad(_ text: String) -> String { sequence("1;31", text) }

    /// Select Graphic Rendition (ECMA-48).
    private func sequence(_ code: String, _ text: String) -> String {
        self == .colour ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
