internal import PopScheduler
public import PopSource

/// All bounds on the content of rule files, so that no input exhausts memory, stack or patience.
public struct RuleFileLimits: Sendable, Hashable {
    /// Files in one rule set.
    public var files = 1_000
    /// Comments for poprules in one file.
    public var ignoreComments = 1_000
    /// The depth to which folders are searched for files that match a pattern.
    public var folderDepth = 32
    /// Bytes in one file.
    public var fileBytes = 16 << 20
    /// Bytes of all files of one rule set.
    public var allFileBytes = 256 << 20
    /// Entries of one section over all files: popups, context keys and so on.
    public var entries = 10_000
    /// Bytes of `defaults` of a file or a group, times the popups that take them: each popup reads
    /// the defaults again.
    public var inheritedBytes = 16 << 20
    /// Schedulers in all files together: each has its own screen and queue, and the engine goes
    /// through all of them for every input.
    public var schedulers = 100
    /// Items of one list in a rule file, such as `tags` or the items of `all`.
    public var listItems = 10_000
    /// The depth to which lists and `all`, `any` and `none` may be nested in one condition.
    public var conditionDepth = 32
    /// Names that lead nowhere for which similar names are looked up: each is compared with all
    /// that exist.
    public var suggestions = 100
    /// Findings about one file that are shown, the worst first; the others are only counted.
    public var findings = 1_000
    /// Findings about all files together that are shown.
    public var allFindings = 5_000
    /// Findings that a baseline may hold.
    public var baselineEntries = 100_000
    /// The number of named conditions that may use each other in a row.
    public var conditionChain = 64
    /// The depth to which lists and maps may be nested in `content` and in other values.
    public var valueDepth = 32
    /// The depth to which `list<…>` and `map<…>` may be nested in a type.
    public var typeDepth = 8
    /// The longest duration, in days.
    public var durationDays = RuleBounds.durationDays
    /// Steps of evaluating the examples of popups, in the unit of `CELLimits.cost`, for each byte
    /// of their file.
    public var exampleStepsPerByte = 200
    /// Steps that the examples of each file may take, however small the file is.
    public var exampleStepsPerFile = 200_000
    /// Characters of an id or name.
    public var nameLength = 128

    /// Returns how many entries a section may have in all files together.
    ///
    /// - Parameter kind: The word for one entry, such as `popup`.
    func entries(of kind: String) -> Int { kind == "scheduler" ? schedulers : entries }

    /// The longest duration, in milliseconds.
    package var durationMilliseconds: Int64 { Int64(durationDays) * 86_400_000 }

    /// The standard limits, to change one by one.
    public init() {}

    /// The limits of rule files unless other limits are given.
    public static let standard = RuleFileLimits()
}

extension Diagnostics {
    /// The same findings in the order of printing, limited per file and in all, the worst first. A
    /// last finding of a file reports how many more there are, at the worst level of those left
    /// out, so that the file counts as no better than it is.
    public func atMost(_ limits: RuleFileLimits) -> Diagnostics {
        let all = sorted
        guard all.count > min(limits.findings, limits.allFindings) else { return Diagnostics(all) }
        var files: [(file: FileID, list: ArraySlice<Diagnostic>)] = []
        var rest = all[...]
        while let file = rest.first?.range.file {
            let own = rest.prefix { $0.range.file == file }
            rest = rest.dropFirst(own.count)
            files.append((file, own))
        }
        let quotas = FindingQuota.each(of: files.map { LevelCounts($0.list) }, limits: limits)
        return Diagnostics(zip(files, quotas).flatMap { $1.shown(of: $0.list) })
    }

    /// Without findings about names that are undefined or unused: if a file could not be read, it
    /// may define or use them.
    package func withoutAbsences(unless isComplete: Bool) -> Diagnostics {
        isComplete ? self : Diagnostics(list.filter { !Check.absences.contains($0.check) })
    }
}

extension Check {
    /// The checks that report undefined and unused names.
    fileprivate static let absences: Set<Check> = [
        .refUndefinedPopup, .refUndefinedScheduler, .refUndefinedGroup, .refUndefinedEvent,
        .refUndefinedTemplate, .refUndefinedKey, .refUnusedCondition, .refUnusedGroup,
        .refUnusedKey, .refUnusedDefault, .conditionUnknownKey, .contentUnknownPlaceholder,
        .contentMissingLocale, .refUndefinedExperiment,
    ]
}

/// The number of findings of each level.
package struct LevelCounts: Sendable, Hashable {
    fileprivate var counts = [Int](repeating: 0, count: Level.allCases.count)

    package init(_ findings: some Sequence<Diagnostic>) {
        for finding in findings { counts[finding.level.rawValue] += 1 }
    }

    package var errors: Int { counts[Level.error.rawValue] }
}

/// The number of findings of each level that are shown of a file, its first ones.
package struct FindingQuota: Sendable, Hashable {
    private var counts = [Int](repeating: 0, count: Level.allCases.count)
    private var isWhole = true

    /// Returns the quotas of files in order, limited per file and in all, the worst findings first.
    package static func each(of files: [LevelCounts], limits: RuleFileLimits) -> [FindingQuota] {
        var quotas = files.map { _ in FindingQuota() }
        var left = files.map { _ in limits.findings }
        var leftOfAll = limits.allFindings
        for level in Level.allCases.reversed().map(\.rawValue) {
            for (index, file) in files.enumerated() {
                let count = min(file.counts[level], left[index], leftOfAll)
                quotas[index].counts[level] = count
                if count < file.counts[level] { quotas[index].isWhole = false }
                left[index] -= count
                leftOfAll -= count
            }
        }
        return quotas
    }

    /// Returns the findings of a file that are shown, and last a count of the others; all are in
    /// the order of printing.
    package func shown(of findings: ArraySlice<Diagnostic>) -> [Diagnostic] {
        if isWhole { return Array(findings) }
        var open = counts
        var shown: [Diagnostic] = []
        var rest: Rest?
        for finding in findings {
            if open[finding.level.rawValue] > 0 {
                open[finding.level.rawValue] -= 1
                shown.append(finding)
            } else {
                rest = rest ?? Rest(finding)
                rest?.add(finding)
            }
        }
        if let rest { shown.append(.moreFindings(rest)) }
        return Diagnostics(shown).sorted
    }
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
            at: rest.range, label: "the first of these findings is here",
            help: ["fix the findings that are shown, and validate again"])
        diagnostic.level = rest.level
        return diagnostic
    }

    /// Returns the finding about a file that could not be read; nil for a readable file.
    package static func unreadable(_ source: SourceFile) -> Diagnostic? {
        source.problem.map {
            Diagnostic(
                .yamlUnreadable, message: $0, at: source.range, label: "the file was not read",
                help: ["replace `\(source.path)` with a readable text file, or remove it"])
        }
    }
}
