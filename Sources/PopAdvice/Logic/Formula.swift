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
