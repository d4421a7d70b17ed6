// Conditions. What usual conditions consist of is decided here from plain bits: no allocation, no
// reference counting.
extension Plan {
    /// Follows branches from one to the end of the condition, `Branch.yes` or `Branch.no`, or to
    /// the first that the bits of its slot do not decide.
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

    /// Nil when the bits do not tell.
    @inline(__always)
    private func holds(_ test: SlotTest, in slots: borrowing SlotValues) -> Bool? {
        if let holds = test.holds(slots) { return holds }
        return test.kind == .hasElement ? hasElement(test, in: slots) : nil
    }

    /// Lists whose elements need not be counted as steps: a branch stands in no loop.
    private static var shortList: Int { 1_000 }

    /// Whether a list holds a string of ASCII. What is canonically equivalent to such a one is
    /// longer in UTF-8, so Swift's own `==`, which is faster than comparing scalars, is right here.
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
