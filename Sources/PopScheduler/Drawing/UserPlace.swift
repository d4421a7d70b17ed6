package import PopCEL

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
