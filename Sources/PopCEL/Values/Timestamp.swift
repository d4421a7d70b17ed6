/// A point in time on the UTC scale without leap seconds, to the nanosecond.
///
/// It is between `min`, the start of the year 1, and `max`, the end of the year 9999.
public struct Timestamp: Sendable, Hashable {
    /// Whole seconds since 1970-01-01T00:00:00Z, rounded down.
    public let seconds: Int64
    /// 0 to 999,999,999; counts forward, before 1970 too.
    public let nanoseconds: Int32

    /// 0001-01-01T00:00:00Z
    public static let min = Timestamp(seconds: secondsInRange.lowerBound)
    /// 9999-12-31T23:59:59.999999999Z
    public static let max = Timestamp(
        seconds: secondsInRange.upperBound, nanoseconds: 999_999_999)

    private static let secondsInRange: ClosedRange<Int64> = -62_135_596_800...253_402_300_799

    /// Creates a timestamp; a point out of range becomes the nearest bound. Precondition: the
    /// nanoseconds are in 0...999,999,999.
    public init(seconds: Int64, nanoseconds: Int32 = 0) {
        if let inRange = Timestamp(inRange: seconds, nanoseconds: nanoseconds) {
            self = inRange
        } else {
            self = seconds < 0 ? .min : .max
        }
    }

    /// Returns nil if the point is out of range. Precondition: the nanoseconds are in
    /// 0...999,999,999.
    init?(inRange seconds: Int64, nanoseconds: Int32 = 0) {
        precondition((0..<1_000_000_000).contains(nanoseconds), "nanoseconds out of range")
        guard Self.secondsInRange.contains(seconds) else { return nil }
        self.seconds = seconds
        self.nanoseconds = nanoseconds
    }
}

extension Timestamp: Comparable {
    public static func < (left: Timestamp, right: Timestamp) -> Bool {
        (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds)
    }
}
