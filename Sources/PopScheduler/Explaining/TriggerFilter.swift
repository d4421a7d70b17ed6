public import PopCEL

/// The reason why the last event that fired a trigger of a popup made no task.
public struct TriggerFilter: Sendable, Hashable {
    /// The part of the trigger that the event didn't satisfy.
    public enum Cause: Sendable, Hashable {
        /// The `where` was false.
        case whereFalse
        /// The `where` couldn't be evaluated, which counts as not met.
        case whereError(EvaluationError)
        /// The `where`, if there is one, was met; the event had this number, from 1, and `nth` or
        /// `every` requires another number.
        case occurrence(Int)
    }

    /// The name of the event.
    public let event: String
    /// The date at which it was sent.
    public let date: Timestamp
    /// The cause. If the popup has several triggers on the event, the cause of the first trigger
    /// that counts, or else of the first trigger.
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
