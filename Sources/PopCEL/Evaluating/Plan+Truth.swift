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
                    "expected true or false, found \(value.type)", source: node.source)
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
