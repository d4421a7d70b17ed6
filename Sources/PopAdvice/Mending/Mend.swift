internal import PopCEL

/// A part of a string that is not in the language, and its probable meaning.
struct Mend {
    typealias Change = (range: Range<Int>, replacement: String)

    /// A meaning that it may have.
    struct Reading {
        /// The beginning of the help on it.
        let help: String
        let changes: [Change]
    }

    let range: Range<Int>
    let message: String
    let label: String
    /// The likely one first.
    let readings: [Reading]
    let isSafe: Bool

    /// Creates a fix with one meaning; a certain one is safe.
    init(
        _ range: Range<Int>, message: String, label: String, help: String, changes: [Change],
        isSafe: Bool = true
    ) {
        self.range = range
        self.message = message
        self.label = label
        readings = [Reading(help: help, changes: changes)]
        self.isSafe = isSafe
    }

    /// Creates a fix with several meanings, none of which is safe.
    init(_ range: Range<Int>, message: String, label: String, readings: [Reading]) {
        self.range = range
        self.message = message
        self.label = label
        self.readings = readings
        isSafe = false
    }
}
