// Assignability of types, by the specification's gradual typing: `dyn` is assignable to and from
// everything, type variables take the most general of the types they meet.
extension TypeTable {
    /// Returns true if a value of type `from` can be used where `to` is expected. On success, type
    /// variables have been bound.
    mutating func isAssignable(_ from: TypeID, to: TypeID) -> Bool {
        if from == to || from.isDynamic && isPrimitive(to) || to.isDynamic && isPrimitive(from) {
            return true
        }
        let saved = bindings
        if agree(from, to: to) { return true }
        restoreBindings(saved)
        return false
    }

    /// Returns the common type of a list's elements, or of the branches of a conditional, that have
    /// these types.
    mutating func join(_ left: TypeID, _ right: TypeID) -> TypeID? {
        isAssignable(left, to: right) ? mostGeneral(left, right) : nil
    }

    private func isPrimitive(_ id: TypeID) -> Bool { id.raw <= TypeID.error.raw }

    private mutating func agree(_ from: TypeID, to: TypeID) -> Bool {
        if from == to { return true }
        let source = self[from]
        let target = self[to]
        if case .variable(let variable) = target {
            let wasBound = bindings[variable] != nil
            if substitute(variable, id: to, by: from) { return true }
            if wasBound { return false }
        }
        if case .variable(let variable) = source { return substitute(variable, id: from, by: to) }
        if from.isDynamic || to.isDynamic { return true }
        if from == .null { return isNullable(to) }
        if to == .null { return isNullable(from) }
        return agree(source, from: from, target: target, to: to)
    }

    private mutating func agree(
        _ source: TypeEntry, from: TypeID, target: TypeEntry, to: TypeID
    ) -> Bool {
        switch (source, target) {
        case (.list(let a), .list(let b)), (.optional(let a), .optional(let b)),
            (.wrapper(let a), .wrapper(let b)):
            agree(a, to: b)
        case (.map(let keyA, let a), .map(let keyB, let b)):
            agree(keyA, to: keyB) && agree(a, to: b)
        case (.wrapper(let a), .primitive): agree(a, to: to)
        case (.primitive, .wrapper(let b)): agree(from, to: b)
        case (.type, .type): true
        case (.type, .primitive): to == .type
        case (.primitive, .type): from == .type
        case (.opaque(let nameA, let a), .opaque(let nameB, let b)):
            nameA == nameB && a.count == b.count && zip(a, b).allSatisfy { agree($0, to: $1) }
        case (.list, _), (.map, _), (.optional, _), (.type, _), (.wrapper, _), (.opaque, _),
            (.parameter, _), (.variable, _), (.primitive, _):
            false
        }
    }

    /// Binds the variable `id` to a type if possible; returns true if it did.
    private mutating func substitute(_ variable: Int, id: TypeID, by type: TypeID) -> Bool {
        guard let bound = bindings[variable] else {
            if case .variable(let other) = self[type], other == variable { return true }
            guard !mentions(type, variable: variable) else { return false }
            bind(variable, to: type)
            return true
        }
        if bound == type { return true }
        guard agree(type, to: bound) else { return false }
        let general = mostGeneral(type, bound)
        if !mentions(general, variable: variable) { bind(variable, to: general) }
        return true
    }

    private func mentions(_ type: TypeID, variable: Int) -> Bool {
        switch self[type] {
        case .variable(let other):
            other == variable || bindings[other].map { mentions($0, variable: variable) } ?? false
        case .list(let a), .optional(let a), .type(let a), .wrapper(let a):
            mentions(a, variable: variable)
        case .map(let a, let b): mentions(a, variable: variable) || mentions(b, variable: variable)
        case .opaque(_, let types): types.contains { mentions($0, variable: variable) }
        case .parameter, .primitive: false
        }
    }

    /// Returns true for the types to which the specification's reference implementation lets null
    /// be assigned.
    func isNullable(_ type: TypeID) -> Bool {
        if type == .null || type == .timestamp || type == .duration { return true }
        switch self[type] {
        case .wrapper, .optional, .opaque: return true
        case .list, .map, .type, .parameter, .variable, .primitive: return false
        }
    }

    /// Returns the less specific of two types that agree.
    func mostGeneral(_ left: TypeID, _ right: TypeID) -> TypeID {
        isEqualOrLessSpecific(left, right) ? left : right
    }

    private func isEqualOrLessSpecific(_ left: TypeID, _ right: TypeID) -> Bool {
        let left = resolved(left)
        let right = resolved(right)
        if left == right || left.isDynamic { return true }
        if case .variable = self[left] { return true }
        if right.isDynamic { return false }
        if right == .null { return isNullable(left) }
        switch (self[left], self[right]) {
        case (_, .variable): return false
        case (.list(let a), .list(let b)), (.optional(let a), .optional(let b)),
            (.wrapper(let a), .wrapper(let b)):
            return isEqualOrLessSpecific(a, b)
        case (.wrapper(let a), .primitive): return a == right
        case (.map(let keyA, let a), .map(let keyB, let b)):
            return isEqualOrLessSpecific(keyA, keyB) && isEqualOrLessSpecific(a, b)
        case (.opaque(let nameA, let a), .opaque(let nameB, let b)):
            return nameA == nameB && a.count == b.count
                && zip(a, b).allSatisfy { isEqualOrLessSpecific($0, $1) }
        case (.type, .type), (.primitive, .type): return true
        case (.list, _), (.map, _), (.optional, _), (.type, _), (.wrapper, _), (.opaque, _),
            (.parameter, _), (.variable, _), (.primitive, _):
            return false
        }
    }
}

extension TypeTable {
    /// Returns a declared type with its parameters replaced by variables, which are created when
    /// they are first met.
    mutating func instantiate(_ type: TypeID, variables: inout [Int: TypeID]) -> TypeID {
        switch self[type] {
        case .parameter(let number):
            if let variable = variables[number] { return variable }
            let variable = newVariable()
            variables[number] = variable
            return variable
        case .list(let a): return add(.list(instantiate(a, variables: &variables)))
        case .optional(let a): return add(.optional(instantiate(a, variables: &variables)))
        case .type(let a): return add(.type(instantiate(a, variables: &variables)))
        case .map(let a, let b):
            let key = instantiate(a, variables: &variables)
            return add(.map(key, instantiate(b, variables: &variables)))
        case .opaque(let name, let types):
            return add(.opaque(name, types.map { instantiate($0, variables: &variables) }))
        case .wrapper, .variable, .primitive: return type
        }
    }
}

extension TypeTable {
    /// Returns true if two types are the same, by content.
    func isSame(_ left: TypeID, _ right: TypeID) -> Bool {
        left == right || publicType(left) == publicType(right)
    }

    /// Takes back the bindings since `saved`, and keeps variables created since then unbound.
    mutating func forget(to saved: [TypeID?]) {
        restoreBindings(saved + Array(repeating: nil, count: bindings.count - saved.count))
    }
}
