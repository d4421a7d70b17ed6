internal import PopCEL

/// The values that a variable can have, each with a rank, in a single order of ranks.
struct Domain: Sendable, Hashable {
    enum Form: Sendable, Hashable {
        /// `false` and `true`.
        case truth
        /// The result of a part that nothing is known about: false, true, or a failure.
        case outcome
        case int
        case uint
        /// Floating-point numbers; NaN has the rank after all numbers.
        case double
        case timestamp
        case duration
        /// In the order of versions; only versions that a comparison uses get a rank.
        case version
        /// Any value; only the constants that a comparison uses are distinguished.
        case constants
        /// The values that are allowed.
        case listed([Value])
        /// The presence of a value, whatever it is.
        case presence
        /// Integers that are not the value of a key: sizes and differences.
        case number
    }

    let form: Form
    /// The ranks of its values.
    var values: ClosedRange<Ordinal>
    /// True if the value may be missing; absence then has the rank before the other values.
    var hasAbsence = false
    /// The value that counts if the value is missing, for a key with a default.
    var usual: Value?
    /// True if there never is a value, whatever the ranks say.
    var isAbsent = false

    init(_ form: Form, from first: Ordinal, to last: Ordinal) {
        self.form = form
        values = first...max(first, last)
    }

    /// The rank that represents a missing value.
    var absence: Ordinal { values.lowerBound.previous }

    /// The ranks of its values, including absence if the value may be missing.
    var whole: ClosedRange<Ordinal> {
        (hasAbsence ? absence : values.lowerBound)...values.upperBound
    }

    /// The ranks that count as a value; they include absence if there is a usual value.
    var present: IntervalSet { IntervalSet([usual == nil ? values : whole]) }

    static let truth = Domain(.truth, from: .zero, to: Ordinal(1))
    static let outcome = Domain(.outcome, from: .zero, to: Ordinal(2))
    static let presence = Domain(.presence, from: .zero, to: .zero)
    static let sizes = Domain(.number, from: .zero, to: Ordinal(Int64.max))
    static let versions = Domain(
        .version, from: Ordinal(high: -1 << 61, low: 0), to: Ordinal(high: 1 << 61, low: 0))
    static let constants = Domain(.constants, from: .zero, to: Ordinal(Int64.max))
}

extension Domain {
    /// Creates the domain of a key with a type, within its declared bounds.
    init(_ type: CELType, minimum: Value?, maximum: Value?) {
        switch type {
        case .bool: self = .truth
        case .int: self.init(.int, from: Ordinal(Int64.min), to: Ordinal(Int64.max))
        case .uint: self.init(.uint, from: .zero, to: Ordinal(UInt64.max))
        case .double: self.init(.double, from: Self.rank(-Double.infinity), to: Self.nan)
        case .timestamp:
            self.init(.timestamp, from: Self.rank(Timestamp.min), to: Self.rank(Timestamp.max))
        case .duration: self.init(.duration, from: Self.longest.negatedRank, to: Self.longest)
        case .version: self = .versions
        case .list: self = .sizes
        case .map: self = .presence
        case .string, .dyn, .null, .bytes, .optional, .type, .wrapper, .opaque, .parameter:
            self = .constants
        }
        if case .version = form { return }
        guard minimum != nil || maximum != nil else { return }
        var (first, last) = (values.lowerBound, values.upperBound)
        if form == .double { last = last.previous }
        if let minimum, let bounds = bounds(of: minimum) { first = bounds.first }
        if let maximum, let bounds = bounds(of: maximum) { last = bounds.last }
        values = first...max(first, last)
    }

    private static let longest = Ordinal(.max, times: attoseconds)
    /// The rank after infinity.
    static let nan = rank(Double.infinity).next
    static let attoseconds: Int64 = 1_000_000_000_000_000_000
    static let nanoseconds: Int64 = 1_000_000_000

