package import PopSource

/// What is said about a mistake beyond what is wrong: what was probably meant, how that is written,
/// and what is likely to fail.
///
/// Its words stand in the target PopAdvice, as `Advice.full`, so that a program whose expressions
/// have no author beside them carries none. A class: environments are copied, and count one
/// reference for all of it.
public final class Advice: Sendable {
    /// All that is wrong with a text that cannot be read.
    package let unread: @Sendable (UnreadSource) -> Diagnostics
    /// Reports a call or an operation that is written as in other languages, and answers the type
    /// to go on with; nil where it is none.
    package let foreign: @Sendable (inout Checker, NodeID) -> TypeID?
    /// Adds to what is reported about a mistake.
    package let mistake: @Sendable (borrowing Checker, Mistake, inout Diagnostic) -> Void
    /// All findings on an expression in which some are errors.
    package let broken: @Sendable (consuming CheckedExpression, Diagnostics) -> Diagnostics
    /// All findings on an expression without errors, with the constant parts of it that fail.
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

/// A text that cannot be read.
package struct UnreadSource {
    /// What reading it first stumbled over.
    package let error: SyntaxError
    package let bytes: [UInt8]
    package let map: TextMap
    package let limits: CELLimits
    /// What can be named, when that is known.
    package let environment: Environment?
    package let expected: CELType?
}

/// A mistake of which there may be advice on what was meant.
package enum Mistake {
    /// A name that is not declared.
    case unknownName(String, at: NodeID)
    /// The name of a function that there is none of.
    case unknownFunction(String, isMember: Bool, at: NodeID)
    /// A field of a value that has none such.
    case unknownField(String, at: NodeID)
    /// An operand of the operation is neither true nor false.
    case notBool(operand: NodeID, of: NodeID)
    /// The operands of the operation do not go together.
    case mismatch(at: NodeID)
    /// What is left of `in` is never in what is right of it.
    case neverInside(at: NodeID)
    /// What is right of `in` holds nothing.
    case notAContainer(at: NodeID)
    /// An argument that the function does not take, or a value that it is not called on; the texts
    /// are the types that it takes.
    case wrongArgument(NodeID, of: NodeID, expected: [String])
    /// A call with too many arguments, or too few.
    case wrongCount(of: NodeID)
    /// A function called as a method, or the other way round, with that many arguments.
    case wrongCallStyle(at: NodeID, isMember: Bool, count: Int)
    /// An argument of a slot function that is not constant.
    case notConstant(NodeID)
}
