internal import PopCEL

/// A condition as far as it can be decided without running it: comparisons of one thing with
/// constants, joined. Everything else is free: true, false or failing.
indirect enum Formula {
    case constant(Bool)
    /// A test of a key, by its index, against constants.
    case test(key: Int, Test)
    case free
    case not(Formula)
    case all([Formula])
    case any([Formula])

    enum Test {
        case compared(Operator, Value)
        case among([Value])
        case present
        /// The value of a bool.
        case truth
    }
}

/// The possible results of a condition.
struct PossibleOutcomes: OptionSet {
    let rawValue: UInt8

    static let yes = PossibleOutcomes(rawValue: 1)
    static let no = PossibleOutcomes(rawValue: 2)
    static let error = PossibleOutcomes(rawValue: 4)
    static let any: PossibleOutcomes = [.yes, .no, .error]

    init(rawValue: UInt8) { self.rawValue = rawValue }

    init(_ truth: Bool) { self = truth ? .yes : .no }

    var negated: PossibleOutcomes {
        var result = intersection(.error)
        if contains(.yes) { result.insert(.no) }
        if contains(.no) { result.insert(.yes) }
        return result
    }

    /// Returns the results of `&&`: false decides, then a failure.
    func and(_ other: PossibleOutcomes) -> PossibleOutcomes {
        var result: PossibleOutcomes = []
        if contains(.no) || other.contains(.no) { result.insert(.no) }
        if contains(.yes), other.contains(.yes) { result.insert(.yes) }
        let fails = contains(.error) && !other.isSubset(of: .no)
        if fails || other.contains(.error) && !isSubset(of: .no) { result.insert(.error) }
        return result
    }
}

/// The assumed value of a key while a formula is tried.
enum Cell {
    /// Any value or none.
    case open
    case missing
    /// It has a value that no test distinguishes.
    case something
    case value(Value)
}

extension Formula {
    /// Returns the possible results if each key has the value of its cell. It takes at most `steps`
    /// steps, one for each visited part; if they run out, any result is possible.
    func outcomes(_ cells: [Cell], steps: inout Int) -> PossibleOutcomes {
        guard steps > 0 else { return .any }
        steps -= 1
        switch self {
        case .constant(let truth): return PossibleOutcomes(truth)
        case .free: return .any
        case .not(let part): return part.outcomes(cells, steps: &steps).negated
        case .all(let parts): return Self.joined(parts, cells: cells, steps: &steps) { $0 }
        case .any(let parts):
            return Self.joined(parts, cells: cells, steps: &steps, reading: { $0.negated }).negated
        case .test(let key, let test): return test.outcome(cells[key])
        }
    }

    private static func joined(
        _ parts: [Formula], cells: [Cell], steps: inout Int,
        reading: (PossibleOutcomes) -> PossibleOutcomes
    ) -> PossibleOutcomes {
        var result = PossibleOutcomes.yes
        for part in parts {
            result = result.and(reading(part.outcomes(cells, steps: &steps)))
            if result == .no { break }
        }
        return result
    }

    /// Calls `body` for each test in it, with at most `steps` steps.
    func forEachTest(_ steps: inout Int, body: (Int, Test) -> Void) {
        guard steps > 0 else { return }
        steps -= 1
        switch self {
        case .constant, .free: break
        case .not(let part): part.forEachTest(&steps, body: body)
        case .all(let parts), .any(let parts):
            for part in parts { part.forEachTest(&steps, body: body) }
        case .test(let key, let test): body(key, test)
        }
    }
}

extension Formula.Test {
    /// The constants that it compares with.
    var constants: [Value] {
        switch self {
        case .compared(_, let constant): [constant]
        case .among(let constants): constants
        case .present, .truth: []
        }
    }

