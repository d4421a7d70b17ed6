internal import PopSource

/// The results of compiling the conditions of a file, as far as other conditions depend on them.
struct ConditionResults: Sendable {
    /// The result of compiling a named condition.
    struct Outcome: Sendable {
        /// True if the condition has no errors of its own.
        var isSound: Bool
        /// The named conditions that it reads.
        var uses: [String]
    }

    /// By the names of conditions of the file.
    var outcomes: [String: Outcome] = [:]
    /// For each condition of the file that may fail: the names that have a value wherever the
    /// condition is used.
    var presumed: [String: Set<String>] = [:]
    /// The places where the conditions of the file use named conditions; nil until they are first
    /// needed.
    var uses: ConditionUses.Part?
}

/// The files whose conditions are compiled, and the known results of the other files.
struct CompiledPart {
    var files: Set<FileID>
    var others: [FileID: ConditionResults]
    /// The named conditions of other files that examples are evaluated with.
    var evaluated: Set<String> = []

    /// Returns the result of a named condition of another file.
    func outcome(of condition: Located<String>) -> ConditionResults.Outcome? {
        others[condition.range.file]?.outcomes[condition.value]
    }
}
