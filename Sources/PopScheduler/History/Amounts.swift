public import PopCEL

/// The numbers that an event was sent with in one field of its payload.
public struct Amounts: Sendable, Hashable {
    /// When the event was sent with them, ascending; the oldest may have been pruned.
    public private(set) var dates: [Timestamp] = []
    /// In the order of the dates: ints, uints or doubles.
    public private(set) var values: [Value] = []

    /// No number.
    public init() {}

    /// Adds one, behind others of the same date.
    public mutating func add(_ value: Value, at date: Timestamp, keeping kept: Int = .max) {
        let place = dates.firstIndex(after: date)
        dates.insert(date, at: place)
        values.insert(value, at: place)
        dates.keepLatest(kept)
        values.removeFirst(values.count - dates.count)
    }
}

extension Amounts {
    /// The sum of those in the time of this length that ends at `now`, oldest first; nil when it is
    /// out of range. What does not fit the type, which the rules have changed since, counts 0.
    func sum(within duration: Duration, of now: Timestamp, as type: CELType) -> Value? {
        var sum = type.zero
        for value in values.suffix(dates.count(within: duration, of: now)) {
            guard let fitting = value.fitting(type) else { continue }
            guard let next = sum.adding(fitting) else { return nil }
            sum = next
        }
        return sum
    }
}

/// What a call of `event_sum` adds up.
public struct EventSum: Sendable, Hashable {
    /// The name of the event.
    public var event: String
    /// The name of the field of its payload.
    public var field: String
    /// The type of the field, and of the sum.
    public var type: CELType
    /// How far it looks back.
    public var within: Duration

    /// A sum of what a field of an event was lately.
    public init(of field: String, in event: String, type: CELType, within: Duration) {
        self.event = event
        self.field = field
        self.type = type
        self.within = within
    }
}

extension RuleSet {
    /// By event, the fields of its payload that conditions add up.
    package var summedFields: [String: Set<String>] {
        var fields: [String: Set<String>] = [:]
        for case .eventSum(let sum) in slots { fields[sum.event, default: []].insert(sum.field) }
        return fields
    }
}

extension Sequence<EventRule> {
    /// The type of a field of the payload of an event; nil when there is none.
    package func type(of field: String, in event: String) -> CELType? {
        first { $0.name == event }?.fields.first { $0.name == field }?.type
    }
}

extension [String: Value] {
    /// What is kept of a payload: the numbers in these fields. One that is not a number, such as
    /// 0 divided by 0, would make every sum one that is not.
    package func amounts(of fields: Set<String>) -> [String: Value] {
        filter { fields.contains($0.key) && $0.value.isAmount }
    }
}

extension CELType {
    /// Whether values of this type can be added up.
    package var isNumeric: Bool { self == .int || self == .uint || self == .double }

    /// The sum of no values of this type, which is a numeric one.
    package var zero: Value {
        if self == .int { return .int(0) }
        return self == .uint ? .uint(0) : .double(0)
    }
}

extension Value {
    fileprivate var isAmount: Bool {
        if case .double(let number) = self { return !number.isNaN }
        return type.isNumeric
    }

    /// Of two numbers of one type; nil when it is out of range.
    fileprivate func adding(_ other: Value) -> Value? {
        switch (self, other) {
        case (.int(let left), .int(let right)):
            let (sum, isOver) = left.addingReportingOverflow(right)
            return isOver ? nil : .int(sum)
        case (.uint(let left), .uint(let right)):
            let (sum, isOver) = left.addingReportingOverflow(right)
            return isOver ? nil : .uint(sum)
        case (.double(let left), .double(let right)): return .double(left + right)
        case (.null, _), (.bool, _), (.int, _), (.uint, _), (.double, _), (.string, _), (.bytes, _),
            (.timestamp, _), (.duration, _), (.version, _), (.list, _), (.map, _), (.type, _),
            (.optional, _):
            return nil
        }
    }
}