    fileprivate func outcome(_ cell: Cell) -> PossibleOutcomes {
        switch (cell, self) {
        case (.missing, .present): return .no
        case (.missing, _): return .error
        case (.something, .present), (.value, .present): return .yes
        case (.open, _), (.something, _): return .any
        case (.value(let value), .truth): return PossibleOutcomes(value == .bool(true))
        case (.value(let value), .among(let constants)):
            return PossibleOutcomes(constants.contains(value))
        case (.value(let value), .compared(let operation, let constant)):
            return value.holds(operation, other: constant).map { PossibleOutcomes($0) } ?? .any
        }
    }
}

extension Value {
    /// Returns the result of a comparison with another value; nil if it isn't known here.
    func holds(_ operation: Operator, other: Value) -> Bool? {
        guard let order = order(to: other) else {
            guard type == other.type, type == .string || type == .bool else { return nil }
            return switch operation {
            case .equal: self == other
            case .notEqual: self != other
            case .and, .or, .conditional, .less, .lessOrEqual, .greater, .greaterOrEqual, .in, .add,
                .subtract, .multiply, .divide, .modulo, .not, .negate, .index, .optionalIndex:
                nil
            }
        }
        return switch operation {
        case .equal: order == .equal
        case .notEqual: order != .equal
        case .less: order == .less
        case .lessOrEqual: order == .less || order == .equal
        case .greater: order == .greater
        case .greaterOrEqual: order == .greater || order == .equal
        case .and, .or, .conditional, .in, .add, .subtract, .multiply, .divide, .modulo, .not,
            .negate, .index, .optionalIndex:
            nil
        }
    }

    /// Returns the order of two values that have one; nil for others.
    func order(to other: Value) -> NumericOrder? {
        switch (self, other) {
        case (.timestamp(let a), .timestamp(let b)): a == b ? .equal : a < b ? .less : .greater
        case (.duration(let a), .duration(let b)): a == b ? .equal : a < b ? .less : .greater
        case (.version(let a), .version(let b)): a == b ? .equal : a < b ? .less : .greater
        case (.null, _), (.bool, _), (.int, _), (.uint, _), (.double, _), (.string, _), (.bytes, _),
            (.timestamp, _), (.duration, _), (.version, _), (.list, _), (.map, _), (.type, _),
            (.optional, _):
            numericOrder(other)
        }
    }
}

/// Something that is compared with constants: a key, or a count of events.
struct FormulaKey {
    let name: String
    let type: CELType
    var mayBeMissing = false
    var allowed: [Value]?
    var minimum: Value?
    var maximum: Value?
}

extension FormulaKey {
    /// Returns cells that represent all values of the key, as far as some constants distinguish
    /// them.
    ///
    /// Values far from all constants come first, since they often suffice.
    func cells(_ constants: [Value]) -> [Cell] {
        let values = (allowed ?? values(around: constants)).filter { isWithinBounds($0) }
        let cells = values.isEmpty ? [.something] : values.map { Cell.value($0) }
        return mayBeMissing ? cells + [.missing] : cells
    }

    /// NaN isn't within any bounds.
    private func isWithinBounds(_ value: Value) -> Bool {
        if case .double(let number) = value, number.isNaN {
            return minimum == nil && maximum == nil
        }
        if let minimum, value.order(to: minimum) == .less { return false }
        if let maximum, value.order(to: maximum) == .greater { return false }
        return true
    }

    /// Returns values such that no constant distinguishes values between two neighbors. Empty if
    /// the type has values for which that isn't possible.
    private func values(around constants: [Value]) -> [Value] {
        let marks = constants + [minimum, maximum].compactMap { $0 }
        switch type {
        case .bool: return [.bool(true), .bool(false)]
        case .string: return [.string(Self.another(than: constants))] + constants
        case .int: return Self.wholeNumbers(Int64.self, around: marks).map { .int($0) }
        case .uint: return Self.wholeNumbers(UInt64.self, around: marks).map { .uint($0) }
        case .double:
            let numbers = marks.compactMap { $0.asDouble }.flatMap { [$0, $0.nextDown, $0.nextUp] }
            return ([.nan, .infinity, -.infinity] + Set(numbers).sorted()).map { .double($0) }
        case .version: return Self.versions(around: marks)
        case .dyn, .null, .bytes, .timestamp, .duration, .list, .map, .optional, .type, .wrapper,
            .opaque, .parameter:
            return marks.flatMap { $0.moments }
        }
    }

