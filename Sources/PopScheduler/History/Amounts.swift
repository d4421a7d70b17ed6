public import PopCEL

/// The numbers that an event was sent with in one field of its payload.
public struct Amounts: Sendable, Hashable {
    /// The dates at which the event was sent with them, ascending; the oldest may have been pruned.
    public private(set) var dates: [Timestamp] = []
    /// The numbers in the order of the dates: ints, uints or doubles.
    public private(set) var values: [Value] = []

    /// Creates amounts without a number.
    public init() {}

    /// Adds a number, after others of the same date.
    public mutating func add(_ value: Value, at date: Timestamp, keeping kept: Int = .max) {
        let place = dates.firstIndex(after: date)
        dates.insert(date, at: place)
        values.insert(value, at: place)
        dates.keepLatest(kept)
        values.removeFirst(values.count - dates.count)
    }
}

extension Amounts {
    /// Returns the sum of the numbers in the period of this length that ends at `now`, oldest
    /// first; nil if it is out of range. A value that doesn't fit the type, because the rules have
    /// changed since, counts as 0.
    func sum(within duration: Duration, of now: Timestamp, as type: CELType) -> Value? {
        var sum = type.zero
        for value in values.suffix(dates.count(within: duration, of: now)) {
            if case (.double(let left), .double(let right)) = (sum, value) {
                sum = .double(left + right)
                continue
            }
            guard let fitting = value.fitting(type) else { continue }
            guard let next = sum.adding(fitting) else { return nil }
            sum = next
        }
        return sum
    }
}

/// The arguments of a call of `event_sum`.
public struct EventSum: Sendable, Hashable {
    /// The name of the event.
    public var event: String
    /// The name of the field of its payload.
    public var field: String
    /// The type of the field, and of the sum.
    public var type: CELType
    /// The length of the period that is summed up.
    public var within: Duration

    /// Creates a sum of a field of an event in the last period of this length.
    public init(of field: String, in event: String, type: CELType, within: Duration) {
        self.event = event
        self.field = field
        self.type = type
        self.within = within
    }
}

extension RuleSet {
    /// By event, the fields of its payload that conditions sum up.
    package var summedFields: [String: Set<String>] {
        var fields: [String: Set<String>] = [:]
        for case .eventSum(let sum) in slots { fields[sum.event, default: []].insert(sum.field) }
        return fields
    }
}

extension Sequence<EventRule> {
    /// Returns the type of a field of the payload of an event; nil if there is no such field.
    package func type(of field: String, in event: String) -> CELType? {
        first { $0.name == event }?.fields.first { $0.name == field }?.type
    }
}

extension [String: Value] {
    /// Returns the part of a payload that is recorded: the numbers in these fields. NaN, such as 0
    /// divided by 0, is left out because it would make every sum NaN.
    package func amounts(of fields: Set<String>) -> [String: Value] {
        filter { fields.contains($0.key) && $0.value.isAmount }
    }
}

extension CELType {
    /// True if values of this type can be added up.
    package var isNumeric: Bool { self == .int || self == .uint || self == .double }

    /// The sum of no values of this type, which must be numeric.
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

    /// Returns the sum of two numbers of one type; nil if it is out of range.
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
