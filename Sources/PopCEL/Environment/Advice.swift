package import PopSource

/// Additional help on mistakes: the probable meaning, the correct spelling, and parts that are
/// likely to fail.
///
/// Its messages are in the target PopAdvice, as `Advice.full`, so that a program in which nobody
/// writes expressions doesn't contain them. It is a class: environments are copied, and each copy
/// counts one reference for all of it.
public final class Advice: Sendable {
    /// Returns all findings about a text that can't be parsed.
    package let unread: @Sendable (UnreadSource) -> Diagnostics
    /// Reports a call or an operation that is written as in other languages, and returns the type
    /// to continue with; nil if it isn't one.
    package let foreign: @Sendable (inout Checker, NodeID) -> TypeID?
    /// Adds advice to a diagnostic about a mistake.
    package let mistake: @Sendable (borrowing Checker, Mistake, inout Diagnostic) -> Void
    /// Returns all findings about an expression that has errors.
    package let broken: @Sendable (consuming CheckedExpression, Diagnostics) -> Diagnostics
    /// Returns all findings about an expression without errors, given its constant parts that fail.
    package let sound:
        @Sendable (consuming CheckedExpression, Diagnostics, [ConstantFailure]) -> Diagnostics

    package init(
        unread: @escaping @Sendable (UnreadSource) -> Diagnostics,
        foreign: @escaping @Sendable (inout Checker, NodeID) -> TypeID?,
        mistake: @escaping @Sendable (borrowing Checker, Mistake, inout Diagnostic) -> Void,
        broken: @escaping @Sendable (consuming CheckedExpression, Diagnostics) -> Diagnostics,
        sound:
            @escaping @Sendable (consuming CheckedExpression, Diagnostics, [ConstantFailure]) ->
            Diagnostics
    ) {
        self.unread = unread
        self.foreign = foreign
        self.mistake = mistake
        self.broken = broken
        self.sound = sound
    }
}

/// A constant part of an expression that always fails.
package typealias ConstantFailure = (node: NodeID, message: String)

/// A text that can't be parsed.
package struct UnreadSource {
    /// The first syntax error.
    package let error: SyntaxError
    package let bytes: [UInt8]
    package let map: TextMap
    package let limits: CELLimits
    /// The declared names, if they are known.
    package let environment: Environment?
    package let expected: CELType?
}

/// A mistake for which advice on the intended meaning may exist.
package enum Mistake {
    /// A name that is not declared.
    case unknownName(String, at: NodeID)
    /// The name of a function that doesn't exist.
    case unknownFunction(String, isMember: Bool, at: NodeID)
    /// A field of a value that doesn't have this field.
    case unknownField(String, at: NodeID)
    /// An operand of the operation is neither true nor false.
    case notBool(operand: NodeID, of: NodeID)
    /// The operand types of the operation don't match.
    case mismatch(at: NodeID)
    /// The left operand of `in` is never in the right one.
    case neverInside(at: NodeID)
    /// The right operand of `in` isn't a container.
    case notAContainer(at: NodeID)
    /// An argument that the function doesn't accept, or a receiver that it can't be called on; the
    /// strings are the types that it accepts.
    case wrongArgument(NodeID, of: NodeID, expected: [String])
    /// A call with too many arguments, or too few.
    case wrongCount(of: NodeID)
    /// A function called as a method, or a method called as a function, with that many arguments.
    case wrongCallStyle(at: NodeID, isMember: Bool, count: Int)
    /// An argument of a slot function that is not constant.
    case notConstant(NodeID)
}
