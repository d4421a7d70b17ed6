/// The index of a slot in a `SlotTable`, and of its value in `SlotValues`.
public struct SlotIndex: ListIndex {
    /// The number, counted from 0.
    public let number: Int

    /// Creates the index with that number.
    @inlinable @inline(__always)
    public init(_ number: Int) { self.number = number }
}
