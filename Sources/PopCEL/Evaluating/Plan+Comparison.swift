extension Plan {
    /// Evaluates an operation that compares values.
    @inline(never)
    func comparison(
        _ index: Int, in slots: borrowing SlotValues, state: inout EvaluationState
    ) throws(Failure) -> Bool {
        let node = nodes[index]
        if node.operation == .localEqual { return try localEqual(node, in: slots, state: &state) }
        let left = try value(Int(node.a), in: slots, state: &state)
        if node.operation == .inSet { return sets[Int(node.b)].contains(left) }
        if node.operation == .hasField {
            return try hasField(left, name: constants[Int(node.b)], at: node)
        }
        let right = try value(Int(node.b), in: slots, state: &state)
        if node.operation == .equal {
            return try areEqual(left, right, at: node, state: &state) != node.flag
        }
        if node.operation == .ordered { return try isOrdered(left, right, at: node) }
        return try isMember(left, of: right, at: node, state: &state)
    }

    private func localEqual(
        _ node: PlanNode, in slots: borrowing SlotValues, state: inout EvaluationState
    ) throws(Failure) -> Bool {
        if case .string(let text) = state.locals[Int(node.a)],
            case .string(let wanted) = constants[Int(node.b)]
        {
            return equalScalars(text, wanted) != node.flag
        }
        return try comparison(Int(node.c), in: slots, state: &state)
    }

    /// Compares values with the equality of `Value`, and counts the elements of lists and maps.
    func areEqual(
        _ left: Value, _ right: Value, at node: PlanNode, state: inout EvaluationState
    ) throws(Failure) -> Bool {
        switch (left, right) {
        case (.list(let a), .list(let b)):
            guard a.count == b.count else { return false }
            for position in a.indices {
                try state.charge(1, at: node)
                guard try areEqual(a[position], b[position], at: node, state: &state) else {
                    return false
                }
            }
            return true
        case (.map(let a), .map(let b)):
            guard a.count == b.count else { return false }
            for (key, value) in a {
                try state.charge(1, at: node)
                guard let other = b[key], try areEqual(value, other, at: node, state: &state) else {
                    return false
                }
            }
            return true
        case (.optional(let a?), .optional(let b?)):
            return try areEqual(a, b, at: node, state: &state)
        case (.string(let a), .string(let b)):
            try state.charge(min(a.utf8.count, b.utf8.count) >> 4, at: node)
            return equalScalars(a, b)
        case (.null, _), (.bool, _), (.int, _), (.uint, _), (.double, _), (.string, _), (.bytes, _),
            (.timestamp, _), (.duration, _), (.version, _), (.list, _), (.map, _), (.type, _),
            (.optional, _):
            return left == right
        }
    }

    private func isOrdered(
        _ left: Value, _ right: Value, at node: PlanNode
    ) throws(Failure) -> Bool {
        guard let order = left.order(right) else {
            throw .failed("cannot compare \(left.type) with \(right.type)", source: node.source)
        }
        return switch node.operator {
        case .less: order == .less
        case .lessOrEqual: order == .less || order == .equal
        case .greater: order == .greater
        case .and, .or, .conditional, .equal, .notEqual, .greaterOrEqual, .in, .add, .subtract,
            .multiply, .divide, .modulo, .not, .negate, .index, .optionalIndex:
            order == .greater || order == .equal
        }
    }

    private func isMember(
        _ element: Value, of container: Value, at node: PlanNode, state: inout EvaluationState
    ) throws(Failure) -> Bool {
        switch container {
        case .list(let list):
            for candidate in list {
                try state.charge(1, at: node)
                if try areEqual(element, candidate, at: node, state: &state) { return true }
            }
            return false
        case .map(let map): return map.position(of: element) != nil
        case .null, .bool, .int, .uint, .double, .string, .bytes, .timestamp, .duration, .version,
            .type, .optional:
            throw .failed(
                "the right side of `in` must be a list or a map, not \(container.type)",
                source: node.source)
        }
    }

    private func hasField(
        _ value: Value, name: Value, at node: PlanNode
    ) throws(Failure) -> Bool {
        switch value {
        case .map(let map): return map.position(of: name) != nil
        case .optional(let wrapped):
            guard let wrapped else { return false }
            return try hasField(wrapped, name: name, at: node)
        case .null, .bool, .int, .uint, .double, .string, .bytes, .timestamp, .duration, .version,
            .list, .type:
            throw .failed("\(value.type) has no fields", source: node.source)
        }
    }
}

extension Value {
    /// Returns the order of two values of an ordered type; nil for others.
    package func order(_ other: Value) -> NumericOrder? {
        switch (self, other) {
        case (.string(let a), .string(let b)): ordering(a.utf8, b.utf8)
        case (.bytes(let a), .bytes(let b)): ordering(a, b)
        case (.bool(let a), .bool(let b)): a == b ? .equal : a ? .greater : .less
        case (.timestamp(let a), .timestamp(let b)): a == b ? .equal : a < b ? .less : .greater
        case (.duration(let a), .duration(let b)): a == b ? .equal : a < b ? .less : .greater
        case (.version(let a), .version(let b)): a == b ? .equal : a < b ? .less : .greater
        case (.null, _), (.bool, _), (.int, _), (.uint, _), (.double, _), (.string, _), (.bytes, _),
            (.timestamp, _), (.duration, _), (.version, _), (.list, _), (.map, _), (.type, _),
            (.optional, _):
            numericOrder(other)
        }
    }
}

/// Compares in UTF-8, which sorts as the Unicode scalars do.
private func ordering<Bytes: Sequence<UInt8>>(_ left: Bytes, _ right: Bytes) -> NumericOrder {
    if left.elementsEqual(right) { return .equal }
    return left.lexicographicallyPrecedes(right) ? .less : .greater
}
