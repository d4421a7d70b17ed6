internal import PopSource

extension Checker {
    mutating func checkIdentifier(_ node: NodeID) -> TypeID {
        if scope.isEmpty || !isLocal(node), let type = resolveWritten(node, from: node) {
            return type
        }
        let name = tree.name(node)
        if let type = resolve(name, isAbsolute: tree.nodes[node].flag, at: node) { return type }
        return unknown(name, at: node)
    }

    /// Checks `a.b.c`: the longest prefix that is a declared name, then fields of its value.
    mutating func checkSelect(_ node: NodeID) -> TypeID {
        if let type = resolveDotted(node) { return type }
        let operand = tree.child(node, at: 0)
        if isUnknownChain(operand), let name = tree.dottedName(node) {
            return unknown(name, at: node)
        }
        let type = check(operand)
        return select(tree.name(node), of: type, at: node, isOptional: tree.nodes[node].flag)
    }

    mutating func checkPresence(_ node: NodeID) -> TypeID {
        let operand = tree.child(node, at: 0)
        let type = check(operand)
        guard tree.nodes[operand].kind == .call, type != .error else { return .bool }
        if case .slotCall = subject.checked.nodes[operand].reference { return .bool }
        subject.checked.failures[node] = "`has()` takes one name or field"
        diagnostics.report(.badPresence(at: tree.range(operand)))
        return .bool
    }

    /// Returns the type of a declared name that a chain of selections spells, and records its
    /// reference at the node.
    private mutating func resolveDotted(_ node: NodeID) -> TypeID? {
        guard let root = tree.chainRoot(node) else { return nil }
        // Checked only if there are macros, since the check copies the checker.
        if !scope.isEmpty, isLocal(root) { return nil }
        if let type = resolveWritten(node, from: root) { return type }
        guard let name = tree.dottedName(node) else { return nil }
        return resolve(name, isAbsolute: tree.nodes[root].flag, at: node)
    }

    /// Returns true if the identifier is a variable of an enclosing macro.
    func isLocal(_ identifier: NodeID) -> Bool {
        if scope.isEmpty || tree.nodes[identifier].flag { return false }
        return scope.contains { tree.hasName(identifier, name: $0.name) }
    }

    /// Returns true if no prefix of a chain is a declared name.
    package func isUnknownChain(_ node: NodeID) -> Bool {
        guard let root = tree.chainRoot(node) else { return false }
        if isLocal(root) { return false }
        var node = node
        while true {
            let name = tree.dottedName(node) ?? ""
            for candidate in candidates(name, isAbsolute: tree.nodes[root].flag) {
                if environment.number(ofVariable: candidate) != nil
                    || StandardLibrary.shared.typeNames[candidate] != nil
                {
                    return false
                }
            }
            if node == root { return true }
            node = tree.child(node, at: 0)
        }
    }

    /// Returns the type of a variable whose name appears literally in the text, as most names do:
    /// this creates no string.
    private mutating func resolveWritten(_ node: NodeID, from root: NodeID) -> TypeID? {
        guard environment.container.isEmpty || tree.nodes[root].flag,
            tree.nodes[root].payload == SyntaxNode.plainName, tree.nodes[root].origin == 0
        else { return nil }
        // No declared name contains blanks, backticks or parentheses.
        let place = Int(tree.nodes[root].focusStart)..<Int(tree.nodes[node].focusEnd)
        return environment.number(ofVariableAt: place, in: text)
            .map { noteVariable($0, at: node) }
    }

    private mutating func noteVariable(_ index: Int, at node: NodeID) -> TypeID {
        subject.checked.nodes[node].reference = .variable(index)
        return environment.type(ofVariableAt: index)
    }

    private mutating func resolve(_ name: String, isAbsolute: Bool, at node: NodeID) -> TypeID? {
        if !isAbsolute, let local = scope.lastIndex(where: { $0.name == name }) {
            subject.checked.nodes[node].reference = .local(local)
            return scope[local].type
        }
        if environment.container.isEmpty || isAbsolute { return resolveExact(name, at: node) }
        for candidate in candidates(name, isAbsolute: isAbsolute) {
            if let type = resolveExact(candidate, at: node) { return type }
        }
        return nil
    }

    /// Returns the candidates for `name`: in the container, in its enclosing containers, and by
    /// itself.
    func candidates(_ name: String, isAbsolute: Bool) -> [String] {
        if environment.container.isEmpty || isAbsolute { return [name] }
        var result: [String] = []
        var parts = environment.container.split(separator: ".")
        while !parts.isEmpty {
            result.append((parts + [Substring(name)]).joined(separator: "."))
            parts.removeLast()
        }
        return result + [name]
    }

