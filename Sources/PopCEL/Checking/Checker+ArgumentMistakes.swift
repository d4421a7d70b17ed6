internal import PopSource

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
            let found = describe(type)
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
                ? "`\(name)` cannot be called on a value" : "`\(name)` must be called on a value",
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
}
