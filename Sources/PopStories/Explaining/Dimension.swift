internal import PopCEL
internal import PopRuleFiles
internal import PopScheduler

/// A context key or payload field, and the values that are worth trying for it.
struct Dimension {
    private enum Place {
        case key(String)
        case field(String)
    }

    private let place: Place
    /// The nearest first; nil for no value.
    let candidates: [Value?]

    /// What some conditions read and somebody can change.
    static func all(_ programs: [Program], question: Question, now: Timestamp) -> [Dimension] {
        let rules = question.rules
        let used = programs.flatMap { rules.conditions(usedBy: $0) }
            .map { rules.conditions[$0].condition.program }
        let literals = (programs + used).flatMap(\.expression.literals)
        let keys = rules.keys(readBy: programs).map { rules.keys[$0] }
        let values = keys.compactMap { question.context[$0.name] ?? $0.defaultValue }
        let likely = Candidates(literals: literals + values, now: now)
        let fields = Set(programs.flatMap(\.slots)).sorted().compactMap { slot in
            field(rules.slots[slot], question: question, likely: likely)
        }
        return keys.map { Dimension($0, question: question, likely: likely) } + fields
    }

    private init(_ key: ContextKey, question: Question, likely: Candidates) {
        place = .key(key.name)
        let current = question.context[key.name] ?? key.defaultValue
        var values =
            key.allowedValues ?? likely.values(of: key.type, near: current)
        values.removeAll { $0 == current || key.refusal(of: $0) != nil }
        let isRemovable = current != nil && key.defaultValue == nil
        candidates = values.map { Optional($0) } + (isRemovable ? [nil] : [])
    }

    private init(_ field: EventRule.Field, question: Question, likely: Candidates) {
        place = .field(field.name)
        let current = question.payload[field.name]
        candidates = likely.values(of: field.type, near: current).filter { $0 != current }
    }

    private static func field(
        _ meaning: SlotMeaning, question: Question, likely: Candidates
    ) -> Dimension? {
        guard case .payloadField(let event, let field) = meaning,
            question.rules.events[event].name == question.event
        else { return nil }
        return Dimension(
            question.rules.events[event].fields[field], question: question, likely: likely)
    }

    func set(_ value: Value?, in change: ContextChange) -> ContextChange {
        var change = change
        switch place {
        case .key(let name): change.context.updateValue(value, forKey: name)
        case .field(let name): change.payload[name] = value
        }
        return change
    }
}

/// Values that may make a difference to conditions: their constants, and what lies beside these.
struct Candidates {
    private let literals: [Value]
    private let now: Timestamp

    init(literals: [Value], now: Timestamp) {
        self.literals = literals
        self.now = now
    }

    /// Values of a type, those near to the current one first.
    func values(of type: CELType, near current: Value?) -> [Value] {
        let values: [Value] =
            switch type {
            case .bool: [.bool(true), .bool(false)]
            case .int: numbers.compactMap { Int64(exactly: $0).map { .int($0) } }
            case .uint: numbers.compactMap { UInt64(exactly: $0).map { .uint($0) } }
            case .double: numbers.map { .double($0) }
            case .string: literals.filter { if case .string = $0 { true } else { false } }
            case .timestamp: dates.map { .timestamp($0) }
            case .duration: durations.map { .duration($0) }
            case .version: versions.map { .version($0) }
            case .list(let element): lists(of: element, current)
            case .map(let key, let value): maps(from: key, to: value)
            default: []
            }
        var seen: Set<Value> = []
        return sorted(values.filter { seen.insert($0).inserted }, near: current)
    }

    private func sorted(_ values: [Value], near current: Value?) -> [Value] {
        guard let origin = current?.number ?? (values.first?.number).map({ _ in 0 }) else {
            return values
        }
        return values.enumerated().sorted { left, right in
            let distances = [left, right].map { abs(($0.element.number ?? 0) - origin) }
            return (distances[0], left.offset) < (distances[1], right.offset)
        }.map(\.element)
    }

    /// Each number, and the ones beside it.
    private var numbers: [Double] {
        literals.compactMap(\.number).flatMap { [$0, $0 + 1, $0 - 1] } + [0, 1]
    }

    private var durations: [Duration] {
        literals.compactMap { literal in
            switch literal {
            case .string(let text): milliseconds(in: text).map { .milliseconds($0) }
            case .duration(let duration): duration
            default: nil
            }
        }.flatMap { [$0, $0 + .seconds(1), $0 - .seconds(1)] }
    }

    private var versions: [Version] {
        literals.compactMap { literal in
            switch literal {
            case .string(let text): Version(text)
            case .version(let version): version
            default: nil
            }
        }
    }

    private var dates: [Timestamp] {
        let named = literals.compactMap { literal -> Timestamp? in
            switch literal {
            case .string(let text): Timestamp(parsing: text)
            case .timestamp(let date): date
            default: nil
            }
        }
        let start = Moment(instant: .zero, date: now)
        let far = durations.flatMap { [start.advanced(by: .zero - $0), start.advanced(by: $0)] }
        let near = named.flatMap { date in
            [-1, 0, 1].map { Moment(instant: .zero, date: date).advanced(by: .seconds($0)) }
        }
        return [now] + (near + far).map(\.date)
    }

    /// The current list with an element more or less, and short ones.
    private func lists(of element: CELType, _ current: Value?) -> [Value] {
        var elements: [Value] = []
        if case .list(let list)? = current { elements = list }
        let known = values(of: element, near: nil)
        let longer = known.filter { !elements.contains($0) }.map { Value.list(elements + [$0]) }
        let shorter = elements.indices.map { index in
            Value.list(elements.enumerated().filter { $0.offset != index }.map(\.element))
        }
        return longer + shorter + [.list([])]
    }

    private func maps(from key: CELType, to value: CELType) -> [Value] {
        let keys = values(of: key, near: nil)
        let values = values(of: value, near: nil)
        let single = keys.flatMap { key in
            values.map { Value.map(ValueMap([(key: key, value: $0)])) }
        }
        return single + [.map([:])]
    }
}

extension Value {
    fileprivate var number: Double? {
        switch self {
        case .int(let value): Double(value)
        case .uint(let value): Double(value)
        case .double(let value): value
        default: nil
        }
    }
}
