internal import PopCEL

/// A part of a text that is not in the language, and what was probably meant.
struct Mend {
    typealias Change = (range: Range<Int>, replacement: String)

    /// A meaning that it may have.
    struct Reading {
        /// How the help on it begins.
        let help: String
        let changes: [Change]
    }

    let range: Range<Int>
    let message: String
    let label: String
    /// The likely one first.
    let readings: [Reading]
    let isSafe: Bool

    /// What is certain is safe.
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

    /// What has several meanings is safe in none of them.
    init(_ range: Range<Int>, message: String, label: String, readings: [Reading]) {
        self.range = range
        self.message = message
        self.label = label
        self.readings = readings
        isSafe = false
    }
}
