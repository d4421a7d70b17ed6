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
    /// What `insertion` is for an insert id, by its place in a block; never 0.
    package static func insertion(of id: Range<Int>, in block: [UInt8]) -> UInt64 {
        var hash = StableHash()
        for place in id { hash.add(byte: block[place]) }
        return max(hash.value, 1)
    }
}

extension LogPlan {
    /// Whether an event of a user is played before another one, whatever order they stand in: by
    /// their time, then by the mapping's `order`; then those with which the app starts, then by
    /// their names and by the fields that are read of them.
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
