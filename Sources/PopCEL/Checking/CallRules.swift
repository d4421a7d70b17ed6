internal import PopSource

extension Checker {
    /// A call: of a slot function, a function, or a method.
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

    /// `math.abs` when the call spells the name of a function, not of a method on a value.
    private func namespacedFunction(_ node: NodeID, name: String) -> String? {
        let target = tree.child(node, at: 0)
        guard let root = tree.chainRoot(target), mayBeNamespace(root), !isLocal(root),
            let prefix = tree.dottedName(target)
        else { return nil }
        let found = candidates("\(prefix).\(name)", isAbsolute: tree.nodes[root].flag)
        return found.first { environment.functions[$0] != nil }
    }

    /// Whether names of functions begin so; most names of values do not.
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

    /// `math.greatest` and `math.least` take any number of numbers, or a list of them.
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
        let name = tree.name(node)
        var constants: [Located<Value>] = []
        for child in tree.children(of: node) {
            guard let value = tree.constant(child, knowsDays: environment.knowsDays) else {
                report(
                    .notConstant(name, at: tree.range(child)), .notConstant(child),
                    unless: subject.checked.nodes[child].type)
                return forms[0].overload.result
            }
            constants.append(Located(value, at: tree.insideOfQuotes(child)))
        }
        for form in forms {
            guard resolve([form.overload], isMember: false, arguments: arguments) != nil else {
                continue
            }
            let call = Environment.SlotCall(
                function: form.name, arguments: constants, range: tree.range(node))
            diagnostics.report(contentsOf: Diagnostics(form.check(call)))
            subject.checked.slotCalls.append(
                SlotCallReference(
                    function: form.name, arguments: constants.map { $0.value },
                    mayBeMissing: form.mayBeMissing))
            subject.checked.nodes[node].reference = .slotCall(subject.checked.slotCalls.count - 1)
            return form.overload.result
        }
        let declaration = FunctionDeclaration(
            callee: .host(0), overloads: forms.map { $0.overload })
        reportArguments(
            node, name: name, declaration: declaration, isMember: false, arguments: arguments)
        return .error
    }
}

// MARK: Wording

extension Checker {
    private mutating func reportArguments(
        _ node: NodeID, name: String, declaration: FunctionDeclaration, isMember: Bool,
        arguments: [TypeID]
    ) {
        if arguments.contains(where: { subject.checked.typeTable.resolved($0) == .error }) {
            return
        }
        let forms = declaration.overloads.filter { $0.isMember == isMember }
        guard !forms.isEmpty else {
            report(
                .wrongCallStyle(name, isMember: isMember, at: tree.focus(node)),
                .wrongCallStyle(at: node, isMember: isMember, count: arguments.count))
            return
        }
        let counts = Set(forms.map { $0.parameters.count - (isMember ? 1 : 0) }).sorted()
        let given = arguments.count - (isMember ? 1 : 0)
        guard counts.contains(given) else {
            let expected = counts.map(String.init).joined(separator: " or ")
            diagnostics.report(
                .wrongCount(name, expected: expected, given: given, at: tree.range(node)))
            return
        }
        reportArgumentType(
            node, name: name, forms: forms.filter { $0.parameters.count == arguments.count },
            isMember: isMember, arguments: arguments
        )
    }

    private mutating func reportArgumentType(
        _ node: NodeID, name: String, forms: [Overload], isMember: Bool,
        arguments: [TypeID]
    ) {
        let skipped = tree.childCount(node) - arguments.count
        for position in arguments.indices {
            let fitting = forms.contains { form in
                let parameter = form.parameters[position]
                var table = subject.checked.typeTable
                var variables: [Int: TypeID] = [:]
                let instance = table.instantiate(parameter, variables: &variables)
                return table.isAssignable(arguments[position], to: instance)
            }
            guard !fitting else { continue }
            var expected: [String] = []
            for form in forms {
                let text = typePhrase(form.parameters[position])
                if !expected.contains(text) { expected.append(text) }
            }
            let argument = tree.child(node, at: position + skipped)
            let range = tree.range(argument)
            let found = describe(arguments[position])
            report(
                isMember && position == 0
                    ? .wrongReceiver(name, expected: expected, found: found, at: range)
                    : .wrongArgument(name, expected: expected, found: found, at: range),
                .wrongArgument(argument, of: node, expected: expected))
            return
        }
        let found = arguments.map { describe($0) }.joined(separator: ", ")
        diagnostics.report(.wrongCombination(name, found: found, at: tree.range(node)))
    }

    /// A parameter's type without its type parameters: `list` for `list<T>`.
    private func typePhrase(_ type: TypeID) -> String {
        switch subject.checked.typeTable[type] {
        case .list(let element) where element == .dyn || isParameter(element): "list"
        case .map: "map"
        case .optional: "optional"
        case .parameter: "any"
        default: describe(type)
        }
    }

    private func isParameter(_ type: TypeID) -> Bool {
        if case .parameter = subject.checked.typeTable[type] { return true }
        return false
    }
}

extension Diagnostic {
    fileprivate static func unknownFunction(_ name: String, at range: SourceRange) -> Self {
        Diagnostic(
            .conditionUnknownFunction, message: "unknown function `\(name)`", at: range,
            label: "no such function")
    }

    fileprivate static func wrongCount(
        _ name: String, expected: String, given: Int, at range: SourceRange
    ) -> Self {
        Diagnostic(
            .conditionArity,
            message:
                "`\(name)` takes \(expected) argument\(expected == "1" ? "" : "s"), not \(given)",
            at: range, label: "\(given) given")
    }

    fileprivate static func wrongCallStyle(
        _ name: String, isMember: Bool, at range: SourceRange
    ) -> Self {
        Diagnostic(
            .conditionArity,
            message: isMember
                ? "`\(name)` is not called on a value" : "`\(name)` is called on a value",
            at: range, label: isMember ? "called on a value" : "called without a value")
    }

    fileprivate static func wrongReceiver(
        _ name: String, expected: [String], found: String, at range: SourceRange
    ) -> Self {
        Diagnostic(
            .conditionTypeMismatch,
            message: "`\(name)` works on \(expected.joined(separator: " or ")), not on \(found)",
            at: range,
            label: "this is \(found)")
    }

    fileprivate static func wrongArgument(
        _ name: String, expected: [String], found: String, at range: SourceRange
    ) -> Self {
        Diagnostic(
            .conditionTypeMismatch,
            message: "`\(name)` takes \(expected.joined(separator: " or ")) here, not \(found)",
            at: range,
            label: "this is \(found)")
    }

    fileprivate static func wrongCombination(
        _ name: String, found: String, at range: SourceRange
    ) -> Self {
        Diagnostic(
            .conditionTypeMismatch, message: "`\(name)` does not take \(found) together", at: range,
            label: "called with \(found)")
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
