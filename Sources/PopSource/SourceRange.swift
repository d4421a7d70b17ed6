/// A half-open range of bytes in one file. Files are at most 4 GiB, so a range is twelve bytes.
public struct SourceRange: Hashable, Sendable {
    /// The file that contains both ends.
    public let file: FileID
    private let start: UInt32
    private let end: UInt32

    /// Creates a range of a file. Precondition: both bounds are in 0...4,294,967,295.
    public init(file: FileID, _ bytes: Range<Int>) {
        self.file = file
        start = UInt32(bytes.lowerBound)
        end = UInt32(bytes.upperBound)
    }

    /// The offset of the first byte.
    public var lower: Int { Int(start) }
    /// The offset after the last byte.
    public var upper: Int { Int(end) }
    /// The offsets of its bytes, from 0.
    public var bytes: Range<Int> { lower..<upper }
    /// True if it contains no byte: a place between two bytes.
    public var isEmpty: Bool { start == end }

    /// Returns the smallest range that contains both; both must be in the same file.
    public func union(_ other: SourceRange) -> SourceRange {
        precondition(file == other.file, "ranges of two files have no union")
        return SourceRange(file: file, min(lower, other.lower)..<max(upper, other.upper))
    }
}

extension SourceRange: Comparable {
    /// By file, then start, then end: the order in which diagnostics are printed.
    public static func < (left: SourceRange, right: SourceRange) -> Bool {
        (left.file.index, left.start, left.end) < (right.file.index, right.start, right.end)
    }
}

/// A value and the place where the author wrote it.
public struct Located<Value> {
    /// The value that was read.
    public var value: Value
    /// The range of the value in its file.
    public var range: SourceRange

    /// Creates a value that was written at a range.
    public init(_ value: Value, at range: SourceRange) {
        self.value = value
        self.range = range
    }

    /// Transforms the value; the place stays the same.
    public func map<Other, Failure>(
        _ transform: (Value) throws(Failure) -> Other
    ) throws(Failure) -> Located<Other> {
        Located<Other>(try transform(value), at: range)
    }
}

extension Located: Sendable where Value: Sendable {}
extension Located: Equatable where Value: Equatable {}
extension Located: Hashable where Value: Hashable {}
