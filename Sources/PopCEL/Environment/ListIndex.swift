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
public struct TypedArray<Index: ListIndex, Element>:
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

extension TypedArray: Sendable where Element: Sendable {}

/// The numbers of names, which are looked up by their place in a text: for most names no string is
/// created.
struct NameIndex: Sendable {
    private var numbers: [String: Int] = [:]
    /// The bytes of all names side by side, and the start of each name.
    private var bytes: [UInt8] = []
    private var starts: [Int] = [0]
    /// The last name of each signature, and for each name the previous one of the same signature;
    /// -1 for none.
    private var heads: [Int32] = []
    private var earlier: [Int32] = []

    /// The maximum number of names of one signature that are compared one by one; further names are
    /// only found as strings.
    private static let sameSignature = 8

    subscript(name: String) -> Int? { numbers[name] }

    mutating func reserveCapacity(_ count: Int) {
        numbers.reserveCapacity(count)
        starts.reserveCapacity(count + 1)
        earlier.reserveCapacity(count)
    }

    /// Gives the next number to a new name.
    mutating func append(_ name: String) {
        let number = earlier.count
        numbers[name] = number
        // Other names are only found as strings: they aren't written as they are declared.
        let isPlain = name.utf8.allSatisfy(isNamePart)
        bytes += name.utf8
        starts.append(bytes.count)
        earlier.append(-1)
        if heads.isEmpty { heads = Array(repeating: -1, count: 64) }
        guard isPlain, let first = name.utf8.first, let last = name.utf8.last else { return }
        let signature = Self.signature(name.utf8.count, first: first, last: last)
        var other = heads[signature]
        var count = 0
        while other >= 0 {
            count += 1
            other = earlier[Int(other)]
        }
        if count == Self.sameSignature { return }
        earlier[number] = heads[signature]
        heads[signature] = Int32(number)
    }

    /// Returns the number of the name at a place in a text; nil also if it can only be found as a
    /// string.
    func number(of place: Range<Int>, in text: [UInt8]) -> Int? {
        guard !heads.isEmpty, !place.isEmpty else { return nil }
        var number = Int(
            heads[
                Self.signature(
                    place.count, first: text[place.lowerBound], last: text[place.upperBound - 1])])
        while number >= 0 {
            if stands(number, at: place, in: text) { return number }
            number = Int(earlier[number])
        }
        return nil
    }

    private static func signature(_ count: Int, first: UInt8, last: UInt8) -> Int {
        (count &* 11 &+ Int(first) &* 3 &+ Int(last)) & 63
    }

    private func stands(_ number: Int, at place: Range<Int>, in text: [UInt8]) -> Bool {
        let start = starts[number]
        guard starts[number + 1] - start == place.count else { return false }
        for offset in 0..<place.count
        where bytes[start + offset] != text[place.lowerBound + offset] { return false }
        return true
    }
}
