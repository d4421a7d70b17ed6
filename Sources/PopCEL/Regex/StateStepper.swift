/// Follows all ways through a program at once: from a set of instructions and a byte to the next
/// set.
///
/// The sets that it has met stand one behind the other and are known by their numbers: making a
/// table meets each of them many times.
struct StateStepper {
    /// Instead of a number: no text that follows can make the program match.
    static let dead = -1
    /// Instead of a number: the program has matched, and nothing else matters.
    static let match = -2

    private let program: RegexProgram
    private let isAnchored: Bool
    private let kinds: RegexNeighbour.Kinds
    private var sets = StateSets()
    /// The instructions visited so far.
    private(set) var work = 0
    /// For each instruction the last round in which it was visited.
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
    /// How many sets have a number.
    var count: Int { sets.count }
    /// The instructions that the sets hold together.
    var kept: Int { sets.members.count }

    /// Where the program is before the first byte.
    mutating func start() -> Int {
        pending.append(program.start)
        return collect(previous: .edge)
    }

    /// Where the program is behind a byte.
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

    /// Whether the program matches when the text ends here.
    mutating func matchesAtEnd(_ state: Int) -> Bool {
        sets[state].hasAssertions && collect(resolving: state, next: .edge)
    }

    /// Forgets all sets but one and gives the number that this one has now.
    mutating func forget(except state: Int) -> Int {
        let set = sets[state]
        waiting.removeAll(keepingCapacity: true)
        for position in set.members { waiting.append(sets.members[position]) }
        sets = StateSets()
        return sets.number(of: waiting, after: set.previous, hasAssertions: set.hasAssertions)
    }

    /// Where reading a byte at an instruction leads is visited next.
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

    /// The set of the instructions that read or assert and are reached from the pending ones
    /// without reading.
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

    /// Goes on behind the assertions of a set that hold before what comes next; answers whether the
    /// program matches so.
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

    /// Whether the instruction has not been visited in this round.
    private mutating func visit(_ index: Int32) -> Bool {
        guard visited[Int(index)] != round else { return false }
        visited[Int(index)] = round
        work += 1
        return true
    }
}
