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
