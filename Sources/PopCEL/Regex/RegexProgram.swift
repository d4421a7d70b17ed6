/// A regular expression as a machine that reads UTF-8 bytes: Thompson's construction.
struct RegexProgram: Sendable {
    /// An arc that leads from a byte of a range to another instruction.
    struct Arc: Sendable, Hashable {
        var bytes: ClosedRange<UInt8>
        var target: Int32
    }

    /// An instruction of plain bits, so that following the program retains nothing.
    enum Instruction: Sendable {
        /// Reads a byte by `count` arcs from `first` on, which are in ascending order and don't
        /// overlap.
        case read(first: Int32, count: Int32)
        /// Continues at both.
        case split(Int32, Int32)
        /// Continues if the assertion holds.
        case assert(RegexAssertion, Int32)
        case match
    }

    private(set) var instructions: [Instruction] = []
    /// The arcs of all instructions that read.
    private(set) var arcs: [Arc] = []
    private(set) var start: Int32 = 0

    /// Returns nil if the program would have more instructions than `mostStates`.
    init?(_ node: RegexNode, mostStates: Int) {
        var builder = ProgramBuilder(mostStates: mostStates)
        let match = builder.emit(.match)
        start = builder.compile(node, next: match)
        guard !builder.isTooLarge else { return nil }
        instructions = builder.instructions
        arcs = builder.arcs
    }

    /// True if each match must begin at the start of the text.
    var isAnchored: Bool {
        var pending = [start]
        var seen = Array(repeating: false, count: instructions.count)
        while let index = pending.popLast() {
            guard !seen[Int(index)] else { continue }
            seen[Int(index)] = true
            switch instructions[Int(index)] {
            case .split(let one, let other): pending += [one, other]
            case .assert(.textStart, _): continue
            case .assert, .read, .match: return false
            }
        }
        return true
    }
}

extension RegexProgram {
    /// Builds from the end backward: each node is compiled with the knowledge of the next
    /// instruction.
    private struct ProgramBuilder {
        private(set) var instructions: [Instruction] = []
        private(set) var arcs: [Arc] = []
        private(set) var isTooLarge = false
        private let mostStates: Int
        private var work = 0

        init(mostStates: Int) {
            self.mostStates = mostStates
            instructions.reserveCapacity(32)
            arcs.reserveCapacity(32)
        }

        /// The limit of work per state: repeated nodes that emit nothing must not take unbounded
        /// time either.
        private static let workPerState = 16

        mutating func emit(_ instruction: Instruction) -> Int32 {
            guard instructions.count < mostStates else {
                isTooLarge = true
                return 0
            }
            instructions.append(instruction)
            return Int32(instructions.count - 1)
        }

        /// Returns the first instruction of a node that continues at `next`.
        mutating func compile(_ node: RegexNode, next: Int32) -> Int32 {
            work += 1
            if work > mostStates * Self.workPerState { isTooLarge = true }
            guard !isTooLarge else { return 0 }
            switch node {
            case .empty: return next
            case .scalars(let set): return compile(set, next: next)
            case .assertion(let assertion): return emit(.assert(assertion, next))
            case .concatenation(let parts):
                return parts.reversed().reduce(next) { compile($1, next: $0) }
            case .alternation(let branches):
                let entries = branches.map { compile($0, next: next) }
                guard let last = entries.last else { return next }
                return entries.dropLast().reversed().reduce(last) { emit(.split($1, $0)) }
            case .repetition(let part, let least, let most):
                return compile(part, least: least, most: most, next: next)
            }
        }

        private mutating func compile(
            _ part: RegexNode, least: Int, most: Int?, next: Int32
        ) -> Int32 {
            var entry = next
            var copies = least
            if let most {
                for _ in least..<max(most, least) where !isTooLarge {
                    entry = emit(.split(compile(part, next: entry), next))
                }
            } else {
                let loop = emit(.split(next, next))
                let body = compile(part, next: loop)
                if !isTooLarge { instructions[Int(loop)] = .split(body, next) }
                // `x+` is `x` followed by the way back.
                entry = least > 0 ? body : loop
                copies = max(least - 1, 0)
            }
            for _ in 0..<copies where !isTooLarge { entry = compile(part, next: entry) }
            return entry
        }

        private mutating func compile(_ set: ScalarSet, next: Int32) -> Int32 {
            guard let last = set.ranges.last, last.upperBound < 0x80 else {
                var known: [[Arc]: Int32] = [:]
                return trie(
                    UTF8Ranges.sequences(of: set)[...], depth: 0, next: next, known: &known)
            }
            // ASCII scalars are single bytes.
            let first = arcs.count
            for range in set.ranges {
                let bytes = UInt8(range.lowerBound)...UInt8(range.upperBound)
                arcs.append(Arc(bytes: bytes, target: next))
            }
            return emit(.read(first: Int32(first), count: Int32(set.ranges.count)))
        }

