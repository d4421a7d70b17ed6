public import PopSource

/// The reason why an expression has no value: a message as in diagnostics, with the place of the
/// part that failed.
public struct EvaluationError: Error, Sendable, Hashable {
    /// A message such as "division by zero", without a place.
    public var message: String
    /// Nil if the error was the content of a slot.
    public var range: SourceRange?

    /// Creates an error, for a part of an expression if a range is given.
    public init(_ message: String, at range: SourceRange? = nil) {
        self.message = message
        self.range = range
    }
}

/// The result of a condition.
public enum Truth: Sendable, Hashable {
    /// It is true.
    case yes
    /// It is false.
    case no
    /// It has no value; a scheduler treats it as not met and reports it.
    case error(EvaluationError)
}
