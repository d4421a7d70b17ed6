extension Plan {
    /// Evaluates fields, elements and arithmetic.
    @inline(never)
    func operation(
        _ node: PlanNode, in slots: borrowing SlotValues, state: inout EvaluationState
    ) throws(Failure) -> Value {
        let left = try value(Int(node.a), in: slots, state: &state)
        if node.operation == .select {
            return try element(constants[Int(node.b)], of: left, at: node)
        }
        if node.operation == .negate { return try negated(left, at: node) }
        let right = try value(Int(node.b), in: slots, state: &state)
        if node.operation == .index { return try element(right, of: left, at: node) }
        return try arithmetic(left, right, at: node, state: &state)
    }

    /// Returns `container.key` or `container[key]`. For an optional container, or with `?`, the
    /// result is optional.
    private func element(
        _ key: Value, of container: Value, at node: PlanNode
    ) throws(Failure) -> Value {
        if case .optional(let wrapped) = container {
            guard let wrapped else { return .optional(nil) }
            return .optional(try lookUp(key, in: wrapped, at: node))
        }
        let found = try lookUp(key, in: container, at: node)
        if node.flag { return .optional(found) }
        guard let found else {
            throw .failed(Self.absent(key, container: container), source: node.source)
        }
        return found
    }

    /// Returns nil if there is no such key or index.
    private func lookUp(
        _ key: Value, in container: Value, at node: PlanNode
    ) throws(Failure) -> Value? {
        switch container {
        case .map(let map): return map[key]
        case .list(let list) where node.operation == .index:
            guard let position = try position(key, at: node) else { return nil }
            return list.indices.contains(position) ? list[position] : nil
        case .null, .bool, .int, .uint, .double, .string, .bytes, .timestamp, .duration, .version,
            .list, .type, .optional:
            let what = node.operation == .index ? "elements" : "fields"
            throw .failed("\(container.type.phrase) has no \(what)", source: node.source)
        }
    }

    /// Returns an index; any number with an integer value is valid.
    private func position(_ index: Value, at node: PlanNode) throws(Failure) -> Int? {
        switch index {
        case .int(let index): return Int(exactly: index)
        case .uint(let index): return Int(exactly: index)
        case .double(let index):
            if let position = Int(exactly: index) { return position }
            throw .failed("a list has no index \(index)", source: node.source)
        case .null, .bool, .string, .bytes, .timestamp, .duration, .version, .list, .map, .type,
            .optional:
            throw .failed(
                "the index of a list must be an int, not \(index.type.phrase)", source: node.source)
        }
    }

    private static func absent(_ key: Value, container: Value) -> String {
        if case .list(let list) = container {
            return "index \(key) is outside a list of length \(list.count)"
        }
        return "the map has no key \(key)"
    }
}

// MARK: Arithmetic

extension Plan {
    private func negated(_ value: Value, at node: PlanNode) throws(Failure) -> Value {
        switch value {
        case .int(let number):
            guard number != .min else { throw .overflow(node) }
            return .int(-number)
        case .double(let number): return .double(-number)
        case .null, .bool, .uint, .string, .bytes, .timestamp, .duration, .version, .list, .map,
            .type, .optional:
            throw .failed(
                "`-` needs an int or a double, not \(value.type.phrase)", source: node.source)
        }
    }

    private func arithmetic(
        _ left: Value, _ right: Value, at node: PlanNode, state: inout EvaluationState
    ) throws(Failure) -> Value {
        let operation = node.operator
        switch (left, right) {
        case (.int(let a), .int(let b)):
            return .int(try whole(operation, left: a, right: b, at: node))
        case (.uint(let a), .uint(let b)):
            return .uint(try whole(operation, left: a, right: b, at: node))
        case (.double(let a), .double(let b)):
            switch operation {
            case .add: return .double(a + b)
            case .subtract: return .double(a - b)
            case .multiply: return .double(a * b)
            case .divide: return .double(a / b)
            case .and, .or, .conditional, .equal, .notEqual, .less, .lessOrEqual, .greater,
                .greaterOrEqual, .in, .modulo, .not, .negate, .index, .optionalIndex:
                break
            }
        case (.null, _), (.bool, _), (.int, _), (.uint, _), (.double, _), (.string, _), (.bytes, _),
            (.timestamp, _), (.duration, _), (.version, _), (.list, _), (.map, _), (.type, _),
            (.optional, _):
            if operation == .add, let sum = try concatenated(left, right, at: node, state: &state) {
                return sum
            }
            if let result = try time(operation, left: left, right: right, at: node) {
                return result
            }
        }
        throw .failed(
            "`\(operation.symbol)` does not work on \(left.type.phrase) and \(right.type.phrase)",
            source: node.source)
    }

