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

    /// The first `kept` of the values, as far as there are so many, and missing ones up to a count.
    func resized(to count: Int, keeping kept: Int = .max) -> SlotValues {
        var resized = SlotValues(count: count)
        for slot in 0..<min(values.count, kept, count) { resized[slot] = values[slot] }
        return resized
    }
}
