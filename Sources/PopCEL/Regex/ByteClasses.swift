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
