/// Follows all ways through a program at once: from a set of instructions and a byte to the next set.
struct StateStepper {
    /// Where a program may be between two bytes of a text.
    struct StateSet: Hashable {
        /// Instructions that read or assert, ascending.
        fileprivate(set) var waiting: [Int] = []
        /// What was read last, as far as an assertion asks for it.
        fileprivate(set) var previous = RegexNeighbour.other
        /// Whether the program has matched; nothing else matters then.
        fileprivate(set) var isMatch = false

        /// Whether no text that follows can make the program match.
        var isDead: Bool { !isMatch && waiting.isEmpty }
        fileprivate var hasAssertions = false
    }

    private let program: RegexProgram
    private let isAnchored: Bool
    /// The instructions visited so far.
    private(set) var work = 0
    /// For each instruction the last round in which it was visited.
    private var visited: [Int]
    private var round = 0
    private var pending: [Int] = []

    init(_ program: RegexProgram) {
        self.program = program
        isAnchored = program.isAnchored
        visited = Array(repeating: 0, count: program.instructions.count)
    }

    /// Where the program is before the first byte.
    mutating func start() -> StateSet {
        collect([program.start], previous: .edge)
    }

    /// Where the program is behind a byte.
    mutating func step(_ state: StateSet, _ byte: UInt8) -> StateSet {
        let here = resolve(state, next: RegexNeighbour(byte))
        if here.isMatch { return here }
        var targets: [Int] = []
        for index in here.waiting {
            work += 1
            guard case .read(let arcs) = program.instructions[index],
                let arc = arcs.first(where: { $0.bytes.upperBound >= byte }),
                arc.bytes.lowerBound <= byte
            else { continue }
            targets.append(arc.target)
        }
        if !isAnchored { targets.append(program.start) }
        return collect(targets, previous: RegexNeighbour(byte))
    }

    /// Whether the program matches when the text ends here.
    mutating func matchesAtEnd(_ state: StateSet) -> Bool {
        resolve(state, next: .edge).isMatch
    }

    /// Goes on behind the assertions that hold before the next byte.
    private mutating func resolve(_ state: StateSet, next: RegexNeighbour) -> StateSet {
        guard state.hasAssertions, !state.isMatch else { return state }
        return collect(state.waiting, previous: state.previous, next: next)
    }

    /// The instructions that read or assert and are reached without reading, and whether a match is.
    ///
    /// With `next` known, assertions are decided; without, the way waits at them.
    private mutating func collect(
        _ targets: [Int], previous: RegexNeighbour, next: RegexNeighbour? = nil
    ) -> StateSet {
        var state = StateSet()
        round += 1
        pending = targets
        while let index = pending.popLast() {
            guard visited[index] != round else { continue }
            visited[index] = round
            work += 1
            switch program.instructions[index] {
            case .match:
                state = StateSet()
                state.isMatch = true
                return state
            case .split(let one, let other): pending += [one, other]
            case .read: state.waiting.append(index)
            case .assert(let assertion, let target):
                if let next {
                    if assertion.holds(between: previous, and: next) { pending.append(target) }
                } else {
                    state.waiting.append(index)
                    state.hasAssertions = true
                }
            }
        }
        state.waiting.sort()
        if state.hasAssertions { state.previous = previous }
        return state
    }
}
