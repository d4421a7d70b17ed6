internal import PopScheduler

/// An event of a log, as far as rules and sessions depend on it.
public struct LogEvent: Sendable, Hashable {
    /// Nanoseconds since 1970-01-01T00:00:00Z.
    public var time: Int64
    /// The mapping's `order` of the event; 0 if it has none.
    public var order: Int64
    /// Which reading of the plan it has: 0 for an event that nothing reads.
    public var reading: Int
    /// A hash of the value that copies of the event share; 0 without such a value.
    public var insertion: UInt64
    /// The fields that are read of it, as `LogPlan.encode` writes them.
    public var fields: [UInt8]

    /// An event at a time.
    public init(
        time: Int64, order: Int64 = 0, reading: Int, insertion: UInt64 = 0, fields: [UInt8] = []
    ) {
        self.time = time
        self.order = order
        self.reading = reading
        self.insertion = insertion
        self.fields = fields
    }
}

extension LogEvent {
    /// Returns the `insertion` for an insert ID, by its place in a block; never 0.
    package static func insertion(of id: Range<Int>, in block: [UInt8]) -> UInt64 {
        var hash = StableHash()
        for place in id { hash.add(byte: block[place]) }
        return max(hash.value, 1)
    }
}

extension LogPlan {
    /// Returns true if an event of a user is played before another one, regardless of their order
    /// in the log. Events are ordered by time, then by the mapping's `order`. At the same time and
    /// `order`, events with which the app starts come first; the rest is decided by names and by
    /// the fields that are read of the events.
    func isBefore(_ left: LogEvent, _ right: LogEvent) -> Bool {
        if left.time != right.time { return left.time < right.time }
        if left.order != right.order { return left.order < right.order }
        let isStart = readings[left.reading].isStart
        if isStart != readings[right.reading].isStart { return isStart }
        // Readings are numbered in the order of the names.
        if left.reading != right.reading { return left.reading < right.reading }
        return left.fields.lexicographicallyPrecedes(right.fields)
    }
}
