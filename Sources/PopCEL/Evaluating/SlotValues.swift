/// What a slot holds while an expression is evaluated.
public enum SlotValue: Sendable, Hashable {
    /// Nothing: reading it is an error, `has()` of it is false.
    case missing
    /// What a program reads there; its type is not checked again.
    case value(Value)
    /// Whatever made the value has failed: reading it is that error.
    indirect case error(EvaluationError)
}

/// The values of all slots at one moment: what programs are evaluated against.
///
/// A value is packed into a cell of plain bits, so that usual conditions are evaluated without
/// touching any reference count. What a cell cannot hold entirely stands beside it.
public struct SlotValues: Sendable {
    private(set) var cells: [SlotCell]
    /// Of slots whose cells are not whole; the others are missing here, and nobody looks.
    private var values: [SlotValue]

    /// All slots are missing.
    public init(count: Int) {
        cells = Array(repeating: SlotCell(kind: .missing), count: count)
        values = Array(repeating: .missing, count: count)
    }

    /// How many slots there are, numbered from 0.
    public var count: Int { cells.count }

    /// Precondition: the slot is less than the count.
    public subscript(slot: SlotIndex) -> SlotValue {
        get { cells[slot.number].whole ?? values[slot.number] }
        set { put(newValue, cell: SlotCell(newValue), slot: slot) }
    }

    /// The list that a slot holds, if it holds one.
    func list(at slot: SlotIndex) -> [Value]? {
        if case .value(.list(let list)) = values[slot.number] { list } else { nil }
    }

    /// Sets a slot, and says whether it holds something else than before: `1` and `1.0` are not the
    /// same here.
    package mutating func replace(_ slot: SlotIndex, by value: SlotValue) -> Bool {
        let (former, cell) = (cells[slot.number], SlotCell(value))
        if former.kind.isWhole, cell.kind.isWhole {
            cells[slot.number] = cell
            return !former.isSame(as: cell)
        }
        let isOther = !isSame(self[slot], value)
        put(value, cell: cell, slot: slot)
        return isOther
    }

    /// Most slots hold scalars: then the values are left alone, which spares a wait for memory.
    private mutating func put(_ value: SlotValue, cell: SlotCell, slot: SlotIndex) {
        if !cell.kind.isWhole {
            values[slot.number] = value
        } else if !cells[slot.number].kind.isWhole {
            values[slot.number] = .missing
        }
        cells[slot.number] = cell
    }

    private func isSame(_ left: SlotValue, _ right: SlotValue) -> Bool {
        if case (.value(let left), .value(let right)) = (left, right) {
            return left == right && left.type == right.type
        }
        return left == right
    }

    /// The first `kept` of the values, as far as there are so many, and missing ones up to a count.
    func resized(to count: Int, keeping kept: Int = .max) -> SlotValues {
        var resized = SlotValues(count: count)
        for slot in SlotIndex(0)..<SlotIndex(min(self.count, kept, count)) {
            resized[slot] = self[slot]
        }
        return resized
    }
}
