/// The branches of many conditions, one behind the other.
///
/// A program is three objects that may lie anywhere in memory; whoever evaluates now this and now that one of a hundred
/// thousand waits for each of them. Here a usual condition is two or three neighbours in one array, and the slots that it
/// reads are so in another.
package struct ConditionTable: Sendable {
    /// Where a condition stands in the table.
    package struct Place: Sendable {
        fileprivate var branch: Int32
        /// The first of its slots, behind their number.
        fileprivate var slots: Int32
    }

    /// A branch without what only its plan understands: two thirds of the memory.
    private struct Row: Sendable {
        private let test: Branch.Test
        private let `operator`: Operator
        private let kind: SlotCell.Kind
        private let slot: Int32
        private let whenTrue: Int32
        private let whenFalse: Int32
        private let low: UInt64
        private let high: UInt64

        /// `offset` is where the first branch of the plan stands.
        init(_ branch: Branch, offset: Int32) {
            func moved(_ target: Int32) -> Int32 { target < 0 ? target : target + offset }
            test = branch.test
            self.operator = branch.operator
            kind = branch.cell.kind
            slot = branch.slot
            whenTrue = moved(branch.whenTrue)
            whenFalse = moved(branch.whenFalse)
            low = branch.cell.low
            high = branch.cell.high
        }

        var branch: Branch {
            Branch(
                test: test, operator: `operator`, slot: slot,
                cell: SlotCell(kind: kind, low: low, high: high), node: Branch.no,
                whenTrue: whenTrue, whenFalse: whenFalse)
        }
    }

    private var rows: [Row] = []
    /// Of each condition how many slots it reads, and which.
    private var slots: [Int] = [0]
    /// How many slots there must be.
    private var slotCount = 0

    /// Also gives the place of each condition, in their order. That of none reads nothing and is never met.
    package static func holding(_ programs: [Program?]) -> (Self, places: [Place]) {
        var table = Self()
        // Conditions of the same text share a plan.
        var known: [ObjectIdentifier: Place] = [:]
        let places = programs.map { program -> Place in
            guard let program else { return .none }
            let place = known[ObjectIdentifier(program.plan)] ?? table.add(program)
            known[ObjectIdentifier(program.plan)] = place
            return place
        }
        return (table, places)
    }

    private init() {}

    private mutating func add(_ program: Program) -> Place {
        let plan = program.plan
        let offset = Int32(rows.count)
        for branch in plan.branches { rows.append(Row(branch, offset: offset)) }
        slotCount = max(slotCount, plan.slotCount)
        slots.append(program.slots.count)
        let place = Place(
            branch: plan.firstBranch < 0 ? plan.firstBranch : plan.firstBranch + offset,
            slots: Int32(slots.count))
        slots += program.slots
        return place
    }

    /// The slots that the condition at a place reads, in ascending order.
    package func slots(at place: Place) -> ArraySlice<Int> {
        let start = Int(place.slots)
        return slots[start..<start + slots[start - 1]]
    }

    /// Whether the condition at a place is met; nil when the bits of the slots do not tell, and its program
    /// has to be evaluated.
    package func isMet(_ place: Place, _ slots: borrowing SlotValues) -> Bool? {
        guard slots.count >= slotCount else { return nil }
        var next = place.branch
        while next >= 0 {
            let branch = rows[Int(next)].branch
            guard let holds = branch.holds(slots) else { return nil }
            next = holds ? branch.whenTrue : branch.whenFalse
        }
        return next == Branch.yes
    }
}

extension ConditionTable.Place {
    package static let none = Self(branch: Branch.no, slots: 1)
}
