public import PopSource

/// Why an expression has no value: in the words of diagnostics, with the place of the part that
/// failed.
public struct EvaluationError: Error, Sendable, Hashable {
    public var message: String
    /// Nil when the error came in with a slot.
    public var range: SourceRange?

    public init(_ message: String, at range: SourceRange? = nil) {
        self.message = message
        self.range = range
    }
}

/// What a condition evaluates to.
public enum Truth: Sendable, Hashable {
    case yes
    case no
    case error(EvaluationError)
}
