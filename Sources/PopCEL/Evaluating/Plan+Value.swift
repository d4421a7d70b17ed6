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
            throw .failed("a key of a map cannot be \(key.type.phrase)", source: node.source)
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
                "an entry marked `?` needs an optional value, not \(value.type.phrase)",
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

extension Plan {
    /// Returns the truth value of a node.
    func truth(
        _ index: Int, in slots: borrowing SlotValues, state: inout EvaluationState
    ) -> TruthValue {
        let node = nodes[index]
        switch node.operation {
        case .and: return all(node, in: slots, state: &state)
        case .or: return any(node, in: slots, state: &state)
        case .not:
            switch truth(Int(node.a), in: slots, state: &state) {
            case .yes: return .no
            case .no: return .yes
            case .error: return .error
            }
        case .constantTruth: return TruthValue(node.flag)
        case .slotPresent: return TruthValue(slots.cells[Int(node.a)].kind != .missing)
        case .constant, .slot, .local, .fail, .select, .index, .arithmetic, .negate, .call,
            .hostCall, .list, .map, .optionalEntry, .comprehension, .conditional, .equal, .ordered,
            .membership, .inSet, .hasField, .localEqual:
            return generalTruth(index, in: slots, state: &state)
        }
    }

    private func all(
        _ node: PlanNode, in slots: borrowing SlotValues, state: inout EvaluationState
    ) -> TruthValue {
        for position in Int(node.a)..<Int(node.a) + Int(node.b) {
            switch truth(Int(operands[position]), in: slots, state: &state) {
            case .no: return .no
            case .yes: break
            case .error:
                return decided(by: .no, at: node, after: position, in: slots, state: &state)
            }
        }
        return .yes
    }

    private func any(
        _ node: PlanNode, in slots: borrowing SlotValues, state: inout EvaluationState
    ) -> TruthValue {
        for position in Int(node.a)..<Int(node.a) + Int(node.b) {
            switch truth(Int(operands[position]), in: slots, state: &state) {
            case .yes: return .yes
            case .no: break
            case .error:
                return decided(by: .yes, at: node, after: position, in: slots, state: &state)
            }
        }
        return .no
    }

    /// Evaluates the rest of `&&` or `||` after an operand has failed. The failure is the result
    /// unless a later operand decides.
    @inline(never)
    private func decided(
        by deciding: TruthValue, at node: PlanNode, after position: Int,
        in slots: borrowing SlotValues, state: inout EvaluationState
    ) -> TruthValue {
        let failure = state.failure
        for position in position + 1..<Int(node.a) + Int(node.b)
        where truth(Int(operands[position]), in: slots, state: &state) == deciding {
            return deciding
        }
        return state.fail(failure)
    }

    /// Evaluates a node that needs values.
    @inline(never)
    private func generalTruth(
        _ index: Int, in slots: borrowing SlotValues, state: inout EvaluationState
    ) -> TruthValue {
        do throws(Failure) {
            let node = nodes[index]
            switch node.operation {
            case .call where node.function.kind == .textTest:
                return TruthValue(try textTest(node.function, at: node, in: slots, state: &state))
            case .equal, .ordered, .membership, .inSet, .hasField, .localEqual:
                return TruthValue(try comparison(index, in: slots, state: &state))
            case .comprehension: return try comprehensionTruth(index, in: slots, state: &state)
            case .conditional: return try conditionalTruth(index, in: slots, state: &state)
            case .constant, .slot, .local, .fail, .select, .index, .arithmetic, .negate, .call,
                .hostCall, .list, .map, .optionalEntry, .constantTruth, .and, .or, .not,
                .slotPresent:
                break
            }
            let value = try value(index, in: slots, state: &state)
            guard case .bool(let truth) = value else {
                throw .failed(
                    "expected true or false, found \(value.type.phrase)", source: node.source)
            }
            return TruthValue(truth)
        } catch {
            return state.fail(error)
        }
    }

    private func conditionalTruth(
        _ index: Int, in slots: borrowing SlotValues, state: inout EvaluationState
    ) throws(Failure) -> TruthValue {
        let node = nodes[index]
        switch truth(Int(node.a), in: slots, state: &state) {
        case .yes: return truth(Int(node.b), in: slots, state: &state)
        case .no: return truth(Int(node.c), in: slots, state: &state)
        case .error: throw state.failure
        }
    }
}

// Conditions. Typical conditions are decided from plain bits: without allocation or reference
// counting.
extension Plan {
    /// Follows branches from `start` to the end of the condition, `Branch.yes` or `Branch.no`, or
    /// to the first branch that the bits of its slot don't decide.
    @inline(__always)
    func follow(_ start: Int32, in slots: borrowing SlotValues) -> Int32 {
        var next = start
        while next >= 0 {
            let branch = branches[Int(next)]
            guard let holds = holds(branch.test, in: slots) else { return next }
            next = holds ? branch.whenTrue : branch.whenFalse
        }
        return next
    }

    /// Returns nil if the bits don't decide.
    @inline(__always)
    private func holds(_ test: SlotTest, in slots: borrowing SlotValues) -> Bool? {
        if let holds = test.holds(slots) { return holds }
        return test.kind == .hasElement ? hasElement(test, in: slots) : nil
    }

    /// The maximum length of lists whose elements needn't be counted as steps: a branch is never in
    /// a loop.
    private static var shortList: Int { 1_000 }

    /// Returns true if a list contains an ASCII string. A canonically equivalent string would be
    /// longer in UTF-8, so Swift's own `==`, which is faster than comparing scalars, is correct
    /// here.
    @inline(never)
    private func hasElement(_ test: SlotTest, in slots: borrowing SlotValues) -> Bool? {
        guard let list = slots.list(at: SlotIndex(Int(test.slot))), list.count <= Self.shortList,
            case .string(let wanted) = constants[Int(test.cell.low)]
        else { return nil }
        let length = wanted.utf8.count
        for element in list {
            if case .string(let text) = element, text.utf8.count == length, text == wanted {
                return true
            }
        }
        return false
    }
}
