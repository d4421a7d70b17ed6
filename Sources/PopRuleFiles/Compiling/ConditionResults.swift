internal import PopSource

/// What the conditions of a file came to, as far as other conditions depend on it.
struct ConditionResults: Sendable {
    /// What came of a named condition.
    struct Outcome: Sendable {
        /// Whether it has no errors of its own.
        var isSound: Bool
        /// The named conditions that it reads.
        var uses: [String]
    }

    /// By the names of conditions of the file.
    var outcomes: [String: Outcome] = [:]
    /// Of conditions of the file that may fail: what has a value wherever they are used.
    var presumed: [String: Set<String>] = [:]
    /// Where the conditions of the file use named ones; nil as long as nobody asked.
    var uses: ConditionUses.Part?
}

/// The files whose conditions are looked at, and what is known of those of the others.
struct CompiledPart {
    var files: Set<FileID>
    var others: [FileID: ConditionResults]
    /// The named conditions of other files that examples are evaluated with.
    var evaluated: Set<String> = []

    /// What came of a named condition of another file.
    func outcome(of condition: Located<String>) -> ConditionResults.Outcome? {
        others[condition.range.file]?.outcomes[condition.value]
    }
}
