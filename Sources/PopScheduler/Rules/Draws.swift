package import PopCEL
internal import PopSource

/// Chooses random durations between two bounds. Each is a hash of its purpose, the seed, the user,
/// the name of the popup or scheduler, and the number of the draw, so that no draw changes another.
struct Draws: Sendable {
    /// The purpose of a random duration.
    enum Purpose: String, Sendable {
        /// The `delay` of a popup.
        case delay
        /// The `gap` of a scheduler.
        case gap
    }

    private struct Subject: Sendable, Hashable {
        let purpose: Purpose
        let name: String
    }

    let seed: UInt64
    private var counts: [Subject: Int] = [:]

    init(seed: UInt64) { self.seed = seed }

    /// The number of the next draw for a popup or scheduler, from 1.
    mutating func nextNumber(_ purpose: Purpose, of name: String) -> Int {
        counts[Subject(purpose: purpose, name: name), default: 0] += 1
        return counts[Subject(purpose: purpose, name: name), default: 0]
    }

    /// Returns a duration between two bounds, both included, to the millisecond.
    func duration(
        from range: ClosedRange<Duration>, for purpose: Purpose, of name: String, user: String,
        number: Int
    ) -> Duration {
        guard range.lowerBound < range.upperBound else { return range.lowerBound }
        var hash = StableHash()
        hash.add(purpose.rawValue.utf8)
        hash.add(byte: 0)
        hash.add(number: seed)
        hash.add(user.utf8)
        hash.add(byte: 0)
        hash.add(name.utf8)
        hash.add(byte: 0)
        hash.add(number: UInt64(number))
        let span = (range.upperBound - range.lowerBound).wholeMilliseconds
        return range.lowerBound + .milliseconds(Int64(hash.value % (span + 1)))
    }
}

extension Duration {
    /// At most the 24 days that 2^31 milliseconds are.
    fileprivate var wholeMilliseconds: UInt64 {
        let (seconds, attoseconds) = components
        return UInt64(min(seconds, 2_147_483) * 1000 + attoseconds / 1_000_000_000_000_000)
    }
}

extension Holdout {
    /// Returns true if the user with this value of the key sees only essential popups; false if the
    /// value doesn't identify a user.
    package func includes(_ value: Value?) -> Bool {
        UserPlace(of: value, salt: salt, for: .holdout)?.isIn(0..<percent) ?? false
    }
}

extension Assignment {
    /// Returns the arm of the user with this value of the key; nil if the user doesn't take part or
    /// the value doesn't identify a user.
    package func arm(of value: Value?) -> String? {
        if let layer, UserPlace(of: value, salt: layer.salt, for: .layer)?.isIn(layer.range) != true
        {
            return nil
        }
        guard UserPlace(of: value, salt: salt, for: .share)?.isIn(0..<share) == true else {
            return nil
        }
        return UserPlace(of: value, salt: salt, for: .arm).flatMap { arm(at: Int64($0.number)) }
    }

    /// Returns the arm at a place. Places of control come first, then the variants in order of
    /// their names, each as wide as its weight. Computed in 64 bits, because a place times a weight
    /// doesn't fit in 32 bits.
    private func arm(at place: Int64) -> String? {
        // Percentages of up to eight decimals are cut off where they are written, not at the
        // nearest binary fraction.
        let begin = Int64(control * 10_000 + 0.000_1)
        if place < begin { return Self.control }
        let total = arms.reduce(0) { $0 + Int64($1.weight) }
        if total == 0 { return nil }
        var weight: Int64 = 0
        return arms.ordered { $0.name < $1.name }.first { arm in
            weight += Int64(arm.weight)
            return place < begin + (UserPlace.count - begin) * weight / total
        }?.name
    }
}

extension Rollout {
    /// Returns true if the user with this value of the key sees the popup at a date.
    ///
    /// A value that doesn't identify a user is included only if the rollout includes all users.
    package func includes(_ value: Value?, at date: Timestamp) -> Bool {
        let part = share.part(at: date)
        if part == 0..<100 { return true }
        return UserPlace(of: value, salt: salt)?.isIn(part) ?? false
    }
}

