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
    package var nodes: TypedArray<NodeID, CheckedNode> = []
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

// Tests that find the expressions that advice has to analyze. They are in this module, next to the
// nodes: most expressions need no advice, and another module would retain and release for every
// node it reads.
extension CheckedExpression {
    /// True if no advice applies to the expression: its names and constants are joined and compared
    /// in ordinary ways, and no part may fail or conflict. Linear.
    package var isOrdinary: Bool {
        tree.nodes.indices.allSatisfy { node in
            switch tree.nodes[node].kind {
            case .literal, .identifier, .select: true
            case .operation: isOrdinary(node)
            case .presence, .call, .memberCall, .list, .map, .message, .optionalEntry, .macro:
                false
            }
        } && !mayFail && !mayClash
    }

    /// Returns true if an operation joins conditions, or compares a name with a constant of its
    /// type that is an allowed value and can't be mistaken for something else.
    private func isOrdinary(_ node: NodeID) -> Bool {
        switch tree.nodes[node].operator {
        case .and, .or, .not: true
        case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual:
            isOrdinaryComparison(of: tree.child(node, at: 0), with: tree.child(node, at: 1))
        case .conditional, .in, .add, .subtract, .multiply, .divide, .modulo, .negate, .index,
            .optionalIndex:
            false
        }
    }

    private func isOrdinaryComparison(of name: NodeID, with constant: NodeID) -> Bool {
        guard case .variable(let index) = checked.nodes[name].reference,
            tree.nodes[constant].kind == .literal,
            checked.type(name) == checked.type(constant)
        else { return false }
        // Read in place: a copy would retain it.
        let place = Int(tree.nodes[constant].payload)
        // A string that starts with a sign may be an operator of another language, and a string of
        // digits is meant as a number.
        if case .string(let text) = tree.values[place], let first = text.utf8.first,
            !(UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first | 0x20)
        {
            return false
        }
        let allowed = environment.part(ofVariable: index) { $0.allowedValues }
        return allowed?.contains(tree.values[place]) ?? true
    }
}

extension CheckedExpression {
    /// True if some part may fail.
    package var mayFail: Bool {
        tree.nodes.indices.contains { tree.nodes[$0].kind != .literal && needsGuard($0) }
    }

    /// Returns true if evaluating the node itself may fail, unless the surrounding expression
    /// guards it.
    package func needsGuard(_ node: NodeID) -> Bool {
        if tree.nodes[node].kind == .operation {
            switch tree.nodes[node].operator {
            case .index: return !isOptional(tree.child(node, at: 0))
            case .divide, .modulo: return true
            case .and, .or, .conditional, .equal, .notEqual, .less, .lessOrEqual, .greater,
                .greaterOrEqual, .in, .add, .subtract, .multiply, .not, .negate, .optionalIndex:
                return false
            }
        }
        switch checked.nodes[node].reference {
        case .variable(let index): return environment.part(ofVariable: index) { $0.mayBeMissing }
        case .slotCall(let index): return checked.slotCalls[index].mayBeMissing
        case .none: break
        case .local, .constant, .function: return isReading(node)
        }
        return tree.nodes[node].kind == .select && !tree.nodes[node].flag
            && !isOptional(tree.child(node, at: 0))
    }

    /// Returns true if a string that isn't a literal is converted to a number or a time: the
    /// conversion may fail.
    package func isReading(_ node: NodeID) -> Bool {
        guard tree.nodes[node].kind == .call, tree.childCount(node) == 1,
            checked.type(tree.child(node, at: 0)) == .string,
            tree.literal(tree.child(node, at: 0)) == nil
        else { return false }
        return [.int, .uint, .double, .timestamp, .duration, .version].contains {
            isCall(node, code: $0)
        }
    }

    private func isOptional(_ node: NodeID) -> Bool {
        if case .optional = checked.typeTable[checked.type(node)] { return true }
        return false
    }

    package func isCall(_ node: NodeID, code: FunctionCode) -> Bool {
        guard case .function(.library(let called), _) = checked.nodes[node].reference else {
            return false
        }
        return called == code
    }
}

extension CheckedExpression {
    /// True if parts of the expression may conflict or always hold: a part is constant, or the
    /// expression reads a name twice, reads a named condition, or compares a name with a constant
    /// that its bounds may decide. This applies to few conditions, and a closer analysis would take
    /// longer than compiling them. Linear.
    package var mayClash: Bool {
        var seen: UInt64 = 0
        for node in tree.nodes.indices {
            switch checked.nodes[node].reference {
            case .variable(let index):
                let isNamed = environment.part(ofVariable: index) { $0.definition != nil }
                if isNamed { return true }
                // Two names that share a bit only cause an unneeded analysis.
                let bit = UInt64(1) << UInt64(index & 63)
                if seen & bit != 0 { return true }
                seen |= bit
            case .slotCall: return true
            case .none, .local, .constant, .function:
                if isConstantPart(node) { return true }
            }
        }
        return false
    }

    private func isConstantPart(_ node: NodeID) -> Bool {
        switch tree.nodes[node].kind {
        case .literal:
            if case .bool = tree.values[Int(tree.nodes[node].payload)] { return true }
            return false
        case .operation where tree.childCount(node) == 2:
            let (left, right) = (tree.child(node, at: 0), tree.child(node, at: 1))
            return mayBeDecided(left, by: right) || mayBeDecided(right, by: left)
        case .identifier, .select, .presence, .call, .memberCall, .operation, .list, .map, .message,
            .optionalEntry, .macro:
            return false
        }
    }

    /// Returns true if a node is a literal, or may be one that is written as a call, such as
    /// `version("2")`.
    private func isConstant(_ node: NodeID) -> Bool {
        let kind = tree.nodes[node].kind
        return kind == .literal
            || kind == .call && tree.childCount(node) == 1
                && tree.nodes[tree.child(node, at: 0)].kind == .literal
    }

    /// Returns true if a constant decides a comparison with a constant, or with a name that has
    /// bounds.
    private func mayBeDecided(_ node: NodeID, by constant: NodeID) -> Bool {
        let isLiteral = tree.nodes[constant].kind == .literal
        guard case .variable(let index) = checked.nodes[node].reference else {
            return isConstant(node) && isConstant(constant)
        }
        // Such as `duration("1h")`.
        guard isLiteral || tree.nodes[constant].kind == .call else { return false }
        let variable = environment.variable(at: index)
        guard let value = tree.literal(constant) else {
            return variable.minimum != nil || variable.maximum != nil
        }
        let isAbove = variable.minimum.map { $0.numericOrder(value) == .less } ?? true
        let isBelow = variable.maximum.map { value.numericOrder($0) == .less } ?? true
        return !isAbove || !isBelow
    }
}