    private mutating func resolveExact(_ name: String, at node: NodeID) -> TypeID? {
        if let index = environment.number(ofVariable: name) { return noteVariable(index, at: node) }
        guard let type = StandardLibrary.shared.typeNames[name] else { return nil }
        subject.checked.constants.append(.type(type))
        subject.checked.nodes[node].reference = .constant(subject.checked.constants.count - 1)
        return subject.checked.typeTable.id(of: .type(type))
    }

    private mutating func unknown(_ name: String, at node: NodeID) -> TypeID {
        subject.checked.failures[node] = "unknown name `\(name)`"
        if let prohibition = prohibition(of: name) {
            diagnostics.report(.unavailable(name, because: prohibition, at: tree.range(node)))
        } else {
            report(
                .unknownName(name, owner: environment.owner(of: name), at: tree.range(node)),
                .unknownName(name, at: node))
        }
        return .error
    }

    /// Returns the reason why the name, or one of its prefixes, isn't available here.
    func prohibition(of name: String) -> Prohibition? {
        guard !environment.forbidden.isEmpty else { return nil }
        var prefix = Substring(name)
        while true {
            if let found = environment.forbidden[String(prefix)] { return found }
            guard let dot = prefix.lastIndex(of: ".") else { return nil }
            prefix = prefix[..<dot]
        }
    }
}

// MARK: Selection

extension Checker {
    package func declaration(_ node: NodeID) -> Variable? {
        guard case .variable(let index) = subject.checked.nodes[node].reference else { return nil }
        return environment.variable(at: index)
    }

    private mutating func select(
        _ field: String, of type: TypeID, at node: NodeID, isOptional: Bool
    ) -> TypeID {
        var target = subject.checked.typeTable.resolved(type)
        var givesOptional = isOptional
        if case .optional(let wrapped) = subject.checked.typeTable[target] {
            target = subject.checked.typeTable.resolved(wrapped)
            givesOptional = true
        }
        let result: TypeID
        switch subject.checked.typeTable[target] {
        case .map(_, let value): result = value
        case .variable:
            _ = subject.checked.typeTable.isAssignable(.dyn, to: target)
            result = .dyn
        case .list, .optional, .type, .wrapper, .opaque, .parameter, .primitive:
            if !target.isDynamic {
                report(
                    .noField(
                        field, type: phrase(target), at: tree.focus(node),
                        variable: declaration(tree.child(node, at: 0))),
                    .unknownField(field, at: node))
            }
            result = target.isDynamic ? target : .error
        }
        return givesOptional ? subject.checked.typeTable.add(.optional(result)) : result
    }
}

extension Diagnostic {
    static func unavailable(
        _ name: String, because prohibition: Prohibition, at range: SourceRange
    ) -> Self {
        Diagnostic(
            .conditionUnavailableHere,
            message: "`\(name)` cannot be used in this condition: \(prohibition.reason)",
            at: range,
            label: "not available in this condition", help: prohibition.help.map { [$0] } ?? [])
    }

    fileprivate static func unknownName(
        _ name: String, owner: NameOwner?, at range: SourceRange
    ) -> Self {
        guard let owner else {
            return Diagnostic(
                .conditionUnknownKey, message: "unknown context key `\(name)`", at: range,
                label: "not declared in the context")
        }
        let field = name.dropFirst(owner.root.count + 1)
        return Diagnostic(
            .conditionUnknownKey, message: "\(owner.description) has no field `\(field)`",
            at: range, label: "not a field of \(owner.description)")
    }

    fileprivate static func badPresence(at range: SourceRange) -> Self {
        Diagnostic(
            .conditionSyntax, message: "`has()` takes one name or field", at: range,
            label: "neither a name nor a field")
    }

    fileprivate static func noField(
        _ field: String, type: String, at range: SourceRange, variable: Variable?
    ) -> Self {
        var diagnostic = Diagnostic(
            .conditionTypeMismatch, message: "\(type) has no field `\(field)`",
            at: range,
            label: "no such field")
        if let variable {
            diagnostic.message = "`\(variable.name)` is \(type) and has no field `\(field)`"
            if let place = variable.declaredAt {
                diagnostic.secondary = [.init("declared as \(type) here", at: place)]
            }
        }
        return diagnostic
    }
}
