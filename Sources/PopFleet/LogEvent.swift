internal import PopScheduler

/// An event of a log, as far as rules and sessions depend on it.
public struct LogEvent: Sendable, Hashable {
    /// Nanoseconds since 1970-01-01T00:00:00Z.
    public var time: Int64
    /// What the mapping's `order` says; 0 where it says nothing.
    public var order: Int64
    /// Which reading of the plan it has: 0 for an event that nothing reads.
    public var reading: Int
    /// A hash of what copies of it have in common; 0 where there is nothing.
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
    /// What `insertion` is for an insert id; never 0.
    package static func insertion(of id: some Sequence<UInt8>) -> UInt64 {
        var hash = StableHash()
        hash.add(id)
        return max(hash.value, 1)
    }
}

extension LogEvent: Comparable {
    /// The order in which a user's events are played, whatever order they stand in: by their time,
    /// then by the mapping's `order`, by their names and by the fields that are read of them.
    public static func < (left: LogEvent, right: LogEvent) -> Bool {
        if left.time != right.time { return left.time < right.time }
        if left.order != right.order { return left.order < right.order }
        // Readings are numbered in the order of the names.
        if left.reading != right.reading { return left.reading < right.reading }
        return left.fields.lexicographicallyPrecedes(right.fields)
    }
}
