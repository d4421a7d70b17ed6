// Conditions. What usual conditions consist of is decided here from plain bits: no allocation, no reference counting.
extension Plan {
    /// Follows branches from one to the end of the condition, `Branch.yes` or `Branch.no`, or to the first that the bits of
    /// its slot do not decide.
    func follow(_ start: Int32, _ slots: borrowing SlotValues) -> Int32 {
        var next = start
        while next >= 0 {
            let branch = branches[Int(next)]
            guard let holds = holds(branch, slots) else { return next }
            next = holds ? branch.whenTrue : branch.whenFalse
        }
        return next
    }

    /// Nil when the bits do not tell.
    @inline(__always)
    private func holds(_ branch: Branch, _ slots: borrowing SlotValues) -> Bool? {
        branch.test == .hasElement ? hasElement(branch, slots) : branch.holds(slots)
    }

    /// Lists whose elements need not be counted as steps: a branch stands in no loop.
    private static var shortList: Int { 1_000 }

    /// Whether a list holds a string of ASCII. What is canonically equivalent to such a one is longer in UTF-8, so Swift's
    /// own `==`, which is faster than comparing scalars, is right here.
    @inline(never)
    private func hasElement(_ branch: Branch, _ slots: borrowing SlotValues) -> Bool? {
        guard let list = slots.list(at: Int(branch.slot)), list.count <= Self.shortList,
            case .string(let wanted) = constants[Int(branch.cell.low)]
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

extension Branch {
    /// What the bits of the slot say alone; nil when they do not tell.
    @inline(__always)
    func holds(_ slots: borrowing SlotValues) -> Bool? {
        switch test {
        case .evaluate, .hasElement: return nil
        case .isTrue:
            let value = slots.cells[Int(slot)]
            return value.kind == .bool ? value.low != 0 : nil
        case .isPresent: return slots.cells[Int(slot)].kind != .missing
        case .isEqual:
            let value = slots.cells[Int(slot)]
            guard value.kind == cell.kind else {
                // A long string is never equal to a short one.
                return value.kind == .longString && cell.kind == .shortString ? false : nil
            }
            return value.low == cell.low && value.high == cell.high
        case .isOrdered: return Self.ordered(slots.cells[Int(slot)], cell, `operator`)
        case .hasSize:
            let value = slots.cells[Int(slot)]
            guard value.kind == .list || value.kind == .map else { return nil }
            return Self.ordered(
                Int64(bitPattern: value.low), Int64(bitPattern: cell.low), `operator`)
        case .startsWith: return Self.starts(slots.cells[Int(slot)], with: cell)
        }
    }

    /// Numbers of the same type alone; nil for others.
    @inline(__always)
    private static func ordered(
        _ left: SlotCell, _ right: SlotCell, _ operation: Operator
    ) -> Bool? {
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
    ) -> Bool {
        switch operation {
        case .less: left < right
        case .lessOrEqual: left <= right
        case .greater: left > right
        default: left >= right
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
}
