package import PopSource

/// Resolves the names of a syntax tree and deduces its types, by the specification's gradual
/// typing.
///
/// After a mistake it continues with a type that is assignable to every other type, so that each
/// mistake is reported once.
package struct Checker: ~Copyable {
    /// The expression, and the results of the check.
    package var subject: CheckedExpression
    // A copy of the reference: reading it through `subject`, which changes, would retain it each
    // time.
    package let tree: SyntaxTree
    /// The source text of most nodes, kept here so that reading it retains nothing.
    let text: [UInt8]
    package var diagnostics = Diagnostics()
    /// The variables of the macros around the node being checked, innermost last.
    var scope: [(name: String, type: TypeID)] = []

    /// Creates a checker; `tree` is the tree of the expression.
    init(_ expression: Expression, tree: SyntaxTree, in environment: Environment) {
        self.tree = tree
        subject = CheckedExpression(expression, tree: tree, in: environment)
        text = if case .text(_, let bytes) = tree.origins.first { bytes } else { [] }
    }

    package var environment: Environment { subject.environment }

    package mutating func check() { _ = check(tree.root) }

    @discardableResult
    package mutating func check(_ node: NodeID) -> TypeID {
        let type: TypeID
        switch tree.nodes[node].kind {
        case .literal: type = TypeID(of: tree.values[Int(tree.nodes[node].payload)])
        case .identifier: type = checkIdentifier(node)
        case .select: type = checkSelect(node)
        case .presence: type = checkPresence(node)
        case .call, .memberCall: type = checkCall(node)
        case .operation: type = checkOperation(node)
        case .list: type = checkList(node)
        case .map: type = checkMap(node)
        case .message: type = checkMessage(node)
        case .optionalEntry: type = check(tree.child(node, at: 0))
        case .macro: type = checkMacro(node)
        }
        subject.checked.nodes[node].type = type
        return type
    }

    /// Reports a diagnostic unless one of the nodes has been reported already.
    mutating func report(_ diagnostic: Diagnostic, unless types: TypeID...) {
        for type in types where subject.checked.typeTable.resolved(type) == .error { return }
        diagnostics.report(diagnostic)
    }

    /// Reports a diagnostic together with the available advice on the mistake.
    mutating func report(
        _ diagnostic: Diagnostic, _ mistake: CheckerIssue, unless types: TypeID...
    ) {
        for type in types where subject.checked.typeTable.resolved(type) == .error { return }
        var diagnostic = diagnostic
        environment.advice?.mistake(self, mistake, &diagnostic)
        diagnostics.report(diagnostic)
    }

    /// Returns the type to continue with if a node is written as in another language, and reports
    /// it; nil otherwise.
    mutating func foreign(_ node: NodeID) -> TypeID? {
        environment.advice.flatMap { $0.foreign(&self, node) }
    }

    func describe(_ type: TypeID) -> String {
        subject.checked.typeTable.publicType(type).description
    }

    /// Returns a type with its article, such as `an int`.
    func phrase(_ type: TypeID) -> String { CELType.phrase(describe(type)) }
}

// MARK: Lists, maps and messages

extension Checker {
    private mutating func checkList(_ node: NodeID) -> TypeID {
        var element: TypeID?
        for child in tree.children(of: node) {
            let type = checkEntry(child)
            element = joined(element, next: type)
        }
        return subject.checked.typeTable.add(
            .list(element ?? subject.checked.typeTable.newVariable()))
    }

    private mutating func checkMap(_ node: NodeID) -> TypeID {
        var key: TypeID?
        var value: TypeID?
        for position in stride(from: 0, to: tree.childCount(node), by: 2) {
            let keyNode = tree.child(node, at: position)
            let keyType = check(keyNode)
            checkKeyType(keyType, of: keyNode)
            key = joined(key, next: keyType)
            let valueNode = tree.child(node, at: position + 1)
            var valueType = check(valueNode)
            if tree.nodes[keyNode].kind == .optionalEntry {
                valueType = unwrapped(valueType, at: valueNode)
            }
            value = joined(value, next: valueType)
        }
        return subject.checked.typeTable.add(
            .map(
                key ?? subject.checked.typeTable.newVariable(),
                value ?? subject.checked.typeTable.newVariable()))
    }

    private mutating func checkKeyType(_ type: TypeID, of node: NodeID) {
        switch subject.checked.typeTable.resolved(type) {
        case .double, .null, .bytes, .timestamp, .duration, .version, .type:
            report(.badKey(phrase(type), at: tree.range(node)))
        default: break
        }
    }

    /// Returns the type of a list's element; for `?element`, the type of the wrapped value.
    private mutating func checkEntry(_ node: NodeID) -> TypeID {
        let type = check(node)
        return tree.nodes[node].kind == .optionalEntry ? unwrapped(type, at: node) : type
    }

    private mutating func unwrapped(_ type: TypeID, at node: NodeID) -> TypeID {
        let resolved = subject.checked.typeTable.resolved(type)
        if case .optional(let wrapped) = subject.checked.typeTable[resolved] { return wrapped }
        let optional = subject.checked.typeTable.add(
            .optional(subject.checked.typeTable.newVariable()))
        guard subject.checked.typeTable.isAssignable(resolved, to: optional) else {
            report(.notOptional(phrase(resolved), at: tree.range(node)), unless: resolved)
            return .error
        }
        return .dyn
    }

    private mutating func joined(_ previous: TypeID?, next: TypeID) -> TypeID {
        guard let previous else { return next }
        if previous == next { return next }
        return subject.checked.typeTable.join(previous, next) ?? .dyn
    }

    private mutating func checkMessage(_ node: NodeID) -> TypeID {
        let children = tree.children(of: node)
        for position in stride(from: 2, to: children.count, by: 2) { check(children[position]) }
        let name = tree.dottedName(children[0]) ?? ""
        subject.checked.failures[node] = "unknown type `\(name)`"
        report(.unknownMessage(name, at: tree.range(children[0])))
        return .error
    }
}

extension Diagnostic {
    fileprivate static func badKey(_ type: String, at range: SourceRange) -> Self {
        Diagnostic(
            .conditionTypeMismatch, message: "a key of a map cannot be \(type)", at: range,
            label: "this is \(type)",
            help: ["use a string, an int, a uint or a bool as the key"])
    }

    fileprivate static func notOptional(_ type: String, at range: SourceRange) -> Self {
        Diagnostic(
            .conditionTypeMismatch,
            message: "an entry marked `?` needs an optional value, not \(type)",
            at: range, label: "this is \(type)")
    }

    fileprivate static func unknownMessage(_ name: String, at range: SourceRange) -> Self {
        Diagnostic(
            .conditionUnknownKey, message: "unknown type `\(name)`", at: range,
            help: ["write a map without a name, such as `{\"key\": value}`"])
    }
}
