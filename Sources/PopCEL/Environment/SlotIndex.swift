/// The place of a slot in a `SlotTable`, and of its value in `SlotValues`.
public struct SlotIndex: ListIndex {
    /// Counts from 0.
    public let number: Int

    /// The place of that number.
    @inlinable @inline(__always)
    public init(_ number: Int) { self.number = number }
}
