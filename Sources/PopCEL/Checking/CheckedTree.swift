internal import PopSource

/// The declaration that a name in an expression refers to.
package enum Reference: Sendable {
    /// The node isn't a name, or the name is unknown.
    case none
    /// A variable, by its index in the environment.
    case variable(Int)
    /// A variable of a macro, by its number in the evaluation.
    case local(Int)
    /// A type as a value, by its index in the checked tree's constants.
    case constant(Int)
    /// A function; `skipsTarget` if the apparent receiver is a part of its name, as in
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

/// The result of checking a node.
package struct CheckedNode: Sendable {
    var type = TypeID.error
    package var reference = Reference.none
}

/// The results of checking a syntax tree: its resolved names and its deduced types.
package struct CheckedTree: Sendable {
    /// The results by node of the tree.
    package var nodes: ParallelArray<NodeID, CheckedNode> = []
    package var typeTable: TypeTable
    /// The maximum number of macro variables that are in scope at the same time.
    var localCount = 0
    var constants: [Value] = []
    package var slotCalls: [SlotCallReference] = []
    /// Messages for nodes that can't be evaluated because they use undeclared names.
    package var failures: [NodeID: String] = [:]

    /// Creates the state before the check.
    init(nodeCount: Int, _ types: TypeTable) {
        typeTable = types.extended()
        nodes.reserveCapacity(nodeCount)
        // One by one: a repetition would look its type up at run time, which takes longer.
        for _ in 0..<nodeCount { nodes.append(CheckedNode()) }
    }

    package func type(_ node: NodeID) -> TypeID { typeTable.resolved(nodes[node].type) }
}

/// An expression, the environment that it is checked in and the results of the check. It is passed
/// from stage to stage.
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

    /// Returns the type of a node in the form of a declaration.
    package func publicType(_ node: NodeID) -> CELType {
        let type = checked.nodes[node].type
        return CELType(builtIn: type) ?? checked.typeTable.publicType(type)
    }
}
