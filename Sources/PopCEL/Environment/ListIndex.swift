/// An index into a list of one kind: a number that can't be used as an index into another list.
public protocol ListIndex:
    Hashable, Strideable, ExpressibleByIntegerLiteral, CustomStringConvertible, Sendable
where Stride == Int, IntegerLiteralType == Int {
    /// The number, counted from 0.
    var number: Int { get }

    /// Creates the index with that number.
    init(_ number: Int)
}

extension ListIndex {
    @inlinable @inline(__always)
    public init(integerLiteral number: Int) { self.init(number) }

    @inlinable @inline(__always)
    public static func < (left: Self, right: Self) -> Bool { left.number < right.number }

    @inlinable @inline(__always)
    public static func == (left: Self, right: Self) -> Bool { left.number == right.number }

    @inlinable @inline(__always)
    public func distance(to other: Self) -> Int { other.number - number }

    @inlinable @inline(__always)
    public func advanced(by distance: Int) -> Self { Self(number + distance) }

    public var description: String { "\(number)" }
}

/// A list with an index type of its own: the list that the indices belong to, or a parallel list
/// with an element for each index.
public struct ParallelArray<Index: ListIndex, Element>:
    RandomAccessCollection, MutableCollection, ExpressibleByArrayLiteral
{
    public typealias Indices = Range<Index>

    @usableFromInline
    var elements: [Element]

    /// Creates a list of the elements in this order.
    @inlinable
    public init(_ elements: [Element]) { self.elements = elements }

    @inlinable
    public init(arrayLiteral elements: Element...) { self.elements = elements }

    /// Creates a list with the same element at each index.
    @inlinable
    public init(repeating element: Element, count: Int) {
        elements = Array(repeating: element, count: count)
    }

    @inlinable @inline(__always)
    public var startIndex: Index { Index(0) }

    @inlinable @inline(__always)
    public var endIndex: Index { Index(elements.count) }

    @inlinable @inline(__always)
    public var indices: Range<Index> { startIndex..<endIndex }

    @inlinable @inline(__always)
    public var count: Int { elements.count }

    /// The element at an index, which belongs to the element at the same index of the parallel
    /// list.
    @inlinable @inline(__always)
    public subscript(index: Index) -> Element {
        get { elements[index.number] }
        _modify { yield &elements[index.number] }
    }

    /// Adds an element at the next index.
    @inlinable
    public mutating func append(_ element: Element) { elements.append(element) }

    /// Reserves memory for the given number of elements.
    @inlinable
    public mutating func reserveCapacity(_ count: Int) { elements.reserveCapacity(count) }
}

extension ParallelArray: Sendable where Element: Sendable {}
