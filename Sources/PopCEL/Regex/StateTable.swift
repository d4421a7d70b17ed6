/// A program converted into one table: from each state and byte to the next state.
///
/// It is a class of constants, so that a match retains one reference and not one for each array.
final class StateTable: Sendable {
    /// The state from which no match is possible.
    private static let dead: UInt32 = 0
    private let byteClasses: [UInt8]
    /// The entries of a row: one for each class of bytes, and the last for the end of the text.
    private let width: UInt32
    private let start: UInt32
    /// The next state by state and class of byte; a state is the index at which its row begins. The
    /// rows of the dead state and of the match come first.
    private let next: [UInt32]

    /// Returns nil if the table would have more entries, or take more steps to create, than the
    /// limits allow: rules may have thousands of patterns, and each is compiled whenever they are
    /// loaded.
    init?(_ program: RegexProgram, limits: CELLimits) {
        var builder = Builder(program, limits: limits)
        guard let start = builder.build() else { return nil }
        byteClasses = builder.classes.classes
        width = UInt32(builder.width)
        self.start = start
        next = builder.next
    }

    /// Returns true if the program matches a text or a part of it, in one step per byte.
    func matches(_ text: some Sequence<UInt8>) -> Bool {
        let next = next
        let classes = byteClasses
        var state = start
        guard state > width else { return state == width }
        for byte in text {
            state = next[Int(state) + Int(classes[Int(byte)])]
            if state <= width { return state == width }
        }
        return next[Int(state + width) - 1] == width
    }

    /// Does the same for contiguous bytes, in a third of the instructions: 300 instead of 890 for
    /// 20 bytes of a string.
    func matches(_ text: Span<UInt8>) -> Bool {
        let next = next
        let classes = byteClasses
        var state = start
        guard state > width else { return state == width }
        for index in text.indices {
            state = next[Int(state) + Int(classes[Int(text[index])])]
            if state <= width { return state == width }
        }
        return next[Int(state + width) - 1] == width
    }
}

extension StateTable {
    private struct Builder {
        let classes: ByteClasses
        let width: Int
        private(set) var next: [UInt32] = []
        private var stepper: StateStepper
        private let limits: CELLimits

        init(_ program: RegexProgram, limits: CELLimits) {
            classes = ByteClasses(program)
            width = classes.count + 1
            stepper = StateStepper(program)
            self.limits = limits
        }

        /// Returns the row of the first state, or nil if the table is too large.
        mutating func build() -> UInt32? {
            // The dead state and the match lead to themselves.
            for state in [StateStepper.dead, StateStepper.match] {
                next += repeatElement(row(of: state), count: width)
            }
            let start = row(of: stepper.start())
            var state = 0
            while state < stepper.count {
                for byte in classes.representatives {
                    next.append(row(of: stepper.step(state, byte: byte)))
                }
                next.append(
                    row(
                        of: stepper.matchesAtEnd(state)
                            ? StateStepper.match : StateStepper.dead))
                guard (stepper.count + 2) * width <= limits.regexTableEntries,
                    stepper.work <= limits.regexTableSteps
                else { return nil }
                state += 1
            }
            return start
        }

        /// Returns the index at which the row of a state begins.
        private func row(of state: Int) -> UInt32 {
            switch state {
            case StateStepper.dead: StateTable.dead
            case StateStepper.match: UInt32(width)
            default: UInt32((state + 2) * width)
            }
        }
    }
}

/// Runs a program whose table would be too large: the rows that a text needs are created while it
/// is read.
///
/// It belongs to one match, so that programs stay immutable values. If the rows take too much space
/// they are discarded: the time stays linear, the memory bounded.
struct Determinizer {
    /// An entry of the table that isn't computed yet.
    private static let unknown: Int32 = -3
    /// The maximum number of instructions and entries that the kept states contain together.
    private static let mostKept = 100_000

    private let classes: ByteClasses
    private var stepper: StateStepper
    private var next: [Int32] = []

    init(_ program: RegexProgram) {
        classes = ByteClasses(program)
        stepper = StateStepper(program)
    }

    /// The instructions visited so far.
    var work: Int { stepper.work }

    /// Returns true if the program matches a text or a part of it.
    mutating func matches(_ text: some Sequence<UInt8>) -> Bool {
        var state = stepper.start()
        if state < 0 { return state == StateStepper.match }
        addRows()
        for byte in text {
            let entry = state * classes.count + Int(classes.classes[Int(byte)])
            let known = next[entry]
            state = known == Self.unknown ? step(state, byte: byte) : Int(known)
            if state < 0 { return state == StateStepper.match }
        }
        return stepper.matchesAtEnd(state)
    }

    /// Computes an entry of the table.
    private mutating func step(_ state: Int, byte: UInt8) -> Int {
        var state = state
        if stepper.kept + next.count > Self.mostKept {
            state = stepper.forget(except: state)
            next.removeAll(keepingCapacity: true)
            addRows()
        }
        let target = stepper.step(state, byte: byte)
        addRows()
        next[state * classes.count + Int(classes.classes[Int(byte)])] = Int32(target)
        return target
    }

    /// Adds rows so that each state has one.
    private mutating func addRows() {
        let missing = stepper.count * classes.count - next.count
        if missing > 0 { next += repeatElement(Self.unknown, count: missing) }
    }
}
