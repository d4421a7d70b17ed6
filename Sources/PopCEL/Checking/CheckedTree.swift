internal import PopSource

/// What a name in an expression stands for.
package enum Reference: Sendable {
    /// The node is no name, or the name is not known.
    case none
    /// A variable, by its index in the environment.
    case variable(Int)
    /// A variable of a macro, by its number in the evaluation.
    case local(Int)
    /// A type as a value, by its index in the checked tree's constants.
    case constant(Int)
    /// A function; `skipsTarget` when what looks like the receiver is a part of its name, as in
    /// `math.abs(x)`.
    case function(Callee, skipsTarget: Bool)
    /// A call of a slot function, by its index in the checked tree.
    case slotCall(Int)
}

/// A distinct call of a slot function.
package struct SlotCallReference: Sendable {
    package var function: String
    package var arguments: [Value]
    package var mayBeMissing: Bool
}

/// What checking finds out about a node.
package struct CheckedNode: Sendable {
    var type = TypeID.error
    package var reference = Reference.none
}

/// A syntax tree whose names are resolved and whose types are deduced: what is found out about it.
package struct CheckedTree: Sendable {
    /// By the nodes of the tree.
    package var nodes: ParallelArray<NodeID, CheckedNode> = []
    package var typeTable: TypeTable
    /// How many variables of macros are alive at once, at most.
    var localCount = 0
    var constants: [Value] = []
    package var slotCalls: [SlotCallReference] = []
    /// Messages for nodes that cannot be evaluated, because they name what does not exist.
    package var failures: [NodeID: String] = [:]

    /// Before the check.
    init(nodeCount: Int, _ types: TypeTable) {
        typeTable = types.extended()
        nodes.reserveCapacity(nodeCount)
        // One by one: a repetition would look its type up at run time, which takes longer.
        for _ in 0..<nodeCount { nodes.append(CheckedNode()) }
    }

    package func type(_ node: NodeID) -> TypeID { typeTable.resolved(nodes[node].type) }
}

/// An expression, what it is checked against and what is found out about it: handed on from stage
/// to stage.
package struct CheckedExpression: ~Copyable {
    package let expression: Expression
    package let tree: SyntaxTree
    package let environment: Environment
    package var checked: CheckedTree

    init(_ expression: Expression, tree: SyntaxTree, in environment: Environment) {
        self.expression = expression
        self.tree = tree
        self.environment = environment
        checked = CheckedTree(nodeCount: tree.nodes.count, environment.types)
    }

    /// The type of a node, as it is declared.
    package func publicType(_ node: NodeID) -> CELType {
        let type = checked.nodes[node].type
        return CELType(builtIn: type) ?? checked.typeTable.publicType(type)
    }
}
