extension Plan {
    /// Returns the value of a node.
    func value(
        _ index: Int, in slots: borrowing SlotValues, state: inout EvaluationState
    ) throws(Failure) -> Value {
        let node = nodes[index]
        switch node.operation {
        case .constant: return constants[Int(node.a)]
        case .slot: return try slotValue(node, in: slots)
        case .local: return state.locals[Int(node.a)]
        case .fail: throw .failed(messages[Int(node.a)], source: node.source)
        case .conditional: return try conditional(node, in: slots, state: &state)
        case .select, .index, .arithmetic, .negate:
            return try operation(node, in: slots, state: &state)
        case .call: return try call(node, in: slots, state: &state)
        case .hostCall: return try hostCall(node, in: slots, state: &state)
        case .list: return try list(node, in: slots, state: &state)
        case .map: return try map(node, in: slots, state: &state)
        case .optionalEntry: return try value(Int(node.a), in: slots, state: &state)
        case .comprehension: return try comprehension(index, in: slots, state: &state)
        case .constantTruth, .and, .or, .not, .equal, .ordered, .membership, .inSet, .hasField,
            .slotPresent, .localEqual:
            return try truthValue(index, in: slots, state: &state)
        }
    }

    private func truthValue(
        _ index: Int, in slots: borrowing SlotValues, state: inout EvaluationState
    ) throws(Failure) -> Value {
        switch truth(index, in: slots, state: &state) {
        case .yes: return .bool(true)
        case .no: return .bool(false)
        case .error: throw state.failure
        }
    }

    private func slotValue(
        _ node: PlanNode, in slots: borrowing SlotValues
    ) throws(Failure) -> Value {
        switch slots[SlotIndex(Int(node.a))] {
        case .value(let value): return value
        case .missing: throw .missing(source: node.source)
        case .error(let error): throw .slot(error)
        }
    }

    @inline(never)
    private func conditional(
        _ node: PlanNode, in slots: borrowing SlotValues, state: inout EvaluationState
    ) throws(Failure) -> Value {
        switch truth(Int(node.a), in: slots, state: &state) {
        case .yes: return try value(Int(node.b), in: slots, state: &state)
        case .no: return try value(Int(node.c), in: slots, state: &state)
        case .error: throw state.failure
        }
    }

    @inline(never)
    private func list(
        _ node: PlanNode, in slots: borrowing SlotValues, state: inout EvaluationState
    ) throws(Failure) -> Value {
        var elements: [Value] = []
        elements.reserveCapacity(Int(node.b))
        for position in Int(node.a)..<Int(node.a) + Int(node.b) {
            let operand = Int(operands[position])
            let value = try value(operand, in: slots, state: &state)
            if nodes[operand].operation == .optionalEntry {
                guard let wrapped = try unwrapped(value, at: node) else { continue }
                elements.append(wrapped)
            } else {
                elements.append(value)
            }
        }
        return .list(elements)
    }

    @inline(never)
    private func map(
        _ node: PlanNode, in slots: borrowing SlotValues, state: inout EvaluationState
    ) throws(Failure) -> Value {
        var map = ValueMap()
        for position in stride(from: Int(node.a), to: Int(node.a) + Int(node.b), by: 2) {
            let operand = Int(operands[position])
            let key = try value(operand, in: slots, state: &state)
            var value = try value(Int(operands[position + 1]), in: slots, state: &state)
            if nodes[operand].operation == .optionalEntry {
                guard let wrapped = try unwrapped(value, at: node) else { continue }
                value = wrapped
            }
            try insert(key, value: value, into: &map, at: node)
        }
        return .map(map)
    }

    func insert(
        _ key: Value, value: Value, into map: inout ValueMap, at node: PlanNode
    ) throws(Failure) {
        switch key {
        case .bool, .int, .uint, .string: break
        case .null, .double, .bytes, .timestamp, .duration, .version, .list, .map, .type, .optional:
            throw .failed("a key of a map cannot be \(key.type)", source: node.source)
        }
        guard map.position(of: key) == nil else {
            throw .failed("the key \(key) appears twice in a map", source: node.source)
        }
        map[key] = value
    }

    /// Returns the wrapped value of an optional value.
    private func unwrapped(_ value: Value, at node: PlanNode) throws(Failure) -> Value? {
        guard case .optional(let wrapped) = value else {
            throw .failed(
                "an entry marked `?` needs an optional value, not \(value.type)",
                source: node.source)
        }
        return wrapped
    }

    @inline(never)
    private func hostCall(
        _ node: PlanNode, in slots: borrowing SlotValues, state: inout EvaluationState
    ) throws(Failure) -> Value {
        var arguments: [Value] = []
        for position in Int(node.a)..<Int(node.a) + Int(node.b) {
            arguments.append(try value(Int(operands[position]), in: slots, state: &state))
        }
        let function = hostFunctions[Int(node.c)]
        guard let implementation = function.implementation else {
            throw .failed("`\(function.name)` cannot be evaluated", source: node.source)
        }
        do throws(EvaluationError) {
            return try implementation(arguments)
        } catch {
            throw error.range == nil ? .failed(error.message, source: node.source) : .slot(error)
        }
    }
}
