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
