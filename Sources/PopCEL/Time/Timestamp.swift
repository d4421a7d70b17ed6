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

// CEL specification, "Overflow": a result out of range is an error, here nil. A timestamp is in the
// years 1 to 9999, a duration within an int64 of nanoseconds (292 years).

extension Timestamp {
    /// Returns the instant that is a duration later; nil out of range. Fractions of a nanosecond
    /// are dropped.
    public func adding(_ duration: Duration) -> Timestamp? {
        let (seconds, attoseconds) = duration.components
        let nanoseconds = Int64(self.nanoseconds) + attoseconds / Duration.attosecondsPerNanosecond
        let carry = nanoseconds.flooredQuotient(by: Duration.nanosecondsPerSecond)
        let (sum, overflow) = self.seconds.addingReportingOverflow(seconds)
        let (total, carryOverflow) = sum.addingReportingOverflow(carry)
        guard !overflow, !carryOverflow else { return nil }
        let rest = nanoseconds - carry * Duration.nanosecondsPerSecond
        return Timestamp(inRange: total, nanoseconds: Int32(rest))
    }

    /// No two instants are this far apart. Far longer durations have no `components`.
    private static let reach = Duration.seconds(-1 << 40)...Duration.seconds(1 << 40)

    /// Returns the instant that is a duration earlier; nil out of range.
    public func subtracting(_ duration: Duration) -> Timestamp? {
        guard Self.reach.contains(duration) else { return nil }
        return adding(.zero - duration)
    }

    /// Returns the time from another instant to this one, negative if the other is later.
    public func duration(since other: Timestamp) -> Duration {
        // Both are within 10,000 years: nothing overflows.
        .seconds(seconds - other.seconds)
            + .nanoseconds(Int64(nanoseconds) - Int64(other.nanoseconds))
    }
}

extension Duration {
    static let nanosecondsPerSecond: Int64 = 1_000_000_000
    static let attosecondsPerNanosecond: Int64 = 1_000_000_000

    /// A duration longer than every duration that an expression can express, and than the time
    /// between two timestamps: the time since an event that never happened. Adding to it is out of
    /// range.
    package static let endless = Duration.seconds(Int64(1) << 40)

    /// The duration in CEL's nanoseconds, rounded toward zero; nil out of CEL's range.
    var wholeNanoseconds: Int64? {
        let (seconds, attoseconds) = components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: Self.nanosecondsPerSecond)
        // Both have the same sign, so that the sum overflows if the product does.
        let (sum, sumOverflow) = whole.addingReportingOverflow(
            attoseconds / Self.attosecondsPerNanosecond)
        return overflow || sumOverflow ? nil : sum
    }

    /// The duration itself if CEL can express it; nil if it is out of range.
    var checked: Duration? { wholeNanoseconds == nil ? nil : self }

    /// Returns the sum; nil out of range.
    func adding(_ other: Duration) -> Duration? { combined(with: other) { $0 + $1 } }

    /// Returns the difference; nil out of range.
    func subtracting(_ other: Duration) -> Duration? { combined(with: other) { $0 - $1 } }

    /// The same time in the other direction; nil out of range.
    var negated: Duration? { Duration.zero.subtracting(self) }

    /// Combines the operands, which are checked first, so that the operation itself can't overflow.
    private func combined(
        with other: Duration, _ operation: (Duration, Duration) -> Duration
    ) -> Duration? {
        guard let left = checked, let right = other.checked else { return nil }
        return operation(left, right).checked
    }
}

extension Timestamp {
    /// Reads an RFC 3339 date and time such as `2026-11-21T09:30:00Z` or
    /// `2026-11-21T10:30:00.25+01:00`.
    ///
    /// Returns nil for other strings, for a date or time that doesn't exist (including leap
    /// seconds), and for an instant out of range. Digits after the ninth of the fraction are
    /// dropped.
    public init?(parsing text: String) {
        var reader = DigitReader(text)
        guard let civil = reader.readCivilTime(), let nanoseconds = reader.readFraction(),
            let offset = reader.readOffset(), reader.isAtEnd
        else { return nil }
        self.init(inRange: civil.seconds - Int64(offset), nanoseconds: nanoseconds)
    }
}

extension Timestamp: CustomStringConvertible {
    /// The instant as RFC 3339 in UTC, with as many fraction digits as it needs.
    public var description: String {
        let civil = LocalCalendar.utc.civil(at: self)
        let date =
            "\(padded(civil.year, width: 4))-\(padded(civil.month, width: 2))-\(padded(civil.day, width: 2))"
        let time =
            "\(padded(civil.hour, width: 2)):\(padded(civil.minute, width: 2)):\(padded(civil.second, width: 2))"
        return "\(date)T\(time)\(decimalFraction(ofNanoseconds: Int(nanoseconds)))Z"
    }
}

/// Returns `.5` for 500,000,000, and an empty string for 0.
func decimalFraction(ofNanoseconds nanoseconds: Int) -> String {
    guard nanoseconds != 0 else { return "" }
    var digits = padded(nanoseconds, width: 9)
    while digits.hasSuffix("0") { digits.removeLast() }
    return "." + digits
}

private func padded(_ number: Int, width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: Swift.max(0, width - digits.utf8.count)) + digits
}

private struct DigitReader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ text: String) { bytes = Array(text.utf8) }

    var isAtEnd: Bool { position == bytes.count }

    mutating func readCivilTime() -> CivilTime? {
        guard let year = readNumber(4), skip("-"), let month = readNumber(2), skip("-"),
            let day = readNumber(2), skip("T"), let hour = readNumber(2), skip(":"),
            let minute = readNumber(2), skip(":"), let second = readNumber(2),
            (1...12).contains(month),
            (1...CivilTime.days(inMonth: month, of: year)).contains(day),
            hour < 24, minute < 60, second < 60
        else { return nil }
        return CivilTime(
            year: year, month: month, day: day, hour: hour, minute: minute, second: second)
    }

    /// Returns the nanoseconds of a fraction; 0 if there is no fraction.
    mutating func readFraction() -> Int32? {
        guard skip(".") else { return 0 }
        var nanoseconds: Int32 = 0
        var unit: Int32 = 100_000_000
        let start = position
        while let digit = readNumber(1) {
            nanoseconds += Int32(digit) * unit
            unit /= 10
        }
        return position > start ? nanoseconds : nil
    }

    mutating func readOffset() -> Int? {
        if skip("Z") { return 0 }
        let sign = skip("+") ? 1 : skip("-") ? -1 : 0
        guard sign != 0, let hours = readNumber(2), hours < 24, skip(":"),
            let minutes = readNumber(2), minutes < 60
        else { return nil }
        return sign * (hours * 3600 + minutes * 60)
    }

    private mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard position < bytes.count, bytes[position] == UInt8(ascii: character) else {
            return false
        }
        position += 1
        return true
    }

    private mutating func readNumber(_ width: Int) -> Int? {
        guard position + width <= bytes.count else { return nil }
        var number = 0
        for byte in bytes[position..<position + width] {
            guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
            number = number * 10 + Int(byte - UInt8(ascii: "0"))
        }
        position += width
        return number
    }
}
