// Conditions. What usual conditions consist of is decided here from plain bits: no allocation, no reference counting.
extension Plan {
    /// Whether a node is true.
    func truth(
        _ index: Int, _ slots: borrowing SlotValues, _ state: inout EvaluationState
    ) -> TruthValue {
        let node = nodes[index]
        switch node.operation {
        case .slotTruth:
            let cell = slots.cells[Int(node.a)]
            if cell.kind == .bool { return TruthValue(cell.low != 0) }
        case .slotEqual:
            let cell = slots.cells[Int(node.a)]
            let constant = cells[Int(node.b)]
            if cell.kind == constant.kind, cell.kind.isExact {
                let isEqual = cell.low == constant.low && cell.high == constant.high
                return TruthValue(isEqual != node.flag)
            }
        case .slotOrdered:
            let cell = slots.cells[Int(node.a)]
            if let truth = Self.ordered(cell, cells[Int(node.b)], node.operator) { return truth }
        case .slotInSet:
            if let isInside = sets[Int(node.b)].contains(slots.cells[Int(node.a)]) {
                return TruthValue(isInside)
            }
        case .slotSizeOrdered:
            let cell = slots.cells[Int(node.a)]
            if cell.kind == .list || cell.kind == .map {
                let size = SlotCell(kind: .int, low: cell.low)
                if let truth = Self.ordered(size, cells[Int(node.b)], node.operator) {
                    return truth
                }
            }
        case .slotStartsWith:
            if let starts = Self.starts(slots.cells[Int(node.a)], with: cells[Int(node.b)]) {
                return TruthValue(starts)
            }
        case .and: return all(node, slots, &state)
        case .or: return any(node, slots, &state)
        case .not:
            switch truth(Int(node.a), slots, &state) {
            case .yes: return .no
            case .no: return .yes
            case .error: return .error
            }
        case .constantTruth: return TruthValue(node.flag)
        case .slotPresent: return TruthValue(slots.cells[Int(node.a)].kind != .missing)
        default: return generalTruth(index, slots, &state)
        }
        return generalTruth(Int(node.c), slots, &state)
    }

    private func all(
        _ node: PlanNode, _ slots: borrowing SlotValues, _ state: inout EvaluationState
    ) -> TruthValue {
        for position in Int(node.a)..<Int(node.a) + Int(node.b) {
            switch truth(Int(operands[position]), slots, &state) {
            case .no: return .no
            case .yes: break
            case .error: return decided(by: .no, node, after: position, slots, &state)
            }
        }
        return .yes
    }

    private func any(
        _ node: PlanNode, _ slots: borrowing SlotValues, _ state: inout EvaluationState
    ) -> TruthValue {
        for position in Int(node.a)..<Int(node.a) + Int(node.b) {
            switch truth(Int(operands[position]), slots, &state) {
            case .yes: return .yes
            case .no: break
            case .error: return decided(by: .yes, node, after: position, slots, &state)
            }
        }
        return .no
    }

    /// The rest of `&&` or `||` once an operand has failed: the failure stands unless a later operand decides.
    @inline(never)
    private func decided(
        by deciding: TruthValue, _ node: PlanNode, after position: Int,
        _ slots: borrowing SlotValues, _ state: inout EvaluationState
    ) -> TruthValue {
        let failure = state.failure
        for position in position + 1..<Int(node.a) + Int(node.b)
        where truth(Int(operands[position]), slots, &state) == deciding {
            return deciding
        }
        return state.fail(failure)
    }

    /// Numbers of the same type alone; nil for others.
    @inline(__always)
    private static func ordered(
        _ left: SlotCell, _ right: SlotCell, _ operation: Operator
    ) -> TruthValue? {
        guard left.kind == right.kind else { return nil }
        switch left.kind {
        case .int:
            return ordered(Int64(bitPattern: left.low), Int64(bitPattern: right.low), operation)
        case .uint: return ordered(left.low, right.low, operation)
        case .double:
            return ordered(Double(bitPattern: left.low), Double(bitPattern: right.low), operation)
        default: return nil
        }
    }

    @inline(__always)
    private static func ordered<Number: Comparable>(
        _ left: Number, _ right: Number, _ operation: Operator
    ) -> TruthValue {
        switch operation {
        case .less: TruthValue(left < right)
        case .lessOrEqual: TruthValue(left <= right)
        case .greater: TruthValue(left > right)
        default: TruthValue(left >= right)
        }
    }

    /// Nil when the text is no string.
    @inline(__always)
    private static func starts(_ text: SlotCell, with prefix: SlotCell) -> Bool? {
        guard text.kind == .shortString || text.kind == .longString else { return nil }
        let length = prefix.high >> 56
        if text.kind == .shortString, text.high >> 56 < length { return false }
        let lowMask: UInt64 = length >= 8 ? .max : (1 << (8 * length)) - 1
        let highMask: UInt64 = length <= 8 ? 0 : (1 << (8 * (length - 8))) - 1
        return (text.low ^ prefix.low) & lowMask == 0 && (text.high ^ prefix.high) & highMask == 0
    }

    /// Everything that needs values.
    @inline(never)
    private func generalTruth(
        _ index: Int, _ slots: borrowing SlotValues, _ state: inout EvaluationState
    ) -> TruthValue {
        do throws(Failure) {
            switch nodes[index].operation {
            case .equal, .ordered, .membership, .inSet, .hasField, .localEqual:
                return TruthValue(try comparison(index, slots, &state))
            case .comprehension: return try comprehensionTruth(index, slots, &state)
            case .conditional: return try conditionalTruth(index, slots, &state)
            default: break
            }
            let value = try value(index, slots, &state)
            guard case .bool(let truth) = value else {
                throw .failed(
                    "expected true or false, found \(value.type)", source: nodes[index].source)
            }
            return TruthValue(truth)
        } catch {
            return state.fail(error)
        }
    }

    private func conditionalTruth(
        _ index: Int, _ slots: borrowing SlotValues, _ state: inout EvaluationState
    ) throws(Failure) -> TruthValue {
        let node = nodes[index]
        switch truth(Int(node.a), slots, &state) {
        case .yes: return truth(Int(node.b), slots, &state)
        case .no: return truth(Int(node.c), slots, &state)
        case .error: throw state.failure
        }
    }
}