    /// Returns a string that isn't one of the constants.
    private static func another(than constants: [Value]) -> String {
        let longest = constants.map { value in
            if case .string(let text) = value { text.utf8.count } else { 0 }
        }.max()
        return String(repeating: "x", count: (longest ?? 0) + 1)
    }

    /// Returns the least of all versions, and each mark with the version right after it; empty if
    /// that version can't be written.
    private static func versions(around marks: [Value]) -> [Value] {
        var texts = ["0-0"]
        for case .version(let version) in marks { texts.append(version.text) }
        let numbers = texts.reduce(0) { max($0, $1.utf8.count { $0 == UInt8(ascii: ".") }) + 1 }
        let zeros = String(repeating: ".0", count: numbers)
        var versions: [Value] = []
        for text in texts {
            let version = text.prefix { $0 != "+" }
            // Before a version itself comes what has a `-`, and there more words are greater.
            let next = version.contains("-") ? "\(version).0" : "\(version)\(zeros).1"
            guard let version = Version(text), let next = Version(next) else { return [] }
            versions += [.version(version), .version(next)]
        }
        return versions
    }

    private static func wholeNumbers<Number: FixedWidthInteger>(
        _: Number.Type, around marks: [Value]
    ) -> [Number] {
        var near: Set<Number> = []
        for mark in marks {
            let numbers: [Number] = mark.wholeNumbers()
            for number in numbers {
                near.insert(number)
                if number > .min { near.insert(number - 1) }
                if number < .max { near.insert(number + 1) }
            }
        }
        return [.max, .min] + near.sorted()
    }
}

extension Value {
    /// The whole numbers at a number or on both sides of it.
    fileprivate func wholeNumbers<Number: FixedWidthInteger>() -> [Number] {
        switch self {
        case .int(let number): [Number(clamping: number)]
        case .uint(let number): [Number(clamping: number)]
        case .double(let number):
            [number.rounded(.down), number.rounded(.up)].compactMap { Number(exactly: $0) }
        case .null, .bool, .string, .bytes, .timestamp, .duration, .version, .list, .map, .type,
            .optional:
            []
        }
    }

    fileprivate var asDouble: Double? {
        switch self {
        case .double(let number): number
        case .int(let number): Double(number)
        case .uint(let number): Double(number)
        case .null, .bool, .string, .bytes, .timestamp, .duration, .version, .list, .map, .type,
            .optional:
            nil
        }
    }

    /// A time or duration with its neighbors.
    fileprivate var moments: [Value] {
        switch self {
        case .timestamp(let moment): [moment.neighbour(-1), self, moment.neighbour(1)]
        case .duration(let duration):
            [-1, 0, 1].map {
                .duration(duration + Duration(secondsComponent: 0, attosecondsComponent: $0))
            }
        case .null, .bool, .int, .uint, .double, .string, .bytes, .version, .list, .map, .type,
            .optional:
            []
        }
    }
}

extension Timestamp {
    private static let second: Int32 = 1_000_000_000

    /// One nanosecond before or after.
    fileprivate func neighbour(_ step: Int32) -> Value {
        let nanoseconds = nanoseconds + step
        let carry: Int64 = nanoseconds < 0 ? -1 : nanoseconds >= Self.second ? 1 : 0
        return .timestamp(
            Timestamp(
                seconds: seconds + carry,
                nanoseconds: nanoseconds - Int32(carry) * Self.second))
    }
}
