/// Runs a program whose table would be too large: the rows that a text needs are made as it is read.
///
/// It belongs to one match, so that programs stay immutable values. When the rows take too much space
/// they are thrown away: the time stays linear, the memory bounded.
struct Determinizer {
    private static let unknown = -1
    private static let dead = -2
    private static let match = -3
    /// The most instructions that the kept states hold together.
    private static let mostKept = 100_000

    private let classes: ByteClasses
    private var stepper: StateStepper
    private var states: [StateStepper.StateSet] = []
    private var numbers: [StateStepper.StateSet: Int] = [:]
    private var next: [Int] = []
    private var kept = 0

    init(_ program: RegexProgram) {
        classes = ByteClasses(program)
        stepper = StateStepper(program)
    }

    /// The instructions visited so far.
    var work: Int { stepper.work }

    /// Whether the program matches a text or a part of it.
    mutating func matches(_ text: some Sequence<UInt8>) -> Bool {
        var state = number(of: stepper.start())
        if state < 0 { return state == Self.match }
        for byte in text {
            let entry = state * classes.count + Int(classes.classes[Int(byte)])
            state = next[entry]
            if state == Self.unknown { state = step(entry, byte) }
            if state < 0 { return state == Self.match }
        }
        return stepper.matchesAtEnd(states[state])
    }

    /// Finds out an entry of the table.
    private mutating func step(_ entry: Int, _ byte: UInt8) -> Int {
        let target = stepper.step(states[entry / classes.count], byte)
        if kept > Self.mostKept {
            states.removeAll(keepingCapacity: true)
            numbers.removeAll(keepingCapacity: true)
            next.removeAll(keepingCapacity: true)
            kept = 0
            return number(of: target)
        }
        let number = number(of: target)
        next[entry] = number
        return number
    }

    private mutating func number(of state: StateStepper.StateSet) -> Int {
        if state.isMatch { return Self.match }
        if state.isDead { return Self.dead }
        if let number = numbers[state] { return number }
        let number = states.count
        numbers[state] = number
        states.append(state)
        next += Array(repeating: Self.unknown, count: classes.count)
        kept += state.waiting.count + classes.count
        return number
    }
}
