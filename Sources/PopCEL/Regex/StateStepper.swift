/// Follows all paths through a program at the same time: from a set of instructions and a byte to
/// the next set.
///
/// The sets seen so far are stored one after the other and identified by their numbers: creating a
/// table meets each of them many times.
struct StateStepper {
    /// A special number: no further text can make the program match.
    static let dead = -1
    /// A special number: the program has matched, and nothing else matters.
    static let match = -2

    private let program: RegexProgram
    private let isAnchored: Bool
    private let kinds: RegexNeighbour.Kinds
    private var sets = StateSets()
    /// The instructions visited so far.
    private(set) var work = 0
    /// The last round in which each instruction was visited.
    private var visited: [Int]
    private var round = 0
    // Kept from step to step, so that a step allocates nothing.
    private var pending: [Int32] = []
    private var targets: [Int32] = []
    private var waiting: [Int32] = []

    init(_ program: RegexProgram) {
        self.program = program
        isAnchored = program.isAnchored
        kinds = RegexNeighbour.Kinds(program)
        visited = Array(repeating: 0, count: program.instructions.count)
    }

    /// The instructions of the program.
    var size: Int { program.instructions.count }
    /// The number of sets that have a number.
    var count: Int { sets.count }
    /// The number of instructions that the sets contain together.
    var kept: Int { sets.members.count }

    /// Returns the state before the first byte.
    mutating func start() -> Int {
        pending.append(program.start)
        return collect(previous: .edge)
    }

    /// Returns the state after a byte.
    mutating func step(_ state: Int, byte: UInt8) -> Int {
        if sets[state].hasAssertions {
            if collect(resolving: state, next: kinds.next(byte)) { return Self.match }
            for index in waiting { read(byte, at: index) }
        } else {
            for position in sets[state].members { read(byte, at: sets.members[position]) }
        }
        if !isAnchored { pending.append(program.start) }
        return pending.isEmpty ? Self.dead : collect(previous: kinds.previous(byte))
    }

    /// Returns true if the program matches when the text ends here.
    mutating func matchesAtEnd(_ state: Int) -> Bool {
        sets[state].hasAssertions && collect(resolving: state, next: .edge)
    }

    /// Forgets all sets except one and returns its new number.
    mutating func forget(except state: Int) -> Int {
        let set = sets[state]
        waiting.removeAll(keepingCapacity: true)
        for position in set.members { waiting.append(sets.members[position]) }
        sets = StateSets()
        return sets.number(of: waiting, after: set.previous, hasAssertions: set.hasAssertions)
    }

    /// Marks the targets of reading a byte at an instruction as pending.
    private mutating func read(_ byte: UInt8, at index: Int32) {
        work += 1
        guard case .read(let first, let count) = program.instructions[Int(index)] else { return }
        for position in Int(first)..<Int(first + count) {
            let arc = program.arcs[position]
            guard arc.bytes.upperBound >= byte else { continue }
            if arc.bytes.lowerBound <= byte { pending.append(arc.target) }
            return
        }
    }

    /// Returns the set of the instructions that read or assert and that are reached from the
    /// pending ones without reading.
    private mutating func collect(previous: RegexNeighbour) -> Int {
        startRound()
        var hasAssertions = false
        while let index = pending.popLast() {
            guard visit(index) else { continue }
            switch program.instructions[Int(index)] {
            case .match:
                pending.removeAll(keepingCapacity: true)
                return Self.match
            case .split(let one, let other):
                pending.append(one)
                pending.append(other)
            case .read: waiting.append(index)
            case .assert:
                waiting.append(index)
                hasAssertions = true
            }
        }
        if waiting.isEmpty { return Self.dead }
        waiting.sort()
        return sets.number(
            of: waiting, after: hasAssertions ? previous : .other, hasAssertions: hasAssertions)
    }

    /// Continues after the assertions of a set that hold before `next`; returns true if the program
    /// matches this way.
    private mutating func collect(resolving state: Int, next: RegexNeighbour) -> Bool {
        startRound()
        let set = sets[state]
        for position in set.members { pending.append(sets.members[position]) }
        while let index = pending.popLast() {
            guard visit(index) else { continue }
            switch program.instructions[Int(index)] {
            case .match:
                pending.removeAll(keepingCapacity: true)
                return true
            case .split(let one, let other):
                pending.append(one)
                pending.append(other)
            case .read: waiting.append(index)
            case .assert(let assertion, let target):
                if assertion.holds(between: set.previous, and: next) { pending.append(target) }
            }
        }
        return false
    }

    private mutating func startRound() {
        round += 1
        waiting.removeAll(keepingCapacity: true)
    }

    /// Visits an instruction; returns true if it hasn't been visited in this round.
    private mutating func visit(_ index: Int32) -> Bool {
        guard visited[Int(index)] != round else { return false }
        visited[Int(index)] = round
        work += 1
        return true
    }
}

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