        /// Emits a set as a trie over the bytes of its scalars, whose equal subtrees are shared.
        private mutating func trie(
            _ sequences: ArraySlice<[ClosedRange<UInt8>]>, depth: Int, next: Int32,
            known: inout [[Arc]: Int32]
        ) -> Int32 {
            var arcs: [Arc] = []
            var rest = sequences
            while let first = rest.first {
                let group = rest.prefix { $0[depth] == first[depth] }
                rest = rest[group.endIndex...]
                let target =
                    first.count == depth + 1
                    ? next : trie(group, depth: depth + 1, next: next, known: &known)
                if let last = arcs.last, last.target == target,
                    last.bytes.upperBound + 1 == first[depth].lowerBound
                {
                    arcs[arcs.count - 1].bytes =
                        last.bytes.lowerBound...first[depth].upperBound
                } else {
                    arcs.append(Arc(bytes: first[depth], target: target))
                }
            }
            if let index = known[arcs] { return index }
            let index = emit(.read(first: Int32(self.arcs.count), count: Int32(arcs.count)))
            self.arcs += arcs
            known[arcs] = index
            return index
        }
    }
}

/// Classes of bytes that no instruction of a program distinguishes; they keep tables small.
struct ByteClasses: Sendable {
    /// The class of each of the 256 bytes.
    let classes: [UInt8]
    /// One byte of each class.
    let representatives: [UInt8]

    init(_ program: RegexProgram) {
        var starts = Array(repeating: false, count: 257)
        starts[0] = true
        for arc in program.arcs {
            starts[Int(arc.bytes.lowerBound)] = true
            starts[Int(arc.bytes.upperBound) + 1] = true
        }
        for start in RegexNeighbour.Kinds(program).starts { starts[Int(start)] = true }
        var classes: [UInt8] = []
        var representatives: [UInt8] = []
        classes.reserveCapacity(256)
        for byte in UInt8.min...UInt8.max {
            if starts[Int(byte)] { representatives.append(byte) }
            classes.append(UInt8(representatives.count - 1))
        }
        self.classes = classes
        self.representatives = representatives
    }

    var count: Int { representatives.count }
}

/// The neighbors of a position in the text, as far as assertions distinguish them.
enum RegexNeighbour: UInt8, Sendable, Hashable {
    /// The text begins or ends here.
    case edge
    case newline
    /// A character of `\w`.
    case word
    case other
    /// A byte inside a character: the position isn't between two characters.
    case inside

    /// The kinds of neighbors that the assertions of a program check. Unchecked kinds need no
    /// states of their own.
    struct Kinds: Sendable {
        private var asksAnything = false
        private var asksForLines = false
        private var asksForWords = false

        init(_ program: RegexProgram) {
            for case .assert(let assertion, _) in program.instructions {
                asksAnything = true
                switch assertion {
                case .textStart, .textEnd: break
                case .lineStart, .lineEnd: asksForLines = true
                case .wordBoundary, .noWordBoundary: asksForWords = true
                }
            }
        }

        /// Returns the kind of the byte that is read next, as far as it matters.
        func next(_ byte: UInt8) -> RegexNeighbour {
            switch byte {
            case 0x0A: asksForLines ? .newline : .other
            case 0x30...0x39, 0x41...0x5A, 0x5F, 0x61...0x7A: asksForWords ? .word : .other
            case 0x80...0xBF: .inside
            default: .other
            }
        }

        /// Returns the kind of the byte that was read last; no assertion checks whether a character
        /// ended there.
        func previous(_ byte: UInt8) -> RegexNeighbour {
            let kind = next(byte)
            return kind == .inside ? .other : kind
        }

        /// The bytes at which one kind ends and another begins.
        var starts: [UInt8] {
            asksAnything ? Self.possibleStarts.filter { next($0) != next($0 - 1) } : []
        }

        private static let possibleStarts: [UInt8] = [
            0x0A, 0x0B, 0x30, 0x3A, 0x41, 0x5B, 0x5F, 0x60, 0x61, 0x7B, 0x80, 0xC0,
        ]
    }
}

extension RegexAssertion {
    /// Returns true if the assertion holds between two neighbors.
    func holds(between previous: RegexNeighbour, and next: RegexNeighbour) -> Bool {
        guard next != .inside else { return false }
        return switch self {
        case .textStart: previous == .edge
        case .textEnd: next == .edge
        case .lineStart: previous == .edge || previous == .newline
        case .lineEnd: next == .edge || next == .newline
        case .wordBoundary: (previous == .word) != (next == .word)
        case .noWordBoundary: (previous == .word) == (next == .word)
        }
    }
}
