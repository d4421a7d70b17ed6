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
