internal import PopCEL

extension Translator {
    /// Returns the term of a comparison; nil if nothing is known about it.
    mutating func comparison(_ operation: Operator, left: NodeID, right: NodeID) -> TermID? {
        if let constant = constant(right) {
            if let term = comparison(operation, left, with: constant) { return term }
        } else if let constant = constant(left) {
            if let term = comparison(operation.mirrored, right, with: constant) { return term }
        }
        if let term = sameTruth(operation, left: left, right: right) { return term }
        return differenceComparison(operation, left: left, right: right)
    }

    private mutating func comparison(
        _ operation: Operator, _ node: NodeID, with constant: Value
    ) -> TermID? {
        if let other = self.constant(node) {
            return other.compared(operation, with: constant).map { terms.add(.constant($0)) }
        }
        if let read = size(node) ?? scalar(node),
            let (yes, no) = variables.split(read.variable, operation, constant: constant)
        {
            return terms.guarded(
                terms.add(.test(read.variable, yes: yes, no: no)), by: read.isThere)
        }
        return textComparison(operation, node, with: constant)
    }

    /// Returns the value that a part reads, unless it is a list or a map.
    private mutating func scalar(_ node: NodeID) -> Read? {
        guard let read = value(node) else { return nil }
        switch variables[read.variable].type {
        case .list, .map: return nil
        case .dyn, .null, .bool, .int, .uint, .double, .string, .bytes, .timestamp, .duration,
            .version, .optional, .type, .wrapper, .opaque, .parameter:
            return read
        }
    }

    /// Returns the term of `==` or `!=` between parts whose type is bool.
    private mutating func sameTruth(
        _ operation: Operator, left: NodeID, right: NodeID
    ) -> TermID? {
        guard operation == .equal || operation == .notEqual,
            [left, right].allSatisfy({ reading.checked.type($0) == .bool })
        else { return nil }
        let (one, other) = (term(left), term(right))
        let not = terms.not(other)
        // Both branches read the other part, so that a failure of either part is a failure of the
        // whole.
        return operation == .equal
            ? terms.add(.choice(one, then: other, otherwise: not))
            : terms.add(.choice(one, then: not, otherwise: other))
    }

    /// Returns the value of a part that is a constant.
    func constant(_ node: NodeID) -> Value? {
        let tree = reading.tree
        if case .list? = tree.literal(node) { return nil }
        if let value = tree.constant(node, knowsDays: reading.environment.knowsDays) {
            return value
        }
        guard tree.operation(node) == .negate else { return nil }
        switch tree.literal(tree.child(node, at: 0)) {
        case .int(let number)? where number != .min: return .int(-number)
        case .double(let number)?: return .double(-number)
        case nil, .null, .bool, .int, .uint, .string, .bytes, .timestamp, .duration, .version,
            .list, .map, .type, .optional:
            return nil
        }
    }

    /// Returns a list whose elements are constants; nil for other parts.
    func listOfConstants(_ node: NodeID) -> Value? { constants(node).map { .list($0) } }

    /// Returns the constants of a list.
    private func constants(_ node: NodeID) -> [Value]? {
        let tree = reading.tree
        if case .list(let values)? = tree.literal(node) { return values }
        guard tree.kind(of: node) == .list else { return nil }
        let values = tree.children(of: node).map { constant($0) }
        return values.contains { $0 == nil } ? nil : values.compactMap { $0 }
    }

    /// Returns the term of `x in [constants]`, `constant in list`, or `"field" in map`.
    mutating func membership(_ item: NodeID, in container: NodeID) -> TermID? {
        if let values = constants(container) { return isOne(item, of: values) }
        guard let wanted = constant(item), let read = value(container),
            let place = variables[read.variable].place
        else { return nil }
        switch variables[read.variable].type {
        case .list(let type):
            return contains(wanted, read: read, place: place, type: type)
        case .map(.string, _):
            guard case .string(let name) = wanted, let field = field(name, inside: read) else {
                return nil
            }
            return terms.guarded(isPresent(field.variable), by: field.isThere)
        case .dyn, .null, .bool, .int, .uint, .double, .string, .bytes, .timestamp, .duration,
            .version, .map, .optional, .type, .wrapper, .opaque, .parameter:
            return nil
        }
    }

    private mutating func isOne(_ item: NodeID, of values: [Value]) -> TermID? {
        if let constant = constant(item) {
            return terms.add(.constant(values.contains(constant)))
        }
        if values.isEmpty {
            guard let read = scalar(item) else { return nil }
            let domain = variables[read.variable].domain
            return terms.guarded(
                terms.add(.test(read.variable, yes: .none, no: domain.present)), by: read.isThere)
        }
        var parts: [TermID] = []
        for value in values {
            guard let part = comparison(.equal, item, with: value) else { return nil }
            parts.append(part)
        }
        return joined(parts) ?? terms.add(.any(parts))
    }

    /// Joins tests for equality with one variable into one test; nil if the variables differ.
    private mutating func joined(_ parts: [TermID]) -> TermID? {
        var variable: VariableIndex?
        var ranges: [ClosedRange<Rank>] = []
        var failing = RankSet.none
        for part in parts {
            guard case .test(let tested, let set, let no) = terms[part],
                variable == nil || variable == tested
            else { return nil }
            variable = tested
            ranges += set.ranges
            failing = set.union(no).complement(in: variables[tested].domain.whole)
        }
        guard let variable else { return nil }
        let yes = RankSet(ranges)
        let no = yes.union(failing).complement(in: variables[variable].domain.whole)
        return terms.add(.test(variable, yes: yes, no: no))
    }

    private mutating func contains(
        _ wanted: Value, read: Read, place: Place, type: CELType
    ) -> TermID? {
        guard !place.path.contains(.element), let element = element(of: place),
            let (yes, no) = variables.split(element.variable, .equal, constant: wanted)
        else { return nil }
        let body = terms.add(.test(element.variable, yes: yes, no: no))
        let some = some(read.variable, body: body, comesTo: .yes)
        return terms.guarded(terms.guarded(some, by: needs(read.variable)), by: read.isThere)
    }
}
