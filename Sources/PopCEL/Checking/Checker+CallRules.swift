internal import PopSource

extension Checker {
    /// Checks a call of a slot function, a function, or a method.
    mutating func checkCall(_ node: NodeID) -> TypeID {
        if let type = foreign(node) { return type }
        let isMember = tree.nodes[node].kind == .memberCall
        let name = tree.name(node)
        if isMember, let qualified = namespacedFunction(node, name: name) {
            return checkCall(node, of: qualified, name: qualified, skipsTarget: true)
        }
        let found = isMember ? name : functionName(name, isAbsolute: tree.nodes[node].flag)
        return checkCall(node, of: found, name: name, skipsTarget: false)
    }

    /// Returns a name such as `math.abs` if the call spells the name of a function and not of a
    /// method on a value.
    private func namespacedFunction(_ node: NodeID, name: String) -> String? {
        let target = tree.child(node, at: 0)
        guard let root = tree.chainRoot(target), mayBeNamespace(root), !isLocal(root),
            let prefix = tree.dottedName(target)
        else { return nil }
        let found = candidates("\(prefix).\(name)", isAbsolute: tree.nodes[root].flag)
        return found.first { environment.functions[$0] != nil }
    }

    /// Returns true if an identifier can start the name of a function; most names of values can't.
    private func mayBeNamespace(_ identifier: NodeID) -> Bool {
        guard environment.container.isEmpty || tree.nodes[identifier].flag else { return true }
        return environment.namespaces.contains { tree.hasName(identifier, name: $0) }
    }

    package func functionName(_ name: String, isAbsolute: Bool) -> String {
        if environment.container.isEmpty { return name }
        return candidates(name, isAbsolute: isAbsolute).first {
            environment.functions[$0] != nil || environment.slotFunctions[$0] != nil
        } ?? name
    }

    private mutating func checkCall(
        _ node: NodeID, of function: String, name: String, skipsTarget: Bool
    ) -> TypeID {
        let children = tree.children(of: node)
        let isMember = tree.nodes[node].kind == .memberCall && !skipsTarget
        var arguments: [TypeID] = []
        for child in children.dropFirst(skipsTarget ? 1 : 0) { arguments.append(check(child)) }
        if !isMember, let forms = environment.slotFunctions[function] {
            return checkSlotCall(node, forms: forms, arguments: arguments)
        }
        guard let declaration = environment.functions[function] else {
            return unknownFunction(name, isMember: isMember, at: node)
        }
        subject.checked.nodes[node].reference = .function(
            declaration.callee, skipsTarget: skipsTarget)
        if case .library(let code) = declaration.callee, code == .greatest || code == .least {
            return checkExtreme(node, code: code, arguments: arguments)
        }
        if let result = resolve(declaration.overloads, isMember: isMember, arguments: arguments) {
            return result
        }
        reportArguments(
            node, name: function, declaration: declaration, isMember: isMember, arguments: arguments
        )
        return .error
    }

    private mutating func unknownFunction(
        _ name: String, isMember: Bool, at node: NodeID
    ) -> TypeID {
        subject.checked.failures[node] = "unknown function `\(name)`"
        for child in tree.children(of: node)
        where subject.checked.nodes[child].type == .error && isMember {
            return .error
        }
        if let reason = forbiddenReason(name) {
            diagnostics.report(.unavailable(name, reason: reason, at: tree.focus(node)))
        } else {
            report(
                .unknownFunction(name, at: tree.focus(node)),
                .unknownFunction(name, isMember: isMember, at: node))
        }
        return .error
    }

    /// Checks `math.greatest` or `math.least`, which take any number of numbers, or a list of them.
    private mutating func checkExtreme(
        _ node: NodeID, code: FunctionCode, arguments: [TypeID]
    ) -> TypeID {
        guard !arguments.isEmpty else {
            diagnostics.report(
                .wrongCount(code.name, expected: "at least 1", given: 0, at: tree.range(node)))
            return .error
        }
        var types = arguments.map { subject.checked.typeTable.resolved($0) }
        if types.count == 1, case .list(let element) = subject.checked.typeTable[types[0]] {
            types = [subject.checked.typeTable.resolved(element)]
            if case .variable = subject.checked.typeTable[types[0]] { return .dyn }
        }
        for (position, type) in types.enumerated() where !type.isNumber && !type.isDynamic {
            if case .wrapper(let primitive) = subject.checked.typeTable[type], primitive.isNumber {
                continue
            }
            let range = tree.range(tree.child(node, at: position + 1))
            diagnostics.report(.notANumber(code.name, found: describe(type), at: range))
            return .error
        }
        guard let first = types.first, types.allSatisfy({ $0 == first }) else { return .dyn }
        return first == .error ? .dyn : first
    }
}

// MARK: Slot functions

extension Checker {
    private mutating func checkSlotCall(
        _ node: NodeID, forms: [SlotFunction], arguments: [TypeID]
    ) -> TypeID {
        guard let constants = constantArguments(node) else { return forms[0].overload.result }
        for form in forms
        where resolve([form.overload], isMember: false, arguments: arguments) != nil {
            noteSlotCall(form, arguments: constants, at: node)
            guard let resultOf = form.resultOf else { return form.overload.result }
            let type = resultOf(constants.map { $0.value })
            return type.map { subject.checked.typeTable.id(of: $0) } ?? form.overload.result
        }
        let declaration = FunctionDeclaration(
            callee: .host(0), overloads: forms.map { $0.overload })
        reportArguments(
            node, name: tree.name(node), declaration: declaration, isMember: false,
            arguments: arguments)
        return .error
    }

    /// Returns the constant arguments; nil, and reports it, if an argument isn't constant.
    private mutating func constantArguments(_ node: NodeID) -> [Located<Value>]? {
        var constants: [Located<Value>] = []
        for child in tree.children(of: node) {
            guard let value = tree.constant(child, knowsDays: environment.knowsDays) else {
                report(
                    .notConstant(tree.name(node), at: tree.range(child)), .notConstant(child),
                    unless: subject.checked.nodes[child].type)
                return nil
            }
            constants.append(Located(value, at: tree.insideOfQuotes(child)))
        }
        return constants
    }

    private mutating func noteSlotCall(
        _ form: SlotFunction, arguments: [Located<Value>], at node: NodeID
    ) {
        let call = Environment.SlotCall(
            function: form.name, arguments: arguments, range: tree.range(node))
        diagnostics.report(contentsOf: Diagnostics(form.check(call)))
        subject.checked.slotCalls.append(
            SlotCallReference(
                function: form.name, arguments: arguments.map { $0.value },
                mayBeMissing: form.mayBeMissing))
        subject.checked.nodes[node].reference = .slotCall(subject.checked.slotCalls.count - 1)
    }
}

extension Diagnostic {
    fileprivate static func unknownFunction(_ name: String, at range: SourceRange) -> Self {
        Diagnostic(
            .conditionUnknownFunction, message: "unknown function `\(name)`", at: range,
            label: "no such function")
    }

    fileprivate static func notANumber(
        _ name: String, found: String, at range: SourceRange
    ) -> Self {
        Diagnostic(
            .conditionTypeMismatch, message: "`\(name)` compares numbers, not \(found)", at: range,
            label: "this is \(found)")
    }

    fileprivate static func notConstant(_ name: String, at range: SourceRange) -> Self {
        Diagnostic(
            .conditionTypeMismatch, message: "the arguments of `\(name)` must be constants",
            at: range,
            label: "not a constant")
    }
}
