/// Bytes that no instruction of a program tells apart, as one class each: what keeps tables small.
struct ByteClasses: Sendable {
    /// The class of each of the 256 bytes.
    let classes: [UInt8]
    /// One byte of each class.
    let representatives: [UInt8]

    init(_ program: RegexProgram) {
        var starts = Set<Int>([0])
        for instruction in program.instructions {
            switch instruction {
            case .read(let arcs):
                for arc in arcs {
                    starts.insert(Int(arc.bytes.lowerBound))
                    starts.insert(Int(arc.bytes.upperBound) + 1)
                }
            case .assert: starts.formUnion(Self.startsOfNeighbours)
            case .split, .match: break
            }
        }
        var classes: [UInt8] = []
        var representatives: [UInt8] = []
        for byte in UInt8.min...UInt8.max {
            if starts.contains(Int(byte)) { representatives.append(byte) }
            classes.append(UInt8(representatives.count - 1))
        }
        self.classes = classes
        self.representatives = representatives
    }

    var count: Int { representatives.count }

    /// Where one kind of neighbour ends and another begins.
    private static let startsOfNeighbours = (1...255).filter { byte in
        RegexNeighbour(UInt8(byte)) != RegexNeighbour(UInt8(byte - 1))
    }
}

/// What assertions tell apart on either side of a place in the text.
enum RegexNeighbour: Sendable, Hashable {
    /// The text begins or ends here.
    case edge
    case newline
    /// A character of `\w`.
    case word
    case other
    /// A byte inside of a character: the place lies between no two characters.
    case inside

    init(_ byte: UInt8) {
        self =
            switch byte {
            case 0x0A: .newline
            case 0x30...0x39, 0x41...0x5A, 0x5F, 0x61...0x7A: .word
            case 0x80...0xBF: .inside
            default: .other
            }
    }
}

extension RegexAssertion {
    /// Whether the assertion holds between two neighbours.
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
