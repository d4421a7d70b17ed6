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

/// Writes values of a log one after the other: a byte for the kind, then the value.
///
/// Events of one time are in the order of these bytes: absent values come first, whether they are
/// missing or null.
struct FieldWriter {
    private(set) var bytes: [UInt8] = []

    mutating func add(_ scalar: LogScalar) {
        switch scalar {
        case .missing: bytes.append(0)
        case .null: bytes.append(1)
        case .bool(let flag): bytes.append(flag ? 3 : 2)
        case .int(let number): add(number: UInt64(bitPattern: number), kind: 4)
        case .double(let number): add(number: number.bitPattern, kind: 5)
        case .text(let text): add(text: text, kind: 6)
        case .json(let text): add(text: text, kind: 7)
        }
    }

    private mutating func add(number: UInt64, kind: UInt8) {
        bytes.append(kind)
        for shift in stride(from: UInt64(56), through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: number >> shift))
        }
    }

    private mutating func add(text: String, kind: UInt8) {
        bytes.append(kind)
        var rest = UInt64(text.utf8.count)
        while rest >= 128 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 128)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
        bytes += text.utf8
    }
}

/// Reads what `FieldWriter` has written; what is cut off is missing.
struct FieldReader {
    private let bytes: [UInt8]
    private var place = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func next() -> LogScalar {
        switch nextByte() {
        case 1: .null
        case 2: .bool(false)
        case 3: .bool(true)
        case 4: .int(Int64(bitPattern: number()))
        case 5: .double(Double(bitPattern: number()))
        case 6: .text(text())
        case 7: .json(text())
        default: .missing
        }
    }

    private mutating func nextByte() -> UInt8 {
        guard place < bytes.count else { return 0 }
        place += 1
        return bytes[place - 1]
    }

    private mutating func number() -> UInt64 {
        (0..<8).reduce(0) { number, _ in number << 8 | UInt64(nextByte()) }
    }

    private mutating func text() -> String {
        var length = 0
        var shift = 0
        while shift <= 56 {
            let byte = nextByte()
            length |= Int(byte & 127) << shift
            shift += 7
            if byte < 128 { break }
        }
        let start = place
        place = start + min(length, bytes.count - start)
        return String(decoding: bytes[start..<place], as: UTF8.self)
    }
}