    static func rank(_ number: Double) -> Ordinal {
        if number.isNaN { return nan }
        let magnitude = Int64(bitPattern: number.magnitude.bitPattern)
        return Ordinal(number.sign == .minus ? -magnitude : magnitude)
    }

    static func rank(_ instant: Timestamp) -> Ordinal {
        Ordinal(instant.seconds, times: nanoseconds) + Ordinal(Int64(instant.nanoseconds))
    }

    static func rank(_ duration: Duration) -> Ordinal {
        let (seconds, attoseconds) = duration.components
        return Ordinal(seconds, times: Self.attoseconds) + Ordinal(attoseconds)
    }
}

extension Ordinal {
    fileprivate var negatedRank: Ordinal { -self }
}

// The positions of constants among the values of an ordered domain.
extension Domain {
    /// Returns the first rank whose value is not less than a constant, and the last rank whose
    /// value is not greater. The values between them, if any, equal the constant. Returns nil if
    /// the values have no order or the constant can't be compared with them.
    func bounds(of constant: Value) -> (first: Ordinal, last: Ordinal)? {
        if let rank = exactRank(of: constant) { return (rank, rank) }
        switch form {
        case .int, .uint, .double, .number: break
        case .truth, .outcome, .timestamp, .duration, .version, .constants, .listed, .presence:
            return nil
        }
        switch constant {
        case .double(let number) where number.isNaN: return nil
        case .int, .uint, .double: break
        case .null, .bool, .string, .bytes, .timestamp, .duration, .version, .list, .map, .type,
            .optional:
            return nil
        }
        return (
            first(behind: constant) { $0 != .less },
            first(behind: constant) { $0 == .greater }.previous
        )
    }

    /// The rank of a constant of the domain's own type.
    func exactRank(of constant: Value) -> Ordinal? {
        switch (form, constant) {
        case (.truth, .bool(let truth)): Ordinal(truth ? 1 : 0)
        case (.int, .int(let number)), (.number, .int(let number)): Ordinal(number)
        case (.uint, .uint(let number)): Ordinal(number)
        case (.double, .double(let number)): number.isNaN ? nil : Self.rank(number)
        case (.timestamp, .timestamp(let instant)): Self.rank(instant)
        case (.duration, .duration(let duration)): Self.rank(duration)
        case (.truth, _), (.outcome, _), (.int, _), (.uint, _), (.double, _), (.timestamp, _),
            (.duration, _), (.version, _), (.constants, _), (.listed, _), (.presence, _),
            (.number, _):
            nil
        }
    }

    /// Returns the first rank whose value has a relation to a constant that holds from some rank
    /// on; the rank after the last one if no value has it.
    private func first(
        behind constant: Value, where isReached: (NumericOrder) -> Bool
    ) -> Ordinal {
        var lower = values.lowerBound
        let end = (form == .double ? min(values.upperBound, Self.nan.previous) : values.upperBound)
            .next
        var upper = end
        while lower < upper {
            let middle = Ordinal.middle(lower, upper)
            guard let order = value(at: middle)?.numericOrder(constant) else { return end }
            if isReached(order) { upper = middle } else { lower = middle.next }
        }
        return lower
    }

    /// Returns the value of a rank, or nil if the rank doesn't determine it.
    func value(at rank: Ordinal) -> Value? {
        switch form {
        case .truth: .bool(rank == Ordinal(1))
        case .int, .number: rank.int.map(Value.int)
        case .uint: rank.uint.map(Value.uint)
        case .double: Self.double(at: rank).map(Value.double)
        case .timestamp: Self.timestamp(at: rank).map(Value.timestamp)
        case .duration: Self.duration(at: rank).map(Value.duration)
        case .listed(let values): rank.int.flatMap { values.at($0) }
        case .outcome, .version, .constants, .presence: nil
        }
    }

    private static func double(at rank: Ordinal) -> Double? {
        if rank >= nan { return .nan }
        guard let bits = rank.int else { return nil }
        let number = Double(bitPattern: bits.magnitude)
        return bits < 0 ? -number : number
    }

