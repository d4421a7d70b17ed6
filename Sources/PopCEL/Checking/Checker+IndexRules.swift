internal import PopSource

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
                diagnostics.report(.notIndexable(describe(target), at: tree.range(node)))
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
                describe(index), expected: describe(expected), target: describe(target),
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
            .conditionTypeMismatch, message: "\(target) is indexed by \(expected), not \(index)",
            at: range,
            label: "this is \(index)")
    }
}
