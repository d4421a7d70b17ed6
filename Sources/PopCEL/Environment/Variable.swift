public import PopSource

/// A name that expressions may read, declared to the environment.
public struct Variable: Sendable {
    /// As written in expressions: `user.plan`, `newcomer`, `event.total`.
    public var name: String
    /// What its slot is known by: variables of the same identity share a slot.
    public var identity: String
    /// What expressions are checked against.
    public var type: CELType
    /// Whether reading it may find nothing, so that expressions had better ask `has()` first.
    public var mayBeMissing: Bool
    /// The values that it can have, when they are listed.
    public var allowedValues: [Value]?
    /// The smallest and largest value that it can have.
    public var minimum: Value?
    /// The largest value that it can have; nil when none is declared.
    public var maximum: Value?
    /// Of a named condition: what it stands for.
    package var definition: Expression?
    /// When it has a value, where its declaration does not say so: "once `tour` has been shown".
    package var presence: String?
    /// Where its author declared it, for diagnostics.
    public var declaredAt: SourceRange?

    /// The identity is the name unless another is given.
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