    private static func timestamp(at rank: Ordinal) -> Timestamp? {
        guard let (seconds, nanoseconds) = rank.divided(by: nanoseconds) else { return nil }
        return Timestamp(seconds: seconds, nanoseconds: Int32(nanoseconds))
    }

    private static func duration(at rank: Ordinal) -> Duration? {
        guard let (seconds, attoseconds) = rank.divided(by: attoseconds) else { return nil }
        return Duration.seconds(seconds)
            + Duration(secondsComponent: 0, attosecondsComponent: attoseconds)
    }
}

extension [Value] {
    fileprivate func at(_ position: Int64) -> Value? {
        position >= 0 && position < count ? self[Int(position)] : nil
    }
}

// Comparisons.
extension Domain {
    /// Returns the values for which a comparison with a constant is true, and those for which it is
    /// false. Returns nil if the ranks don't determine them.
    func split(_ operation: Operator, constant: Value) -> (yes: IntervalSet, no: IntervalSet)? {
        guard let yes = set(operation, constant: constant) else { return nil }
        return withUsual(yes: yes, no: yes.complement(in: values)) {
            $0.compared(operation, with: constant)
        }
    }

    /// Adds absence to the set that the usual value belongs to, if the domain has a usual value.
    /// Returns nil if the test fails for it.
    func withUsual(
        yes: IntervalSet, no: IntervalSet, test: (Value) -> Bool?
    ) -> (yes: IntervalSet, no: IntervalSet)? {
        guard let usual else { return (yes, no) }
        guard let truth = test(usual) else { return nil }
        let absence = IntervalSet(absence)
        return truth ? (yes.union(absence), no) : (yes, no.union(absence))
    }

    private func set(_ operation: Operator, constant: Value) -> IntervalSet? {
        if case .listed(let listed) = form {
            var ranks: [ClosedRange<Ordinal>] = []
            for (position, value) in listed.enumerated() {
                guard let truth = value.compared(operation, with: constant) else { return nil }
                if truth { ranks.append(Ordinal(position)...Ordinal(position)) }
            }
            return IntervalSet(ranks)
        }
        guard let (first, last) = bounds(of: constant) else { return nil }
        return set(operation, first: first, last: last)
    }

    /// Returns the values for which a comparison with a constant with these bounds is true.
    func set(_ operation: Operator, first: Ordinal, last: Ordinal) -> IntervalSet? {
        let (lower, upper) = (values.lowerBound, values.upperBound)
        // A comparison with NaN is neither less nor greater.
        let end = form == .double ? min(upper, Self.nan.previous) : upper
        return switch operation {
        case .less: IntervalSet(from: lower, to: min(end, first.previous))
        case .lessOrEqual: IntervalSet(from: lower, to: min(end, last))
        case .greater: IntervalSet(from: max(lower, last.next), to: end)
        case .greaterOrEqual: IntervalSet(from: max(lower, first), to: end)
        case .equal: IntervalSet(from: max(lower, first), to: min(end, last))
        case .notEqual:
            IntervalSet(from: max(lower, first), to: min(end, last)).complement(in: values)
        case .and, .or, .conditional, .in, .add, .subtract, .multiply, .divide, .modulo, .not,
            .negate, .index, .optionalIndex:
            nil
        }
    }
}

extension Value {
    /// Returns the result of a comparison with another value; nil if it would fail.
    func compared(_ operation: Operator, with other: Value) -> Bool? {
        if operation == .equal { return self == other }
        if operation == .notEqual { return self != other }
        guard let order = order(other) else { return nil }
        return switch operation {
        case .less: order == .less
        case .lessOrEqual: order == .less || order == .equal
        case .greater: order == .greater
        case .greaterOrEqual: order == .greater || order == .equal
        case .and, .or, .conditional, .equal, .notEqual, .in, .add, .subtract, .multiply, .divide,
            .modulo, .not, .negate, .index, .optionalIndex:
            nil
        }
    }
}