    private func whole<Integer: FixedWidthInteger>(
        _ operation: Operator, left: Integer, right: Integer, at node: PlanNode
    ) throws(Failure) -> Integer {
        let result: (partialValue: Integer, overflow: Bool)
        switch operation {
        case .add: result = left.addingReportingOverflow(right)
        case .subtract: result = left.subtractingReportingOverflow(right)
        case .multiply: result = left.multipliedReportingOverflow(by: right)
        case .and, .or, .conditional, .equal, .notEqual, .less, .lessOrEqual, .greater,
            .greaterOrEqual, .in, .divide, .modulo, .not, .negate, .index, .optionalIndex:
            guard right != 0 else { throw .failed("division by zero", source: node.source) }
            result =
                operation == .divide
                ? left.dividedReportingOverflow(by: right)
                : left.remainderReportingOverflow(dividingBy: right)
        }
        guard !result.overflow else { throw .overflow(node) }
        return result.partialValue
    }

    private func concatenated(
        _ left: Value, _ right: Value, at node: PlanNode, state: inout EvaluationState
    ) throws(Failure) -> Value? {
        switch (left, right) {
        case (.string(let a), .string(let b)):
            try allow(a.utf8.count + b.utf8.count, cost: 4, at: node, state: &state)
            return .string(a + b)
        case (.bytes(let a), .bytes(let b)):
            try allow(a.count + b.count, cost: 4, at: node, state: &state)
            return .bytes(a + b)
        case (.list(let a), .list(let b)):
            try allow(a.count + b.count, cost: 0, at: node, state: &state)
            return .list(a + b)
        case (.null, _), (.bool, _), (.int, _), (.uint, _), (.double, _), (.string, _), (.bytes, _),
            (.timestamp, _), (.duration, _), (.version, _), (.list, _), (.map, _), (.type, _),
            (.optional, _):
            return nil
        }
    }

    /// Checks that a result of that size may be created, and charges one step for every two to the
    /// power of `cost` units.
    func allow(
        _ size: Int, cost: Int, at node: PlanNode, state: inout EvaluationState
    ) throws(Failure) {
        guard size <= limits.resultSize else {
            throw .failed(
                "the result is larger than \(limits.resultSize)", source: node.source)
        }
        try state.charge(size >> cost, at: node)
    }

    private func time(
        _ operation: Operator, left: Value, right: Value, at node: PlanNode
    ) throws(Failure) -> Value? {
        let result: Value?
        switch (operation, left, right) {
        case (.add, .timestamp(let instant), .duration(let duration)),
            (.add, .duration(let duration), .timestamp(let instant)):
            result = instant.adding(duration).map(Value.timestamp)
        case (.subtract, .timestamp(let instant), .duration(let duration)):
            result = instant.subtracting(duration).map(Value.timestamp)
        case (.subtract, .timestamp(let later), .timestamp(let earlier)):
            let between = later.duration(since: earlier)
            result = between.wholeNanoseconds == nil ? nil : .duration(between)
        case (.add, .duration(let a), .duration(let b)):
            result = a.adding(b).map(Value.duration)
        case (.subtract, .duration(let a), .duration(let b)):
            result = a.subtracting(b).map(Value.duration)
        default: return nil
        }
        guard let result else { throw .overflow(node) }
        return result
    }
}

extension Failure {
    static func overflow(_ node: PlanNode) -> Failure {
        .failed("the result is out of range", source: node.source)
    }
}

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
            throw .failed(
                "cannot compare \(left.type.phrase) with \(right.type.phrase)", source: node.source)
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
                "the right side of `in` must be a list or a map, not \(container.type.phrase)",
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
            throw .failed("\(value.type.phrase) has no fields", source: node.source)
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
