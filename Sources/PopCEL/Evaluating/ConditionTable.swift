/// The branches of many conditions, one after the other.
///
/// A program is two objects anywhere in memory; evaluating alternating ones out of a hundred
/// thousand means waiting for each of them. In this table a typical condition is two or three
/// neighbors in one array, and the slots that it reads are neighbors in another.
public struct ConditionTable: Sendable {
    /// The position of a condition in the table.
    public struct Place: Sendable {
        fileprivate var branch: Int32
        /// The part of the table's slots that it reads.
        fileprivate var slots: Range<Int32>
    }

    /// A branch without the node of its program: half a cache line.
    private struct Step {
        var test: SlotTest
        var whenTrue: Int32
        var whenFalse: Int32
    }

    private var steps: [Step] = []
    /// The slots that each condition reads, one condition after the other.
    private var slots: [SlotIndex] = []
    /// The number of slots that the conditions need.
    private var slotCount = 0

    /// Returns a table and the place of each condition, in their order. The place of a nil program
    /// reads nothing and is never met.
    public static func holding(_ programs: [Program?]) -> (Self, places: [Place]) {
        var table = Self()
        // Conditions with the same text share a plan.
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
        let offset = Int32(steps.count)
        func moved(_ target: Int32) -> Int32 { target < 0 ? target : target + offset }
        for branch in plan.branches {
            steps.append(
                Step(
                    test: branch.test, whenTrue: moved(branch.whenTrue),
                    whenFalse: moved(branch.whenFalse)))
        }
        slotCount = max(slotCount, plan.slotCount)
        let start = Int32(slots.count)
        slots += program.slots
        return Place(branch: moved(plan.firstBranch), slots: start..<Int32(slots.count))
    }

    /// The slots that the condition at a place reads, in ascending order. The place is one of this
    /// table.
    public func slots(at place: Place) -> ArraySlice<SlotIndex> {
        slots[Int(place.slots.lowerBound)..<Int(place.slots.upperBound)]
    }

    /// Returns true if the condition at a place is met; nil if the bits of the slots don't decide
    /// it, and its program has to be evaluated. The place must belong to this table. Linear in the
    /// tests of the condition.
    public func isMet(_ place: Place, in slots: borrowing SlotValues) -> Bool? {
        guard slots.count >= slotCount else { return nil }
        var next = place.branch
        while next >= 0 {
            let step = steps[Int(next)]
            guard let holds = step.test.holds(slots) else { return nil }
            next = holds ? step.whenTrue : step.whenFalse
        }
        return next == Branch.yes
    }
}

extension ConditionTable.Place {
    /// The place of no condition: it is never met.
    public static let none = Self(branch: Branch.no, slots: 0..<0)
}
