internal import PopSource

/// A function that the host declares.
public struct HostFunction: Sendable {
    /// Returns the result of a call for its arguments, the receiver first.
    public typealias Implementation =
        @Sendable (_ arguments: [Value]) throws(EvaluationError) -> Value

    /// An identifier, or identifiers joined by dots; for a method only the last part.
    public var name: String
    /// The parameter types; for a method the receiver comes first.
    public var parameters: [CELType]
    /// The result type of a call, which the surrounding expression is checked with.
    public var result: CELType
    /// True if it is called as `receiver.name(…)`.
    public var isMethod: Bool
    /// Nil for a function that can be checked but not evaluated.
    public var implementation: Implementation?

    /// Declares a function of the host. Several functions may share a name if their parameters
    /// differ.
    public init(
        _ name: String, parameters: [CELType], result: CELType, isMethod: Bool = false,
        implementation: Implementation? = nil
    ) {
        self.name = name
        self.parameters = parameters
        self.result = result
        self.isMethod = isMethod
        self.implementation = implementation
    }
}

/// A function for which each call with constant arguments has a slot.
package struct SlotFunction: Sendable {
    var name: String
    package var overload: Overload
    /// Returns the result type of a call with these constants, if it depends on them; nil if it
    /// isn't known.
    package var resultOf: (@Sendable ([Value]) -> CELType?)?
    var mayBeMissing: Bool
    var check: @Sendable (Environment.SlotCall) -> [Diagnostic]
}
