extension Plan {
    /// True if the bound is certainly 0, as for most conditions, which compare slots with numbers
    /// and short strings. Saves a sixth of the instructions of compiling such a condition; false
    /// means unknown.
    var costsNothing: Bool {
        nodes[root].operation.isTest && nodes.indices.allSatisfy { costsNothing(nodes[$0]) }
    }

    private func costsNothing(_ node: PlanNode) -> Bool {
        switch node.operation {
        case .constant, .slot: true
        case .equal: isComparedFreely(Int(node.a)) || isComparedFreely(Int(node.b))
        case .local, .fail, .select, .index, .arithmetic, .negate, .call, .hostCall, .list, .map,
            .optionalEntry, .comprehension, .conditional, .constantTruth, .and, .or, .not, .ordered,
            .membership, .inSet, .hasField, .slotPresent, .localEqual:
            node.operation.isTest
        }
    }

    /// Returns true if a node is a constant that can be compared with anything in less than a step.
    private func isComparedFreely(_ node: Int) -> Bool {
        guard let value = constant(node) else { return false }
        switch value {
        case .string(let text): return StepBound(text.utf8.count).stepsOfBytes == .zero
        case .bytes, .list, .map, .optional: return false
        case .null, .bool, .int, .uint, .double, .timestamp, .duration, .version, .type: return true
        }
    }
}

extension Operation {
    /// True if the operation results in true or false and costs no more than its operands; for
    /// `equal` this depends on the operands.
    fileprivate var isTest: Bool {
        switch self {
        case .constantTruth, .slotPresent, .and, .or, .not, .ordered, .inSet, .equal: true
        case .constant, .slot, .local, .fail, .select, .index, .arithmetic, .negate, .call,
            .hostCall, .list, .map, .optionalEntry, .comprehension, .conditional, .membership,
            .hasField, .localEqual:
            false
        }
    }
}
