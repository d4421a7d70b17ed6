public import PopSource

extension Diagnostics {
    /// The same findings in the order of printing, of each file and in all at most so many, the
    /// worst first: a last one a file says how many more there are, so that the file counts as no
    /// better than it is.
    public func atMost(_ limits: RuleFileLimits) -> Diagnostics {
        let all = sorted
        guard all.count > min(limits.findings, limits.allFindings) else { return Diagnostics(all) }
        var counts: [FileID: Int] = [:]
        var left: [FileID: Rest] = [:]
        var shown: [Int] = []
        for level in Level.allCases.reversed() {
            for index in all.indices where all[index].level == level {
                let file = all[index].range.file
                if shown.count < limits.allFindings, counts[file, default: 0] < limits.findings {
                    counts[file, default: 0] += 1
                    shown.append(index)
                } else {
                    left[file, default: Rest(all[index])].add(all[index])
                }
            }
        }
        if left.isEmpty { return Diagnostics(all) }
        let rest = left.values.map { Diagnostic.moreFindings($0) }
        return Diagnostics(Diagnostics(shown.sorted().map { all[$0] } + rest).sorted)
    }

    /// Without findings about what is not there: where a file could not be read, it may stand in
    /// that.
    package func withoutAbsences(unless isComplete: Bool) -> Diagnostics {
        isComplete ? self : Diagnostics(list.filter { !Check.absences.contains($0.check) })
    }
}

extension Check {
    /// What is found when something is not defined, or not used.
    fileprivate static let absences: Set<Check> = [
        .refUndefinedPopup, .refUndefinedScheduler, .refUndefinedGroup, .refUndefinedEvent,
        .refUndefinedTemplate, .refUndefinedKey, .refUnusedCondition, .refUnusedGroup,
        .refUnusedKey, .refUnusedDefault, .conditionUnknownKey, .contentUnknownPlaceholder,
        .contentMissingLocale, .refUndefinedExperiment,
    ]
}

/// Findings of a file that are not shown.
private struct Rest {
    /// The first of them in the file.
    var range: SourceRange
    var level = Level.off
    var count = 0

    init(_ finding: Diagnostic) { range = finding.range }

    mutating func add(_ finding: Diagnostic) {
        range = min(range, finding.range)
        level = max(level, finding.level)
        count += 1
    }
}

extension Diagnostic {
    fileprivate static func moreFindings(_ rest: Rest) -> Self {
        let noun = rest.count == 1 ? "finding" : "findings"
        let verb = rest.count == 1 ? "is" : "are"
        var diagnostic = Diagnostic(
            .schemaLimit, message: "\(rest.count) more \(noun) in this file \(verb) not shown",
            at: rest.range, label: "the first of them is here",
            help: ["mend those that are shown first"])
        diagnostic.level = rest.level
        return diagnostic
    }

    /// What is wrong with a file that could not be read; nil for one that could.
    package static func unreadable(_ source: SourceFile) -> Diagnostic? {
        source.problem.map {
            Diagnostic(
                .yamlUnreadable, message: $0, at: source.range, label: "nothing of it was read")
        }
    }
}
