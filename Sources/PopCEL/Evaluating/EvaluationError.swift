public import PopSource

/// Why an expression has no value: in the words of diagnostics, with the place of the part that
/// failed.
public struct EvaluationError: Error, Sendable, Hashable {
    /// What went wrong, such as "division by zero", without a place.
    public var message: String
    /// Nil when the error came in with a slot.
    public var range: SourceRange?

    /// An error, of a part of an expression when a range is given.
    public init(_ message: String, at range: SourceRange? = nil) {
        self.message = message
        self.range = range
    }
}

/// What a condition evaluates to.
public enum Truth: Sendable, Hashable {
    /// It is true.
    case yes
    /// It is false.
    case no
    /// It has no value; a scheduler takes it for not met and reports it.
    case error(EvaluationError)
}
