/// One overload of a function: its call style, its parameters and its result.
struct Signature: Sendable {
    var isMember: Bool
    var parameters: [CELType]
    var result: CELType

    /// Called as `name(parameters)`.
    static func function(_ parameters: CELType..., to result: CELType) -> Signature {
        Signature(isMember: false, parameters: parameters, result: result)
    }

    /// Called as `receiver.name(parameters)`.
    static func method(
        on receiver: CELType, _ parameters: CELType..., to result: CELType
    ) -> Signature {
        Signature(isMember: true, parameters: [receiver] + parameters, result: result)
    }
}

/// A signature as the checker compares it.
package struct Overload: Sendable {
    package var isMember: Bool
    package var parameters: [TypeID]
    package var result: TypeID
    /// True if it has type parameters.
    var isGeneric: Bool

    init(_ signature: Signature, in types: inout TypeTable) {
        isMember = signature.isMember
        var names: [String] = []
        parameters = signature.parameters.map { types.id(of: $0, parameters: &names) }
        result = types.id(of: signature.result, parameters: &names)
        isGeneric = !names.isEmpty
    }
}

/// The function that a called name refers to.
package enum Callee: Sendable {
    case library(FunctionCode)
    /// A function of the host, by its index in the environment.
    case host(Int)
}

/// A function with all its overloads.
package struct FunctionDeclaration: Sendable {
    var callee: Callee
    package var overloads: [Overload]
}
