internal import PopSource

extension Checker {
    mutating func checkOperation(_ node: NodeID) -> TypeID {
        guard let operation = tree.operation(node) else { return .error }
        switch operation {
        case .and, .or: return checkLogic(operation, at: node)
        case .conditional: return checkConditional(node)
        case .not: return checkNot(node)
        case .negate: return checkNegation(node)
        case .index, .optionalIndex:
            return checkIndex(node, isOptional: operation == .optionalIndex)
        case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .in, .add,
            .subtract, .multiply, .divide, .modulo:
            break
        }
        if operation == .subtract || operation == .divide, let type = foreign(node) {
            return type
        }
        let left = check(tree.child(node, at: 0))
        let right = check(tree.child(node, at: 1))
        switch operation {
        case .equal, .notEqual: return checkEquality(node, left: left, right: right)
        case .in: return checkMembership(node, left: left, right: right)
        case .and, .or, .conditional, .less, .lessOrEqual, .greater, .greaterOrEqual, .add,
            .subtract, .multiply, .divide, .modulo, .not, .negate, .index, .optionalIndex:
            return checkBinary(operation, at: node, left: left, right: right)
        }
    }

    private mutating func checkLogic(_ operation: Operator, at node: NodeID) -> TypeID {
        if operation == .or, let type = foreign(node) { return type }
        for child in tree.children(of: node) {
            let type = check(child)
            guard !subject.checked.typeTable.isAssignable(type, to: .bool) else { continue }
            reportNotBool(child, of: node, operation, type: type)
        }
        return .bool
    }

    private mutating func checkNot(_ node: NodeID) -> TypeID {
        let operand = tree.child(node, at: 0)
        let type = check(operand)
        if subject.checked.typeTable.isAssignable(type, to: .bool) { return .bool }
        reportNotBool(operand, of: node, .not, type: type)
        return isNegatedComparison(node) ? .error : .bool
    }

    /// Returns true for a node such as `!age` in `!age > 18`, where `!` only applies to the first
    /// operand.
    package func isNegatedComparison(_ node: NodeID) -> Bool {
        guard let parent = tree.parent(of: node), let operation = tree.operation(parent) else {
            return false
        }
        return (operation.isOrdering || operation == .equal || operation == .notEqual)
            && tree.child(parent, at: 0) == node
            && tree.nodes[parent].start == tree.nodes[node].start
    }

    private mutating func reportNotBool(
        _ operand: NodeID, of node: NodeID, _ operation: Operator, type: TypeID
    ) {
        report(
            .notBoolOperand(operation, type: phrase(type), at: tree.range(operand)),
            .notBool(operand: operand, of: node), unless: type)
    }

    private mutating func checkConditional(_ node: NodeID) -> TypeID {
        let condition = tree.child(node, at: 0)
        let type = check(condition)
        if !subject.checked.typeTable.isAssignable(type, to: .bool) {
            reportNotBool(condition, of: node, .conditional, type: type)
        }
        let first = check(tree.child(node, at: 1))
        let second = check(tree.child(node, at: 2))
        if first == second { return first }
        if let joined = subject.checked.typeTable.join(first, second) { return joined }
        report(
            .differentBranches(phrase(first), phrase(second), at: tree.range(node)),
            unless: first, second)
        return .error
    }

    private mutating func checkEquality(
        _ node: NodeID, left: TypeID, right: TypeID
    ) -> TypeID {
        if left != right,
            subject.checked.typeTable.join(left, right) == nil || isNullQuestion(node)
        {
            reportMismatch(node, left: left, right: right)
        }
        return .bool
    }

    private mutating func checkMembership(
        _ node: NodeID, left: TypeID, right: TypeID
    ) -> TypeID {
        let container = subject.checked.typeTable.resolved(right)
        switch subject.checked.typeTable[container] {
        case .list(let element), .map(let element, _):
            if !subject.checked.typeTable.isAssignable(left, to: element) {
                report(
                    .neverInside(
                        phrase(left), container: phrase(container), at: tree.range(node)),
                    .neverInside(at: node), unless: left, element)
            }
        case .variable: _ = subject.checked.typeTable.isAssignable(.dyn, to: container)
        case .optional, .type, .wrapper, .opaque, .parameter, .primitive:
            if !container.isDynamic {
                report(
                    .notAContainer(phrase(container), at: tree.range(tree.child(node, at: 1))),
                    .notAContainer(at: node), unless: container)
            }
        }
        return .bool
    }

    private mutating func checkBinary(
        _ operation: Operator, at node: NodeID, left: TypeID, right: TypeID
    ) -> TypeID {
        let overloads = StandardLibrary.shared.overloads(of: operation)
        // Most operands are of the same basic type.
        if left == right {
            for overload in overloads
            where overload.parameters[0] == left && overload.parameters[1] == left {
                return overload.result
            }
        }
        if let result = resolve(overloads, isMember: false, arguments: [left, right]) {
            return result
        }
        reportMismatch(node, left: left, right: right)
        return operation.isOrdering ? .bool : .error
    }

    private mutating func checkNegation(_ node: NodeID) -> TypeID {
        let operand = tree.child(node, at: 0)
        let type = check(operand)
        let overloads = StandardLibrary.shared.overloads(of: .negate)
        if let result = resolve(overloads, isMember: false, arguments: [type]) { return result }
        report(.notNegatable(phrase(type), at: tree.range(node)), unless: type)
        return .error
    }

