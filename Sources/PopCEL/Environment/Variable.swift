public import PopSource

/// A name that expressions may read, declared to the environment.
public struct Variable: Sendable {
    /// The name as it is written in expressions: `user.plan`, `newcomer`, `event.total`.
    public var name: String
    /// The identity of its slot: variables of the same identity share a slot.
    public var identity: String
    /// The type that expressions are checked with.
    public var type: CELType
    /// True if it may have no value, so that expressions should check `has()` first.
    public var mayBeMissing: Bool
    /// The values that it can have, if they are listed.
    public var allowedValues: [Value]?
    /// The smallest value that it can have; nil if none is declared.
    public var minimum: Value?
    /// The largest value that it can have; nil if none is declared.
    public var maximum: Value?
    /// The expression of a named condition.
    package var definition: Expression?
    /// A description of when it has a value, if its declaration doesn't define that: "once `tour`
    /// has been shown".
    package var presence: String?
    /// The place where its author declared it, for diagnostics.
    public var declaredAt: SourceRange?

    /// Creates a variable. The identity is the name unless another one is given.
    public init(
        _ name: String, identity: String? = nil, type: CELType, mayBeMissing: Bool = false,
        allowedValues: [Value]? = nil, minimum: Value? = nil, maximum: Value? = nil,
        declaredAt: SourceRange? = nil
    ) {
        self.name = name
        self.identity = identity ?? name
        self.type = type
        self.mayBeMissing = mayBeMissing
        self.allowedValues = allowedValues
        self.minimum = minimum
        self.maximum = maximum
        self.declaredAt = declaredAt
    }
}

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
