/// Sets of instructions, each with a number: the possible states of a program between two bytes of
/// a text.
struct StateSets {
    struct State {
        /// The positions of its instructions among `members`, which are in ascending order.
        let members: Range<Int>
        /// The kind of the last read byte, as far as an assertion checks it.
        let previous: RegexNeighbour
        let hasAssertions: Bool
        fileprivate let hash: UInt64
    }

    private(set) var members: [Int32] = []
    private var states: [State] = []
    /// The number of a state by hash, or -1: open addressing, at most half full.
    private var buckets: [Int32] = Array(repeating: -1, count: 32)

    var count: Int { states.count }

    subscript(number: Int) -> State { states[number] }

    /// Returns the number of a set; a new set gets the next one.
    mutating func number(
        of set: [Int32], after previous: RegexNeighbour, hasAssertions: Bool
    ) -> Int {
        let hash = Self.hash(set, previous: previous)
        var bucket = Int(truncatingIfNeeded: hash) & (buckets.count - 1)
        while buckets[bucket] >= 0 {
            let number = Int(buckets[bucket])
            if isEqual(states[number], set: set, previous: previous, hash: hash) { return number }
            bucket = (bucket + 1) & (buckets.count - 1)
        }
        buckets[bucket] = Int32(states.count)
        states.append(
            State(
                members: members.count..<members.count + set.count, previous: previous,
                hasAssertions: hasAssertions, hash: hash))
        members.append(contentsOf: set)
        if states.count * 2 > buckets.count { grow() }
        return states.count - 1
    }

    private func isEqual(
        _ state: State, set: [Int32], previous: RegexNeighbour, hash: UInt64
    ) -> Bool {
        guard state.hash == hash, state.previous == previous, state.members.count == set.count
        else { return false }
        for (position, member) in zip(state.members, set) where members[position] != member {
            return false
        }
        return true
    }

    private mutating func grow() {
        buckets = Array(repeating: -1, count: buckets.count * 2)
        for (number, state) in states.enumerated() {
            var bucket = Int(truncatingIfNeeded: state.hash) & (buckets.count - 1)
            while buckets[bucket] >= 0 { bucket = (bucket + 1) & (buckets.count - 1) }
            buckets[bucket] = Int32(number)
        }
    }

    private static func hash(_ set: [Int32], previous: RegexNeighbour) -> UInt64 {
        var hash = UInt64(previous.rawValue)
        for member in set {
            // An odd multiplier without a pattern; the shift mixes the high bits back into the low
            // bits.
            hash = (hash ^ UInt64(truncatingIfNeeded: member)) &* 0x9E37_79B9_7F4A_7C15
            hash ^= hash >> 32
        }
        return hash
    }
}