extension Rollout.Share {
    /// The part of the users at a date, in percent.
    package func part(at date: Timestamp) -> Range<Double> {
        switch self {
        case .range(let range): range
        case .steps(let steps): 0..<(steps.last { $0.begins <= date }?.percent ?? 0)
        }
    }

    /// The dates at which the included part of the users changes.
    package var changes: [Timestamp] {
        switch self {
        case .range: []
        case .steps(let steps): steps.map { $0.begins }
        }
    }

    /// The largest part of the users at any date, in percent.
    package var largest: Double {
        switch self {
        case .range(let range): range.upperBound - range.lowerBound
        case .steps(let steps): steps.map { $0.percent }.max() ?? 0
        }
    }
}

/// The place of a user among a million places, from which shares of the users are cut.
///
/// The place is the hash of a salt and of the value that identifies the user, modulo a million: the
/// same on every device and in every version.
package struct UserPlace: Sendable, Hashable {
    /// The purpose of a share: the places for one purpose are independent of the places for
    /// another. A rollout has none of these purposes, and its hash contains no name of a purpose.
    package enum Purpose: String, Sendable {
        /// The users who see only essential popups.
        case holdout
        /// The users of a layer that may take part in an experiment.
        case layer
        /// The users who take part in an experiment.
        case share
        /// The arm of a user in an experiment.
        case arm
    }

    /// The number of places.
    static let count: Int64 = 1_000_000

    /// From 0 to 999,999.
    package let number: Int

    /// Creates a place. Nil for a value that doesn't identify a user: a missing or empty value, or
    /// a value that isn't a string, bytes, an integer or a bool.
    package init?(of value: Value?, salt: String, for purpose: Purpose? = nil) {
        guard let bytes = value.flatMap(Self.bytes), !bytes.isEmpty else { return nil }
        var hash = StableHash()
        if let purpose {
            hash.add(purpose.rawValue.utf8)
            hash.add(byte: 0)
        }
        hash.add(salt.utf8)
        hash.add(byte: 0)
        hash.add(bytes)
        number = Int(hash.value % UInt64(Self.count))
    }

    /// Returns true if the place is in a part of the users, in percent.
    package func isIn(_ percent: Range<Double>) -> Bool {
        let place = Double(number)
        return percent.lowerBound * 10_000 <= place && place < percent.upperBound * 10_000
    }

    private static func bytes(of value: Value) -> [UInt8]? {
        switch value {
        case .string(let text): Array(text.utf8)
        case .int(let number): Array("\(number)".utf8)
        case .uint(let number): Array("\(number)".utf8)
        case .bool(let flag): Array("\(flag)".utf8)
        case .bytes(let bytes): bytes
        case .null, .double, .timestamp, .duration, .version, .list, .map, .type, .optional: nil
        }
    }
}

/// A hash that is the same on every device and in every version: FNV-1a of 64 bits, whose bits are
/// then mixed by the last step of SplitMix64.
///
/// Sources: Fowler, Noll and Vo, "The FNV Non-Cryptographic Hash Algorithm"
/// (draft-eastlake-fnv-21); Steele, Lea and Flood, "Fast Splittable Pseudorandom Number
/// Generators", 2014.
@usableFromInline package struct StableHash: Sendable {
    @usableFromInline var state: UInt64 = 0xCBF2_9CE4_8422_2325

    @inlinable package init() {}

    @inlinable package mutating func add(byte: UInt8) {
        state = (state ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
    }

    @inlinable package mutating func add(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { add(byte: byte) }
    }

    /// Adds a number as eight bytes, the lowest first.
    @inlinable package mutating func add(number: UInt64) {
        for shift in stride(from: UInt64(0), to: 64, by: 8) {
            add(byte: UInt8(truncatingIfNeeded: number >> shift))
        }
    }

    /// The hash of what was added.
    @inlinable package var value: UInt64 {
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
