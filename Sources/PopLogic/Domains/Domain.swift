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
    var values: ClosedRange<Rank>
    /// True if the value may be missing; absence then has the rank before the other values.
    var hasAbsence = false
    /// The value that counts if the value is missing, for a key with a default.
    var usual: Value?
    /// True if there never is a value, whatever the ranks say.
    var isAbsent = false

    init(_ form: Form, from first: Rank, to last: Rank) {
        self.form = form
        values = first...max(first, last)
    }

    /// The rank that represents a missing value.
    var absence: Rank { values.lowerBound.previous }

    /// The ranks of its values, including absence if the value may be missing.
    var whole: ClosedRange<Rank> {
        (hasAbsence ? absence : values.lowerBound)...values.upperBound
    }

    /// The ranks that count as a value; they include absence if there is a usual value.
    var present: RankSet { RankSet([usual == nil ? values : whole]) }

    static let truth = Domain(.truth, from: .zero, to: Rank(1))
    static let outcome = Domain(.outcome, from: .zero, to: Rank(2))
    static let presence = Domain(.presence, from: .zero, to: .zero)
    static let sizes = Domain(.number, from: .zero, to: Rank(Int64.max))
    static let versions = Domain(
        .version, from: Rank(high: -1 << 61, low: 0), to: Rank(high: 1 << 61, low: 0))
    static let constants = Domain(.constants, from: .zero, to: Rank(Int64.max))
}

extension Domain {
    /// Creates the domain of a key with a type, within its declared bounds.
    init(_ type: CELType, minimum: Value?, maximum: Value?) {
        switch type {
        case .bool: self = .truth
        case .int: self.init(.int, from: Rank(Int64.min), to: Rank(Int64.max))
        case .uint: self.init(.uint, from: .zero, to: Rank(UInt64.max))
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

    private static let longest = Rank(.max, times: attoseconds)
    /// The rank after infinity.
    static let nan = rank(Double.infinity).next
    static let attoseconds: Int64 = 1_000_000_000_000_000_000
    static let nanoseconds: Int64 = 1_000_000_000

    static func rank(_ number: Double) -> Rank {
        if number.isNaN { return nan }
        let magnitude = Int64(bitPattern: number.magnitude.bitPattern)
        return Rank(number.sign == .minus ? -magnitude : magnitude)
    }

    static func rank(_ instant: Timestamp) -> Rank {
        Rank(instant.seconds, times: nanoseconds) + Rank(Int64(instant.nanoseconds))
    }

    static func rank(_ duration: Duration) -> Rank {
        let (seconds, attoseconds) = duration.components
        return Rank(seconds, times: Self.attoseconds) + Rank(attoseconds)
    }
}

extension Rank {
    fileprivate var negatedRank: Rank { -self }
}
