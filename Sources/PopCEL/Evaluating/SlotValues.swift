/// The content of a slot while an expression is evaluated.
public enum SlotValue: Sendable, Hashable {
    /// No value: reading it is an error, `has()` of it is false.
    case missing
    /// The value that a program reads; its type isn't checked again.
    case value(Value)
    /// The producer of the value has failed: reading it results in that error.
    indirect case error(EvaluationError)
}

/// The values of all slots at one time: the input of an evaluation.
///
/// A value is packed into a cell of plain bits, so that typical conditions are evaluated without
/// touching any reference count. A value that doesn't fit into a cell is stored in a parallel
/// array.
public struct SlotValues: Sendable {
    private(set) var cells: [SlotCell]
    /// The values of slots whose cells aren't whole; for the others the entry is missing and never
    /// read.
    private var values: [SlotValue]

    /// Creates values in which all slots are missing.
    public init(count: Int) {
        cells = Array(repeating: SlotCell(kind: .missing), count: count)
        values = Array(repeating: .missing, count: count)
    }

    /// The number of slots, which are numbered from 0.
    public var count: Int { cells.count }

    /// Precondition: the slot is less than the count.
    public subscript(slot: SlotIndex) -> SlotValue {
        get { cells[slot.number].whole ?? values[slot.number] }
        set { put(newValue, cell: SlotCell(newValue), slot: slot) }
    }

    /// Returns the list in a slot, or nil if the slot contains no list.
    func list(at slot: SlotIndex) -> [Value]? {
        if case .value(.list(let list)) = values[slot.number] { list } else { nil }
    }

    /// Sets a slot, and returns true if its content differs from before: `1` and `1.0` differ here.
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

    /// Most slots contain scalars: then the values aren't touched, which avoids waiting for memory.
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

    /// Returns the first `kept` values, as far as they exist, filled up with missing values to a
    /// count.
    func resized(to count: Int, keeping kept: Int = .max) -> SlotValues {
        var resized = SlotValues(count: count)
        for slot in SlotIndex(0)..<SlotIndex(min(self.count, kept, count)) {
            resized[slot] = self[slot]
        }
        return resized
    }
}
