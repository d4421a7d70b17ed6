/// What a slot holds while an expression is evaluated.
public enum SlotValue: Sendable, Hashable {
    /// Nothing: reading it is an error, `has()` of it is false.
    case missing
    case value(Value)
    /// Whatever made the value has failed: reading it is that error.
    indirect case error(EvaluationError)
}

/// The values of all slots at one moment: what programs are evaluated against.
///
/// Setting a slot also packs its value into a cell of plain bits, so that usual conditions are evaluated without
/// touching any reference count.
public struct SlotValues: Sendable {
    private(set) var cells: [SlotCell]
    private(set) var values: [SlotValue]

    /// All slots are missing.
    public init(count: Int) {
        cells = Array(repeating: SlotCell(kind: .missing), count: count)
        values = Array(repeating: .missing, count: count)
    }

    public var count: Int { values.count }

    /// Precondition: the slot is less than the count.
    public subscript(slot: Int) -> SlotValue {
        get { values[slot] }
        set {
            cells[slot] = SlotCell(newValue)
            values[slot] = newValue
        }
    }

    /// Sets a slot, and says whether it holds something else than before: `1` and `1.0` are not the same here.
    package mutating func replace(_ slot: Int, by value: SlotValue) -> Bool {
        let (former, cell) = (cells[slot], SlotCell(value))
        let isOther =
            former.kind.isScalar && cell.kind.isScalar
            ? former != cell : !isSame(values[slot], value)
        cells[slot] = cell
        values[slot] = value
        return isOther
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
        for slot in 0..<min(values.count, kept, count) { resized[slot] = values[slot] }
        return resized
    }
}
