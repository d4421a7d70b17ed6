/// A test of the bits of a slot.
struct SlotTest: Sendable {
    enum Kind: UInt8, Sendable {
        /// No test: the node of the branch has to be evaluated.
        case evaluate
        /// The slot has a value.
        case isPresent
        /// The slot equals the cell.
        case isEqual
        /// `operator` on the slot and the cell, numbers of one type.
        case isOrdered
        /// `operator` on the size of the slot and the cell, an int.
        case hasSize
        /// The slot starts with the cell, a short string.
        case startsWith
        /// The slot is a list with an element that equals the constant `cell.low`, a string of
        /// ASCII.
        case hasElement
    }

    // In this order all fields together take as much room as a cell.
    let cell: SlotCell
    let kind: Kind
    let `operator`: Operator
    /// True if the kind is `isEqual` or `isOrdered`. It is stored apart from the kind, because
    /// otherwise the compiler tests all kinds with one jump through a table, which some processors
    /// predict badly: E1 took 20.5 ns that way and takes 17.4 ns now.
    private let compares: Bool
    let slot: Int32

    init(
        cell: SlotCell = SlotCell(kind: .missing), kind: Kind, operator: Operator = .and,
        slot: Int32 = 0
    ) {
        self.cell = cell
        self.kind = kind
        self.operator = `operator`
        compares = kind == .isEqual || kind == .isOrdered
        self.slot = slot
    }
}

extension SlotTest {
    /// Returns the result that the bits of the slot decide; nil if they don't decide it.
    @inline(__always)
    func holds(_ slots: borrowing SlotValues) -> Bool? {
        if compares {
            let value = slots.cells[Int(slot)]
            return kind == .isEqual
                ? isEqual(value) : Self.ordered(value, cell, operation: `operator`)
        }
        return holdsOtherwise(slots)
    }

    @inline(__always)
    private func isEqual(_ value: SlotCell) -> Bool? {
        guard value.kind == cell.kind else {
            // A long string is never equal to a short one.
            return value.kind == .longString && cell.kind == .shortString ? false : nil
        }
        return value.low == cell.low && value.high == cell.high
    }

    @inline(__always)
    private func holdsOtherwise(_ slots: borrowing SlotValues) -> Bool? {
        switch kind {
        case .evaluate, .hasElement, .isEqual, .isOrdered: return nil
        case .isPresent: return slots.cells[Int(slot)].kind != .missing
        case .hasSize:
            let value = slots.cells[Int(slot)]
            guard value.kind == .list || value.kind == .map else { return nil }
            return Self.ordered(
                Int64(bitPattern: value.low), Int64(bitPattern: cell.low), operation: `operator`)
        case .startsWith: return Self.starts(slots.cells[Int(slot)], with: cell)
        }
    }

    /// Compares numbers of the same type; nil for others.
    @inline(__always)
    private static func ordered(
        _ left: SlotCell, _ right: SlotCell, operation: Operator
    ) -> Bool? {
        guard left.kind == right.kind else { return nil }
        switch left.kind {
        case .int:
            return ordered(
                Int64(bitPattern: left.low), Int64(bitPattern: right.low), operation: operation)
        case .uint: return ordered(left.low, right.low, operation: operation)
        case .double:
            return ordered(
                Double(bitPattern: left.low), Double(bitPattern: right.low), operation: operation)
        case .missing, .error, .bool, .shortString, .longString, .list, .map, .other: return nil
        }
    }

    @inline(__always)
    private static func ordered<Number: Comparable>(
        _ left: Number, _ right: Number, operation: Operator
    ) -> Bool {
        switch operation {
        case .less: left < right
        case .lessOrEqual: left <= right
        case .greater: left > right
        case .and, .or, .conditional, .equal, .notEqual, .greaterOrEqual, .in, .add, .subtract,
            .multiply, .divide, .modulo, .not, .negate, .index, .optionalIndex:
            left >= right
        }
    }

    /// Returns nil if the cell isn't a string.
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

/// The branches of many conditions, one after the other.
///
/// A program is two objects, which may be anywhere in memory. With a hundred thousand programs,
/// evaluating one after the other means waiting for each of them. In this table a typical condition
/// is two or three neighbors in one array, and the slots that it reads are neighbors in another.
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

    /// The slots that the condition at a place reads, in ascending order. The place must be from
    /// this table.
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
