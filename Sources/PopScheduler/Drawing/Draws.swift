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
