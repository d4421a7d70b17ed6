/// The branches of many conditions, one behind the other.
///
/// A program is three objects that may lie anywhere in memory; whoever evaluates now this and now that one of a hundred
/// thousand waits for each of them. Here a usual condition is two or three neighbours in one array.
package struct ConditionTable: Sendable {
    private var branches: [Branch] = []
    /// How many slots there must be.
    private var slotCount = 0

    /// Also gives where each condition begins, in their order: something that only `isMet` understands.
    package static func holding(_ programs: [Program?]) -> (Self, starts: [Int32]) {
        var table = Self()
        // Conditions of the same text share a plan.
        var known: [ObjectIdentifier: Int32] = [:]
        let starts = programs.map { program -> Int32 in
            guard let plan = program?.plan else { return Branch.no }
            let start = known[ObjectIdentifier(plan)] ?? table.add(plan)
            known[ObjectIdentifier(plan)] = start
            return start
        }
        return (table, starts)
    }

    private init() {}

    private mutating func add(_ plan: Plan) -> Int32 {
        let offset = Int32(branches.count)
        func moved(_ target: Int32) -> Int32 { target < 0 ? target : target + offset }
        for var branch in plan.branches {
            branch.whenTrue = moved(branch.whenTrue)
            branch.whenFalse = moved(branch.whenFalse)
            branches.append(branch)
        }
        slotCount = max(slotCount, plan.slotCount)
        return moved(plan.firstBranch)
    }

    /// Whether the condition that begins there is met; nil when the bits of the slots do not tell, and its program
    /// has to be evaluated.
    package func isMet(_ start: Int32, _ slots: borrowing SlotValues) -> Bool? {
        guard slots.count >= slotCount else { return nil }
        var next = start
        while next >= 0 {
            let branch = branches[Int(next)]
            guard let holds = branch.holds(slots) else { return nil }
            next = holds ? branch.whenTrue : branch.whenFalse
        }
        return next == Branch.yes
    }
}
