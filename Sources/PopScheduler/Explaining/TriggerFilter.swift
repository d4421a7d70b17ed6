public import PopCEL

/// Why the last event that fired a trigger of a popup was not let pass.
public struct TriggerFilter: Sendable, Hashable {
    /// What of the trigger the event did not meet.
    public enum Cause: Sendable, Hashable {
        /// The `where` came to false.
        case whereFalse
        /// The `where` could not be evaluated, which counts as not met.
        case whereError(EvaluationError)
        /// The `where`, if there is one, was met; the event was the one of this number, from 1, and
        /// `nth` or `every` asks for another.
        case occurrence(Int)
    }

    /// The name of the event.
    public let event: String
    /// When it was sent.
    public let date: Timestamp
    /// Of the popup's triggers on the event, when it has several: of the first that counts, else of
    /// the first.
    public let cause: Cause
}

extension TriggerFilter.Cause {
    var reason: ReasonCode {
        switch self {
        case .whereFalse, .whereError: .triggerFiltered
        case .occurrence: .triggerCounting
        }
    }
}
