extension SyntaxTree {
    /// Returns the value of a literal, or of `duration("…")` and `timestamp("…")` with a literal,
    /// and in rules of `version("…")`.
    package func constant(_ node: NodeID, knowsDays: Bool) -> Value? {
        if let value = literal(node) { return value }
        guard kind(of: node) == .call, childCount(node) == 1,
            case .string(let text)? = literal(child(node, at: 0))
        else { return nil }
        switch name(node) {
        case "duration": return DurationText.parse(text, knowsDays: knowsDays).map(Value.duration)
        case "version" where knowsDays: return Version(text).map(Value.version)
        case "timestamp": return Timestamp(parsing: text).map(Value.timestamp)
        default: return nil
        }
    }
}
