internal import PopSource

/// A function that the host declares.
public struct HostFunction: Sendable {
    /// What a call gives for its arguments, the receiver first.
    public typealias Implementation =
        @Sendable (_ arguments: [Value]) throws(EvaluationError) -> Value

    /// An identifier, or identifiers joined by dots; of a method the last part alone.
    public var name: String
    /// Of a method the receiver comes first.
    public var parameters: [CELType]
    /// What a call gives, by which the expression around it is checked.
    public var result: CELType
    /// Called as `receiver.name(…)`.
    public var isMethod: Bool
    /// Nil for a function that can be checked but not evaluated.
    public var implementation: Implementation?

    /// Declares a function of the host. Several may share a name when their parameters differ.
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

/// A function whose calls, with constant arguments, each have a slot.
package struct SlotFunction: Sendable {
    var name: String
    package var overload: Overload
    /// What a call with these constants gives, where that hangs on them; nil where nothing is
    /// known.
    package var resultOf: (@Sendable ([Value]) -> CELType?)?
    var mayBeMissing: Bool
    var check: @Sendable (Environment.SlotCall) -> [Diagnostic]
}
