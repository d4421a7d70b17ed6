/// The branches of many conditions, one behind the other.
///
/// A program is two objects that may lie anywhere in memory; whoever evaluates now this and now
/// that one of a hundred thousand waits for each of them. Here a usual condition is two or three
/// neighbours in one array, and the slots that it reads are so in another.
public struct ConditionTable: Sendable {
    /// Where a condition stands in the table.
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
    /// Of each condition the slots that it reads.
    private var slots: [SlotIndex] = []
    /// How many slots there must be.
    private var slotCount = 0

    /// Also gives the place of each condition, in their order. That of none reads nothing and is
    /// never met.
    public static func holding(_ programs: [Program?]) -> (Self, places: [Place]) {
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

    /// Whether the condition at a place is met; nil when the bits of the slots do not tell, and its
    /// program has to be evaluated. The place is one of this table. Linear in the tests that the
    /// condition consists of.
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
    /// That of no condition: it is never met.
    public static let none = Self(branch: Branch.no, slots: 0..<0)
}
