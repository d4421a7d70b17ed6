/// The place of something in a list of its kind: a number that cannot be taken for a place in
/// another list.
public protocol ListIndex:
    Hashable, Strideable, ExpressibleByIntegerLiteral, CustomStringConvertible, Sendable
where Stride == Int, IntegerLiteralType == Int {
    /// Counts from 0.
    var number: Int { get }

    /// The place of that number.
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

/// A list with places of a kind of its own: the list whose places they are, or one that stands
/// beside that, with an element for each.
public struct ParallelArray<Index: ListIndex, Element>:
    RandomAccessCollection, MutableCollection, ExpressibleByArrayLiteral
{
    public typealias Indices = Range<Index>

    @usableFromInline
    var elements: [Element]

    /// The elements in the order of their places.
    @inlinable
    public init(_ elements: [Element]) { self.elements = elements }

    @inlinable
    public init(arrayLiteral elements: Element...) { self.elements = elements }

    /// The same element at each place.
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

    /// The element at a place, or for what stands there in the list beside which this one stands.
    @inlinable @inline(__always)
    public subscript(index: Index) -> Element {
        get { elements[index.number] }
        _modify { yield &elements[index.number] }
    }

    /// Adds an element at the next place.
    @inlinable
    public mutating func append(_ element: Element) { elements.append(element) }

    /// Makes room for as many elements.
    @inlinable
    public mutating func reserveCapacity(_ count: Int) { elements.reserveCapacity(count) }
}

extension ParallelArray: Sendable where Element: Sendable {}
