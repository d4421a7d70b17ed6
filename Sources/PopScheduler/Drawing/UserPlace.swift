package import PopCEL

/// Where a user stands among a million places, which shares of the users are cut from.
///
/// The place is the hash of a salt and of what tells users apart, modulo a million: the same on
/// every device and in every version.
package struct UserPlace: Sendable, Hashable {
    /// What a share is cut for: the places of one are independent of those of another. A rollout is
    /// for none of these, and hashes no name of a purpose.
    package enum Purpose: String, Sendable {
        /// Who sees essential popups only.
        case holdout
        /// Which of the experiments that exclude each other a user may be in.
        case layer
        /// Who takes part in an experiment.
        case share
        /// Which arm of it a user is in.
        case arm
    }

    /// How many places there are.
    static let count: Int64 = 1_000_000

    /// From 0 to 999,999.
    package let number: Int

    /// Nil for a value that tells nobody apart: none, an empty one, and one of another type than
    /// text, bytes, whole numbers and bools.
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

    /// Whether it lies in a part of the users, in percent.
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