    private mutating func reportMismatch(_ node: NodeID, left: TypeID, right: TypeID) {
        guard let operation = tree.operation(node) else { return }
        var diagnostic = Diagnostic.mismatch(
            operation, left: phrase(left), right: phrase(right), at: tree.range(node))
        for child in tree.children(of: node) {
            if let variable = declaration(child), let place = variable.declaredAt {
                let type = phrase(subject.checked.nodes[child].type)
                diagnostic.secondary.append(
                    .init("`\(variable.name)` is declared as \(type)", at: place))
            }
        }
        report(diagnostic, .mismatch(at: node), unless: left, right)
    }

    /// Returns true if a comparison tests a timestamp or a duration for null, which it never is.
    private func isNullQuestion(_ node: NodeID) -> Bool {
        guard environment.knowsDays else { return false }
        return tree.children(of: node).enumerated().contains { position, child in
            let type = subject.checked.type(tree.child(node, at: 1 - position))
            return tree.literal(child) == .null && (type == .timestamp || type == .duration)
        }
    }
}

extension Diagnostic {
    fileprivate static func mismatch(
        _ operation: Operator, left: String, right: String, at range: SourceRange
    ) -> Self {
        let message =
            switch operation {
            case .add: "cannot add \(left) and \(right)"
            case .subtract: "cannot subtract \(right) from \(left)"
            case .multiply: "cannot multiply \(left) by \(right)"
            case .divide: "cannot divide \(left) by \(right)"
            case .modulo: "cannot take the remainder of \(left) divided by \(right)"
            case .and, .or, .conditional, .equal, .notEqual, .less, .lessOrEqual, .greater,
                .greaterOrEqual, .in, .not, .negate, .index, .optionalIndex:
                "cannot compare \(left) with \(right)"
            }
        return Diagnostic(
            .conditionTypeMismatch, message: message, at: range,
            label: left == right
                ? "`\(operation.symbol)` does not work on \(left)"
                : "left of `\(operation.symbol)` is \(left), right is \(right)")
    }

    fileprivate static func notBoolOperand(
        _ operation: Operator, type: String, at range: SourceRange
    ) -> Self {
        let message =
            switch operation {
            case .not: "`!` needs true or false, not \(type)"
            case .conditional: "the condition before `?` must be true or false, not \(type)"
            case .and, .or, .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .in,
                .add, .subtract, .multiply, .divide, .modulo, .negate, .index, .optionalIndex:
                "both sides of `\(operation.symbol)` must be true or false, not \(type)"
            }
        return Diagnostic(
            .conditionTypeMismatch, message: message, at: range, label: "this is \(type)")
    }

    fileprivate static func differentBranches(
        _ first: String, _ second: String, at range: SourceRange
    ) -> Self {
        Diagnostic(
            .conditionTypeMismatch,
            message:
                "the two results of `? :` must have the same type, but are \(first) and"
                + " \(second)",
            at: range,
            label: "evaluates to \(first) or \(second)")
    }

    fileprivate static func neverInside(
        _ element: String, container: String, at range: SourceRange
    ) -> Self {
        Diagnostic(
            .conditionTypeMismatch, message: "\(container) cannot contain \(element)", at: range,
            label: "left of `in` is \(element), right is \(container)")
    }

    fileprivate static func notAContainer(_ type: String, at range: SourceRange) -> Self {
        Diagnostic(
            .conditionTypeMismatch,
            message: "the right side of `in` must be a list or a map, not \(type)",
            at: range, label: "this is \(type)")
    }

    fileprivate static func notNegatable(_ type: String, at range: SourceRange) -> Self {
        Diagnostic(
            .conditionTypeMismatch, message: "`-` needs an int or a double, not \(type)", at: range,
            label: "this is \(type)")
    }
}

extension Checker {
    /// Checks `target[index]`, or `target[?index]`.
    mutating func checkIndex(_ node: NodeID, isOptional: Bool) -> TypeID {
        if let type = foreign(node) { return type }
        let targetType = check(tree.child(node, at: 0))
        var target = subject.checked.typeTable.resolved(targetType)
        let indexNode = tree.child(node, at: 1)
        let index = check(indexNode)
        var givesOptional = isOptional
        if case .optional(let wrapped) = subject.checked.typeTable[target] {
            target = subject.checked.typeTable.resolved(wrapped)
            givesOptional = true
        }
        let result: TypeID
        switch subject.checked.typeTable[target] {
        case .list(let element):
            result = element
            checkIndexType(index, expected: .int, of: target, at: indexNode)
        case .map(let key, let value):
            result = value
            checkIndexType(index, expected: key, of: target, at: indexNode)
        case .variable:
            _ = subject.checked.typeTable.isAssignable(.dyn, to: target)
            result = .dyn
        case .optional, .type, .wrapper, .opaque, .parameter, .primitive:
            if !target.isDynamic {
                diagnostics.report(.notIndexable(phrase(target), at: tree.range(node)))
            }
            result = target.isDynamic ? target : .error
        }
        return givesOptional ? subject.checked.typeTable.add(.optional(result)) : result
    }

    private mutating func checkIndexType(
        _ index: TypeID, expected: TypeID, of target: TypeID, at node: NodeID
    ) {
        if subject.checked.typeTable.isAssignable(index, to: expected) { return }
        report(
            .wrongIndex(
                phrase(index), expected: phrase(expected), target: phrase(target),
                at: tree.range(node)), unless: index, expected)
    }
}

extension Diagnostic {
    fileprivate static func notIndexable(_ type: String, at range: SourceRange) -> Self {
        Diagnostic(
            .conditionTypeMismatch, message: "`[ ]` needs a list or a map, not \(type)", at: range,
            label: "this is \(type)")
    }

    fileprivate static func wrongIndex(
        _ index: String, expected: String, target: String, at range: SourceRange
    ) -> Self {
        Diagnostic(
            .conditionTypeMismatch,
            message: "the index of \(target) must be \(expected), not \(index)",
            at: range,
            label: "this is \(index)")
    }
}
