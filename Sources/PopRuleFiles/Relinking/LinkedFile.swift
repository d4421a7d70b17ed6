internal import PopSource

/// A file of a set as it was read, and the findings from linking it with the others.
struct LinkedFile: Sendable {
    var parsed: Checked<RuleFile>
    var summary: FileSummary
    var findings = FileFindings()

    init(_ parsed: Checked<RuleFile>) {
        self.parsed = parsed
        summary = parsed.value.map(FileSummary.init) ?? FileSummary()
    }
}

/// The findings about the references, conditions and contents of a file.
struct FileFindings: Sendable {
    var diagnostics: [Diagnostic] = []
    /// The kinds of names of which some finding compares all names or declarations.
    var compared: Set<DeclaredName.Kind> = []
    /// The number of suggestions that were needed, for references and for conditions.
    var demand = SuggestionDemand()
    var conditions = ConditionResults()
}

/// The number of names and conditions for which similar names are looked up.
struct SuggestionDemand: Sendable {
    var references = 0
    var conditions = 0

    var isEmpty: Bool { references == 0 && conditions == 0 }

    func exceeds(_ limits: RuleFileLimits) -> Bool {
        references > limits.suggestions || conditions > limits.suggestions
    }

    static func += (left: inout Self, right: Self) {
        left.references += right.references
        left.conditions += right.conditions
    }
}
