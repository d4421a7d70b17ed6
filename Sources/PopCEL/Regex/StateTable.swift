/// A program turned into one table: from each state and byte to the next state.
struct StateTable: Sendable {
    /// The state from which nothing matches any more.
    private static let dead: UInt32 = 0
    private let byteClasses: [UInt8]
    private let width: UInt32
    private let start: UInt32
    /// By state and class of byte; states are given by where their rows begin.
    private let next: [UInt32]
    private let matchesAtEnd: [Bool]

    /// Nil when the table would have more than `mostEntries`, or take long to make.
    init?(_ program: RegexProgram, mostEntries: Int) {
        var builder = Builder(program, mostEntries: mostEntries)
        guard let start = builder.build() else { return nil }
        byteClasses = builder.classes.classes
        width = UInt32(builder.classes.count)
        self.start = start
        next = builder.next
        matchesAtEnd = builder.matchesAtEnd
    }

    /// Whether the program matches a text or a part of it, in one step a byte.
    func matches(_ text: some Sequence<UInt8>) -> Bool {
        var state = start
        guard state > width else { return state == width }
        for byte in text {
            state = next[Int(state + UInt32(byteClasses[Int(byte)]))]
            // The rows of the dead state and the match come first.
            if state <= width { return state == width }
        }
        return matchesAtEnd[Int(state / width)]
    }
}

extension StateTable {
    private struct Builder {
        let classes: ByteClasses
        private(set) var next: [UInt32] = []
        private(set) var matchesAtEnd: [Bool] = []
        private var stepper: StateStepper
        private var rows: [StateStepper.StateSet: UInt32] = [:]
        private var unfinished: [StateStepper.StateSet] = []
        private let mostEntries: Int

        /// Making an entry should take about as many steps; a program that needs far more is simulated.
        private static let workPerEntry = 16

        init(_ program: RegexProgram, mostEntries: Int) {
            classes = ByteClasses(program)
            stepper = StateStepper(program)
            self.mostEntries = mostEntries
        }

        /// The row of the first state, or nil when the table is too large.
        mutating func build() -> UInt32? {
            // The dead state and the match lead to themselves.
            for row in [StateTable.dead, UInt32(classes.count)] {
                next += Array(repeating: row, count: classes.count)
                matchesAtEnd.append(row != StateTable.dead)
            }
            let start = row(of: stepper.start())
            var finished = 0
            while finished < unfinished.count {
                let state = unfinished[finished]
                matchesAtEnd[finished + 2] = stepper.matchesAtEnd(state)
                for (index, byte) in classes.representatives.enumerated() {
                    let target = row(of: stepper.step(state, byte))
                    guard next.count <= mostEntries,
                        stepper.work <= mostEntries * Self.workPerEntry
                    else { return nil }
                    next[(finished + 2) * classes.count + index] = target
                }
                finished += 1
            }
            return start
        }

        /// Where the row of a state begins; a new state gets an empty one.
        private mutating func row(of state: StateStepper.StateSet) -> UInt32 {
            if state.isMatch { return UInt32(classes.count) }
            if state.isDead { return StateTable.dead }
            if let row = rows[state] { return row }
            let row = UInt32(next.count)
            next += Array(repeating: StateTable.dead, count: classes.count)
            matchesAtEnd.append(false)
            rows[state] = row
            unfinished.append(state)
            return row
        }
    }
}
