extension Plan {
    /// A comprehension as its operands define it.
    struct Loop {
        var range: Int
        var body: Int
        var filter: Int?
        var local: Int
        var isPair: Bool
        var cost: Int

        init(_ plan: Plan, node: PlanNode) {
            func part(_ offset: Int) -> Int { Int(plan.operands[Int(node.a) + offset]) }
            range = part(Comprehension.range)
            body = part(Comprehension.body)
            let filter = part(Comprehension.filter)
            self.filter = filter < 0 ? nil : filter
            local = part(Comprehension.local)
            isPair = part(Comprehension.variables) == 2
            cost = part(Comprehension.cost)
        }
    }

    /// Evaluates a macro that results in a value.
    @inline(never)
    func comprehension(
        _ index: Int, in slots: borrowing SlotValues, state: inout EvaluationState
    ) throws(Failure) -> Value {
        let node = nodes[index]
        let loop = Loop(self, node: node)
        switch node.macro {
        case .bind:
            state.locals[loop.local] = try value(loop.range, in: slots, state: &state)
            return try value(loop.body, in: slots, state: &state)
        case .optMap, .optFlatMap: return try optional(node, loop: loop, in: slots, state: &state)
        case .map, .filter, .transformList:
            return try list(node, loop: loop, in: slots, state: &state)
        case .transformMap, .transformMapEntry:
            return try map(node, loop: loop, in: slots, state: &state)
        case .all, .exists, .existsOne:
            switch try comprehensionTruth(index, in: slots, state: &state) {
            case .yes: return .bool(true)
            case .no: return .bool(false)
            case .error: throw state.failure
            }
        }
    }

    /// Evaluates `all`, `exists` and `exists_one`; other macros if they are used as a condition.
    @inline(never)
    func comprehensionTruth(
        _ index: Int, in slots: borrowing SlotValues, state: inout EvaluationState
    ) throws(Failure) -> TruthValue {
        let node = nodes[index]
        let loop = Loop(self, node: node)
        switch node.macro {
        case .all:
            return try quantified(node, loop: loop, deciding: .no, in: slots, state: &state)
        case .exists:
            return try quantified(node, loop: loop, deciding: .yes, in: slots, state: &state)
        case .existsOne:
            var count = 0
            try forEach(node, loop: loop, in: slots, state: &state) {
                (_, slots, state) throws(Failure) in
                switch self.truth(loop.body, in: slots, state: &state) {
                case .yes: count += 1
                case .no: break
                case .error: throw state.failure
                }
                return true
            }
            return TruthValue(count == 1)
        case .map, .filter, .transformList, .transformMap, .transformMapEntry, .bind, .optMap,
            .optFlatMap:
            let value = try comprehension(index, in: slots, state: &state)
            guard case .bool(let truth) = value else {
                throw .failed(
                    "expected true or false, found \(value.type.phrase)", source: node.source)
            }
            return TruthValue(truth)
        }
    }

    /// Ends at the first deciding element; an error counts only if no element decides.
    private func quantified(
        _ node: PlanNode, loop: Loop, deciding: TruthValue, in slots: borrowing SlotValues,
        state: inout EvaluationState
    ) throws(Failure) -> TruthValue {
        var result: TruthValue = deciding == .yes ? .no : .yes
        try forEach(node, loop: loop, in: slots, state: &state) {
            (_, slots, state) throws(Failure) in
            let truth = self.truth(loop.body, in: slots, state: &state)
            if truth == deciding {
                result = deciding
                return false
            }
            if truth == .error {
                // A used-up budget stays used up.
                if case .tooExpensive = state.failure { throw state.failure }
                result = .error
            }
            return true
        }
        return result
    }

    /// Sets the variables for each element for which the filter is true, until the body returns
    /// false.
    private func forEach(
        _ node: PlanNode, loop: Loop, in slots: borrowing SlotValues,
        state: inout EvaluationState,
        body: (
            _ key: Value, _ slots: borrowing SlotValues, _ state: inout EvaluationState
        ) throws(Failure) -> Bool
    ) throws(Failure) {
        switch try value(loop.range, in: slots, state: &state) {
        case .list(let list):
            for (position, element) in list.enumerated() {
                try state.charge(loop.cost, at: node)
                if loop.isPair {
                    state.locals[loop.local] = .int(Int64(position))
                    state.locals[loop.local + 1] = element
                } else {
                    state.locals[loop.local] = element
                }
                guard try passes(loop, in: slots, state: &state) else { continue }
                guard try body(state.locals[loop.local], slots, &state) else { return }
            }
        case .map(let map):
            for (key, element) in map {
                try state.charge(loop.cost, at: node)
                state.locals[loop.local] = key
                if loop.isPair { state.locals[loop.local + 1] = element }
                guard try passes(loop, in: slots, state: &state) else { continue }
                guard try body(key, slots, &state) else { return }
            }
        case let other:
            throw .failed(
                "expected a list or a map, found \(other.type.phrase)", source: node.source)
        }
    }

    private func passes(
        _ loop: Loop, in slots: borrowing SlotValues, state: inout EvaluationState
    ) throws(Failure) -> Bool {
        guard let filter = loop.filter else { return true }
        switch truth(filter, in: slots, state: &state) {
        case .yes: return true
        case .no: return false
        case .error: throw state.failure
        }
    }

    private func list(
        _ node: PlanNode, loop: Loop, in slots: borrowing SlotValues,
        state: inout EvaluationState
    ) throws(Failure) -> Value {
        var elements: [Value] = []
        let isFilter = node.macro == .filter
        try forEach(node, loop: loop, in: slots, state: &state) {
            (key, slots, state) throws(Failure) in
            if isFilter {
                switch self.truth(loop.body, in: slots, state: &state) {
                case .yes: elements.append(key)
                case .no: break
                case .error: throw state.failure
                }
            } else {
                elements.append(try self.value(loop.body, in: slots, state: &state))
            }
            return true
        }
        return .list(elements)
    }

    private func map(
        _ node: PlanNode, loop: Loop, in slots: borrowing SlotValues,
        state: inout EvaluationState
    ) throws(Failure) -> Value {
        var result = ValueMap()
        let givesEntries = node.macro == .transformMapEntry
        try forEach(node, loop: loop, in: slots, state: &state) {
            (key, slots, state) throws(Failure) in
            let value = try self.value(loop.body, in: slots, state: &state)
            if !givesEntries {
                try self.insert(key, value: value, into: &result, at: node)
            } else if case .map(let entries) = value {
                for (key, value) in entries {
                    try state.charge(1, at: node)
                    try self.insert(key, value: value, into: &result, at: node)
                }
            } else {
                throw .failed("expected a map, found \(value.type.phrase)", source: node.source)
            }
            return true
        }
        return .map(result)
    }

    private func optional(
        _ node: PlanNode, loop: Loop, in slots: borrowing SlotValues,
        state: inout EvaluationState
    ) throws(Failure) -> Value {
        guard case .optional(let wrapped) = try value(loop.range, in: slots, state: &state) else {
            throw .failed("expected an optional value", source: node.source)
        }
        guard let wrapped else { return .optional(nil) }
        state.locals[loop.local] = wrapped
        let result = try value(loop.body, in: slots, state: &state)
        if node.macro == .optMap { return .optional(result) }
        guard case .optional = result else {
            throw .failed(
                "expected an optional value, found \(result.type.phrase)", source: node.source)
        }
        return result
    }
}
