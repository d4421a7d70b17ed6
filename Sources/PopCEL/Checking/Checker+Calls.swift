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
        if let prohibition = prohibition(of: name) {
            diagnostics.report(.unavailable(name, because: prohibition, at: tree.focus(node)))
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
            diagnostics.report(.notANumber(code.name, found: phrase(type), at: range))
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
            .conditionTypeMismatch, message: "the arguments of `\(name)` must be fixed values",
            at: range,
            label: "not a fixed value")
    }
}

extension Checker {
    /// Returns the result type of the overloads that match the arguments: `dyn` if several match;
    /// nil if none matches.
    mutating func resolve(
        _ overloads: [Overload], isMember: Bool, arguments: [TypeID]
    ) -> TypeID? {
        var result: TypeID?
        for overload in overloads
        where overload.isMember == isMember && overload.parameters.count == arguments.count {
            guard let next = matched(overload, arguments: arguments) else { continue }
            if let known = result {
                if known != .dyn, !subject.checked.typeTable.isSame(known, next) { result = .dyn }
            } else {
                result = next
            }
        }
        return result
    }

    private mutating func matched(_ overload: Overload, arguments: [TypeID]) -> TypeID? {
        var variables: [Int: TypeID] = [:]
        let saved = subject.checked.typeTable.bindings
        for (argument, parameter) in zip(arguments, overload.parameters) {
            let parameter =
                overload.isGeneric
                ? subject.checked.typeTable.instantiate(parameter, variables: &variables)
                : parameter
            guard subject.checked.typeTable.isAssignable(argument, to: parameter) else {
                subject.checked.typeTable.forget(to: saved)
                return nil
            }
        }
        return overload.isGeneric
            ? subject.checked.typeTable.instantiate(overload.result, variables: &variables)
            : overload.result
    }
}

extension Checker {
    /// Reports arguments that no overload of the function accepts.
    mutating func reportArguments(
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
        let counts = Set(forms.map { $0.parameters.count - (isMember ? 1 : 0) }).ordered()
        let given = arguments.count - (isMember ? 1 : 0)
        guard counts.contains(given) else {
            let expected = counts.map(String.init).joined(separator: " or ")
            report(
                .wrongCount(name, expected: expected, given: given, at: tree.range(node)),
                .wrongCount(of: node))
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
        for (position, type) in arguments.enumerated()
        where !isTaken(type, by: forms, at: position) {
            let expected = typePhrases(forms, at: position)
            let argument = tree.child(node, at: position + skipped)
            let range = tree.range(argument)
            let found = phrase(type)
            report(
                isMember && position == 0
                    ? .wrongReceiver(name, expected: expected, found: found, at: range)
                    : .wrongArgument(name, expected: expected, found: found, at: range),
                .wrongArgument(argument, of: node, expected: expected))
            return
        }
        let found = CELType.phrase(arguments.map { describe($0) }, joinedBy: "and")
        diagnostics.report(.wrongCombination(name, found: found, at: tree.range(node)))
    }

    /// Returns true if one of the overloads accepts an argument at its position, whatever the other
    /// arguments are.
    private func isTaken(_ argument: TypeID, by forms: [Overload], at position: Int) -> Bool {
        forms.contains { form in
            var table = subject.checked.typeTable
            var variables: [Int: TypeID] = [:]
            let parameter = table.instantiate(form.parameters[position], variables: &variables)
            return table.isAssignable(argument, to: parameter)
        }
    }

    /// Returns the types that the overloads accept at a position, each once.
    private func typePhrases(_ forms: [Overload], at position: Int) -> [String] {
        var phrases: [String] = []
        for form in forms {
            let phrase = typePhrase(form.parameters[position])
            if !phrases.contains(phrase) { phrases.append(phrase) }
        }
        return phrases
    }

    /// Returns a parameter's type without its type parameters: `list` for `list<T>`.
    private func typePhrase(_ type: TypeID) -> String {
        switch subject.checked.typeTable[type] {
        case .list(let element) where element == .dyn || isParameter(element): "list"
        case .map: "map"
        case .optional: "optional"
        case .parameter: "any"
        case .list, .type, .wrapper, .opaque, .variable, .primitive: describe(type)
        }
    }

    private func isParameter(_ type: TypeID) -> Bool {
        if case .parameter = subject.checked.typeTable[type] { return true }
        return false
    }
}

extension Diagnostic {
    static func wrongCount(
        _ name: String, expected: String, given: Int, at range: SourceRange
    ) -> Self {
        Diagnostic(
            .conditionArity,
            message:
                "`\(name)` takes \(expected) argument\(expected == "1" ? "" : "s"), not \(given)",
            at: range, label: "arguments given: \(given)")
    }

    fileprivate static func wrongCallStyle(
        _ name: String, isMember: Bool, at range: SourceRange
    ) -> Self {
        Diagnostic(
            .conditionArity,
            message: isMember
                ? "`\(name)` cannot follow a value and a `.`"
                : "`\(name)` must follow a value and a `.`",
            at: range, label: isMember ? "there is a value before this" : "no value before this")
    }

    fileprivate static func wrongReceiver(
        _ name: String, expected: [String], found: String, at range: SourceRange
    ) -> Self {
        Diagnostic(
            .conditionTypeMismatch,
            message:
                "`\(name)` works only with \(CELType.phrase(expected, joinedBy: "or")), not with"
                + " \(found)",
            at: range,
            label: "this is \(found)")
    }

    fileprivate static func wrongArgument(
        _ name: String, expected: [String], found: String, at range: SourceRange
    ) -> Self {
        Diagnostic(
            .conditionTypeMismatch,
            message:
                "an argument of `\(name)` must be"
                + " \(CELType.phrase(expected, joinedBy: "or")), not \(found)",
            at: range,
            label: "this is \(found)")
    }

    fileprivate static func wrongCombination(
        _ name: String, found: String, at range: SourceRange
    ) -> Self {
        Diagnostic(
            .conditionTypeMismatch, message: "`\(name)` cannot be called with \(found)", at: range,
            label: "called with \(found)")
    }
}
