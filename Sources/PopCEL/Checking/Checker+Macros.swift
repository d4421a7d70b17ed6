internal import PopSource

extension Checker {
    mutating func checkMacro(_ node: NodeID) -> TypeID {
        guard let macro = tree.macro(node) else { return .error }
        let container = tree.child(node, at: 0)
        let containerType = check(container)
        let type = subject.checked.typeTable.resolved(containerType)
        switch macro {
        case .bind: return inScope(node, types: [type]) { checker in checker.checkBody(node) }
        case .optMap, .optFlatMap: return checkOptionalMacro(macro, at: node, type: type)
        case .all, .exists, .existsOne, .map, .filter, .transformList, .transformMap,
            .transformMapEntry:
            break
        }
        guard let (first, second) = elementTypes(of: type, isPair: tree.nodes[node].payload == 2)
        else {
            report(
                .notIterable(macro.name, type: phrase(type), at: tree.range(container)),
                unless: type)
            return inScope(node, types: [.error, .error]) { checker in
                checker.checkComprehension(macro, at: node, key: .error, element: .error)
            }
        }
        return inScope(node, types: [first, second]) { checker in
            checker.checkComprehension(macro, at: node, key: first, element: first)
        }
    }

    /// Returns the types of the variables of a macro: the elements of a list, the keys of a map; or
    /// with two variables, index and element, key and value. Returns nil if the type has no
    /// elements.
    private mutating func elementTypes(
        of type: TypeID, isPair: Bool
    ) -> (TypeID, TypeID)? {
        switch subject.checked.typeTable[type] {
        case .list(let element): return isPair ? (.int, element) : (element, element)
        case .map(let key, let value): return (key, value)
        case .variable:
            _ = subject.checked.typeTable.isAssignable(.dyn, to: type)
            return (.dyn, .dyn)
        case .optional, .type, .wrapper, .opaque, .parameter, .primitive:
            return type.isDynamic ? (type, type) : nil
        }
    }

    private mutating func inScope(
        _ node: NodeID, types: [TypeID], body: (inout Checker) -> TypeID
    ) -> TypeID {
        let outer = scope.count
        for position in 0..<Int(tree.nodes[node].payload) {
            let variable = tree.child(node, at: position + 1)
            subject.checked.nodes[variable].type = types[position]
            subject.checked.nodes[variable].reference = .local(scope.count)
            scope.append((tree.name(variable), types[position]))
        }
        subject.checked.localCount = max(subject.checked.localCount, scope.count)
        defer { scope.removeSubrange(outer...) }
        return body(&self)
    }

    private mutating func checkBody(_ node: NodeID) -> TypeID {
        check(tree.child(node, at: tree.childCount(node) - 1))
    }

    private mutating func checkComprehension(
        _ macro: Macro, at node: NodeID, key: TypeID, element: TypeID
    ) -> TypeID {
        if tree.nodes[node].flag {
            requireBool(tree.child(node, at: tree.childCount(node) - 2), of: macro)
        }
        let bodyNode = tree.child(node, at: tree.childCount(node) - 1)
        switch macro {
        case .all, .exists, .existsOne:
            requireBool(bodyNode, of: macro)
            return .bool
        case .filter:
            requireBool(bodyNode, of: macro)
            return subject.checked.typeTable.add(.list(element))
        case .map, .transformList:
            let type = check(bodyNode)
            return subject.checked.typeTable.add(.list(type))
        case .transformMap:
            let type = check(bodyNode)
            return subject.checked.typeTable.add(.map(key, type))
        case .transformMapEntry, .bind, .optMap, .optFlatMap:
            return checkEntryBody(macro, at: bodyNode)
        }
    }

    /// Checks the body of `transformMapEntry`, which creates entries of the resulting map.
    private mutating func checkEntryBody(_ macro: Macro, at node: NodeID) -> TypeID {
        let body = check(node)
        let type = subject.checked.typeTable.resolved(body)
        if case .map = subject.checked.typeTable[type] {
            return type
        } else {
            if type.isDynamic { return .anyMap }
            diagnostics.report(.notAnEntry(macro.name, type: phrase(type), at: tree.range(node)))
            return .error
        }
    }

    private mutating func requireBool(_ node: NodeID, of macro: Macro) {
        let type = check(node)
        if subject.checked.typeTable.isAssignable(type, to: .bool) { return }
        report(.bodyNotBool(macro.name, type: phrase(type), at: tree.range(node)), unless: type)
    }

    private mutating func checkOptionalMacro(
        _ macro: Macro, at node: NodeID, type: TypeID
    ) -> TypeID {
        var wrapped = TypeID.dyn
        if case .optional(let inner) = subject.checked.typeTable[type] {
            wrapped = inner
        } else if !subject.checked.typeTable.isAssignable(type, to: .anyOptional) {
            report(
                .notOptional(
                    macro.name, type: phrase(type), at: tree.range(tree.child(node, at: 0))),
                unless: type)
            wrapped = .error
        }
        let result = inScope(node, types: [wrapped]) { checker in checker.checkBody(node) }
        if macro == .optMap { return subject.checked.typeTable.add(.optional(result)) }
        if !subject.checked.typeTable.isAssignable(result, to: .anyOptional) {
            let body = tree.child(node, at: tree.childCount(node) - 1)
            report(
                .notOptional(macro.name, type: phrase(result), at: tree.range(body)),
                unless: result)
        }
        return result
    }
}

extension Diagnostic {
    fileprivate static func notIterable(
        _ macro: String, type: String, at range: SourceRange
    ) -> Self {
        Diagnostic(
            .conditionTypeMismatch, message: "`\(macro)` works on a list or a map, not on \(type)",
            at: range, label: "this is \(type)")
    }

    fileprivate static func bodyNotBool(
        _ macro: String, type: String, at range: SourceRange
    ) -> Self {
        Diagnostic(
            .conditionTypeMismatch,
            message: "the condition inside `\(macro)` must be true or false, not \(type)",
            at: range,
            label: "this is \(type)")
    }

    fileprivate static func notAnEntry(
        _ macro: String, type: String, at range: SourceRange
    ) -> Self {
        Diagnostic(
            .conditionTypeMismatch, message: "`\(macro)` must return a map, not \(type)", at: range,
            label: "this is \(type)", help: ["write one entry as `{key: value}`"])
    }

    fileprivate static func notOptional(
        _ macro: String, type: String, at range: SourceRange
    ) -> Self {
        Diagnostic(
            .conditionTypeMismatch, message: "`\(macro)` needs an optional value, not \(type)",
            at: range,
            label: "this is \(type)")
    }
}
