internal import PopSource

/// What a name in an expression stands for.
enum Reference: Sendable {
    /// The node is no name, or the name is not known.
    case none
    /// A variable, by its index in the environment.
    case variable(Int)
    /// A variable of a macro, by its number in the evaluation.
    case local(Int)
    /// A type as a value, by its index in the checked tree's constants.
    case constant(Int)
    /// A function; `skipsTarget` when what looks like the receiver is a part of its name, as in `math.abs(x)`.
    case function(Callee, skipsTarget: Bool)
    /// A call of a slot function, by its index in the checked tree.
    case slotCall(Int)
}

/// A distinct call of a slot function.
struct SlotCallReference: Sendable {
    var function: String
    var arguments: [Value]
    var mayBeMissing: Bool
}

/// What checking finds out about a node.
struct CheckedNode: Sendable {
    var type = TypeID.error
    var reference = Reference.none
}

/// A syntax tree whose names are resolved and whose types are deduced: what is found out about it.
struct CheckedTree: Sendable {
    /// By the nodes of the tree.
    var nodes: [CheckedNode] = []
    var typeTable = TypeTable()
    /// How many variables of macros are alive at once, at most.
    var localCount = 0
    var constants: [Value] = []
    var slotCalls: [SlotCallReference] = []
    /// Messages for nodes that cannot be evaluated, because they name what does not exist.
    var failures: [NodeID: String] = [:]

    func type(_ node: NodeID) -> TypeID { typeTable.resolved(nodes[node].type) }

    /// The type of a node in the words of the author.
    func describe(_ node: NodeID) -> String { typeTable.publicType(nodes[node].type).description }
}

/// An expression that has been checked, and what it was checked against: shared by all that is made of it.
final class CheckedExpression: Sendable {
    let expression: Expression
    let tree: SyntaxTree
    let environment: Environment
    let checked: CheckedTree

    init(
        _ expression: Expression, _ tree: SyntaxTree, _ checked: CheckedTree,
        in environment: Environment
    ) {
        self.expression = expression
        self.tree = tree
        self.checked = checked
        self.environment = environment
    }

    /// The type of a node, as it is declared.
    func publicType(_ node: NodeID) -> CELType {
        let type = checked.nodes[node].type
        return CELType(builtIn: type) ?? checked.typeTable.publicType(type)
    }
}
