internal import PopAnalysis
internal import PopCEL
internal import PopLogic
internal import PopRuleFiles
package import PopSource
internal import PopStories
package import PopValidation

/// The rule sets of a configuration, or of a folder that has none, as an editor sees them.
///
/// Rule files are checked immediately after a change (`LinkedFiles`); tests and advice follow when
/// they are requested.
package struct RuleProject: Sendable {
    package let validation: Validation
    private var opened: OpenedFiles
    /// The linked files of each rule set of the workspace, in the same order.
    private var linked: [LinkedFiles] = []
    private var idsByPath: [String: FileID] = [:]
    /// By the path to which links lead, the one by which a file is read.
    private(set) var pathsByTarget: [String: String] = [:]
    /// The last diagnostics of each step, with their current positions.
    private var found: [Step: FindingsByFile] = [:]
    /// The diagnostics that are reported for each file, until they change.
    private var told: PublishedDiagnostics
    /// The files for which a step has other diagnostics than when `told` was made.
    private var stale: Set<FileID> = []
    /// The remaining steps, in order.
    private var steps: [Step] = []
    /// The remaining budget of the first step; nil until it begins.
    private var budget: WorkBudget?
    /// The diagnostics of the current files so far, for the steps that follow.
    private var known = Diagnostics()
    private var outlines: [FileID: FileOutline] = [:]
    private var environments: [Int: ExpressionNames] = [:]

    /// Reads everything; the files whose paths are keys of `given` have that content.
    package init(_ validation: Validation, given: [String: [UInt8]]) throws {
        self.validation = validation
        let opened = try validation.open(changed: given)
        self.opened = opened
        told = PublishedDiagnostics(sources: opened.workspace.sources)
        for file in opened.workspace.sources.files { idsByPath[file.path] = file.id }
        var targets = LinkTargets()
        for path in idsByPath.keys { pathsByTarget[targets.target(of: path)] = path }
        linked = opened.workspace.ruleSets.map { rules in
            LinkedFiles(
                opened.workspace.sources, files: rules.files.compactMap { idsByPath[$0] })
        }
        for index in linked.indices { takeRules(of: index) }
        steps = allSteps
    }

    package var sources: SourceSet { opened.workspace.sources }
    package var paths: [String] { Array(idsByPath.keys) }

    package func file(at path: String) -> SourceFile? { idsByPath[path].map { sources[$0] } }

    /// The folders that new files may come into.
    package var folders: [String] { opened.input.paths }

    /// Returns true if a file that is added, removed or changed may belong to the project.
    package func isConcerned(by path: String) -> Bool {
        idsByPath[path] != nil || path == opened.project.path
            || folders.contains { path.hasPrefix($0 + "/") }
    }

    /// Takes the new content of a file. Returns false if everything must be read again.
    package mutating func update(_ path: String, bytes: [UInt8]) -> Bool {
        guard let id = idsByPath[path], opened.workspace.sources[id].problem == nil,
            path != opened.project.path
        else { return false }
        let former = opened.workspace.sources[id]
        if former.bytes == bytes { return true }
        let file = SourceFile(id: id, path: path, bytes: bytes)
        guard opened.replace(file) else { return false }
        let shift = PlaceShift(from: former, to: file)
        stale.insert(id)
        for step in found.keys { stale.formUnion(found[step]?.move(by: shift) ?? []) }
        outlines[id] = nil
        for index in linked.indices where linked[index].files.contains(id) {
            linked[index].update(file)
            takeRules(of: index)
            environments[index] = nil
        }
        steps = allSteps
        budget = nil
        return true
    }

    private mutating func takeRules(of index: Int) {
        opened.workspace.setRules(
            at: index, checked: linked[index].rules, model: linked[index].model)
    }

    /// Returns the diagnostics of the current files. Those of tests and advice are from before the
    /// last change, until `settle` has finished.
    mutating func findings() throws -> PublishedDiagnostics {
        let now = Dictionary(grouping: foundAtOnce.list, by: \.range.file)
        if validation.tellsByFile(of: opened) {
            tellByFile(now)
        } else {
            var all = Diagnostics()
            for file in sources.files { all.report(contentsOf: findings(in: file.id, now: now)) }
            told.tell(try validation.outcome(of: all, in: opened))
        }
        stale = []
        return told
    }

    private mutating func tellByFile(_ now: [FileID: [Diagnostic]]) {
        let steps = found.values.lazy.flatMap(\.lists.values)
        let hasErrors =
            now.values.contains { $0.containsErrors } || steps.contains { $0.containsErrors }
        let aboutConfiguration = Dictionary(
            grouping: validation.aboutConfiguration(of: opened).list, by: \.range.file)
        told.sources = sources
        for file in sources.files {
            let own = now[file.id] ?? []
            let isKnown = told.files[file.id]?.hangs(on: own, hasErrors: hasErrors) == true
            if isKnown, !stale.contains(file.id) { continue }
            let (list, isAboutComments) = validation.told(
                of: findings(in: file.id, now: now).list,
                aboutConfiguration: aboutConfiguration[file.id] ?? [], in: file, of: opened,
                allChecksWereRun: !hasErrors)
            told.tell(
                list, of: file.id, foundAtOnce: own, hasErrors: isAboutComments ? hasErrors : nil)
        }
    }

    /// The diagnostics that are found without a step.
    private var foundAtOnce: Diagnostics {
        var all = Diagnostics()
        for rules in linked { all.report(contentsOf: rules.diagnostics) }
        if steps.contains(.tests) {
            for test in opened.workspace.tests {
                all.report(contentsOf: test.checked.diagnostics)
            }
            for mapping in opened.mappings {
                all.report(contentsOf: mapping.checked.diagnostics)
            }
        }
        return all
    }

    /// Returns the diagnostics of a file. A current diagnostic is reported once, even if an
    /// outdated step also reported it.
    private func findings(in file: FileID, now: [FileID: [Diagnostic]]) -> Diagnostics {
        var all = Diagnostics(now[file] ?? [])
        let known = Dictionary(grouping: all.list, by: \.range)
        for step in allSteps {
            guard let list = found[step]?.lists[file] else { continue }
            let isNew = { (finding: Diagnostic) in
                known[finding.range]?.contains(finding) != true
            }
            all.report(contentsOf: Diagnostics(known.isEmpty ? list : list.filter(isNew)))
        }
        return all
    }
}

// MARK: - what takes longer

extension RuleProject {
    /// A part of what is looked at when no key is pressed.
    private enum Step: Sendable, Hashable {
        /// Tests and mappings.
        case tests
        case advice(AdviceKind, ruleSet: Int)

        var activity: String {
            switch self {
            case .tests: "checking tests"
            case .advice(let advice, _): advice.activity
            }
        }
    }

    private var allSteps: [Step] {
        [.tests]
            + linked.indices.flatMap { index in
                AdviceKind.allCases.map { .advice($0, ruleSet: index) }
            }
    }

    /// Indicates whether tests and advice are up to date with the files.
    package var isSettled: Bool { steps.isEmpty }

    /// Indicates whether some of the slow steps are done, but not all.
    var isHalfSettled: Bool { !steps.isEmpty && steps.count < allSteps.count }

    /// The description of the next step, for users who wait, and the completed share of all steps,
    /// in percent.
    var progress: (activity: String, percent: Int)? {
        steps.first.map { ($0.activity, 100 * (allSteps.count - steps.count) / allSteps.count) }
    }

    var popupCount: Int { linked.reduce(0) { $0 + ($1.model?.popups.entries.count ?? 0) } }

    /// Looks at tests, and for advice.
    package mutating func settle() {
        while !isSettled { _ = settleNext(limits: .standard, check: {}) }
    }

    /// Looks at what may have errors, and leaves out what conditions mean. `check` is called again
    /// and again, and can end that by throwing.
    mutating func settleErrors(check: () throws -> Void) rethrows {
        while let step = steps.first {
            try check()
            switch step {
            case .advice(.meaning, _), .advice(.meetings, _): steps.removeFirst()
            case .tests, .advice(.habits, _):
                _ = try settleNext(limits: .standard, check: check)
            }
        }
    }

    /// Performs the next step; returns whether that changes the diagnostics. Throws if it is
    /// interrupted: then it is repeated later, with the rest of its budget.
    mutating func settleNext(
        within work: [WorkBudget.Kind: Int], until isInterrupted: @escaping @Sendable () -> Bool
    ) throws(CancellationError) -> Bool {
        let budget = self.budget ?? WorkBudget(work)
        self.budget = budget
        var limits = AnalysisLimits.standard
        limits.logic.budget = budget
        let before = self
        let hasNews = budget.work(until: isInterrupted) {
            try? settleNext(limits: limits) { if !budget.mayGoOn { throw CancellationError() } }
        }
        guard case .some(.some(let hasNews)) = hasNews else {
            self = before
            throw CancellationError()
        }
        return hasNews
    }

    /// Performs the next step; returns whether that changes the diagnostics. `check` is called
    /// repeatedly, and can end the step by throwing.
    private mutating func settleNext(
        limits: AnalysisLimits, check: () throws -> Void
    ) rethrows -> Bool {
        guard let step = steps.first else { return false }
        var found = Diagnostics()
        switch step {
        case .tests:
            known = opened.diagnostics
            let own = Set(linked.flatMap(\.diagnostics.list))
            found = Diagnostics(known.list.filter { !own.contains($0) })
        case .advice(let advice, let index):
            found = try opened.advice(
                advice, ofRuleSet: index, known: known, now: validation.now, limits: limits,
                check: check)
            known.report(contentsOf: found)
        }
        steps.removeFirst()
        budget = nil
        let new = FindingsByFile(found)
        let former = self.found.updateValue(new, forKey: step)
        let changed = new.files(otherThanIn: former ?? FindingsByFile(Diagnostics()))
        stale.formUnion(changed)
        return !changed.isEmpty || step == .tests
    }
}

/// Findings by the file that they are in, so that a change of one leaves the others as they are.
private struct FindingsByFile: Sendable {
    private(set) var lists: [FileID: [Diagnostic]]

    init(_ findings: Diagnostics) {
        lists = Dictionary(grouping: findings.list, by: \.range.file)
    }

    /// Moves positions to where they are now; diagnostics in a replaced part are dropped. Returns
    /// the files in which diagnostics were moved.
    mutating func move(by shift: PlaceShift) -> [FileID] {
        var moved: [FileID] = []
        for (file, list) in lists where list.contains(where: { shift.concerns($0) }) {
            lists[file] = list.compactMap { shift($0) }
            moved.append(file)
        }
        return moved
    }

    /// The files in which others have something else.
    func files(otherThanIn other: FindingsByFile) -> Set<FileID> {
        Set(lists.keys).union(other.lists.keys).filter { lists[$0] != other.lists[$0] }
    }
}

// MARK: - what features ask

extension RuleProject {
    /// The positions of the rule sets that a file belongs to, or is about.
    func ruleSets(of path: String) -> [Int] {
        guard let id = idsByPath[path] else { return [] }
        let own = linked.indices.filter { linked[$0].files.contains(id) }
        if !own.isEmpty { return own }
        return opened.workspace.tests.filter { $0.source.id == id }.compactMap(\.rules)
            + opened.mappings.filter { $0.source.id == id }.flatMap(\.rules)
    }

    /// Returns the merged model of all files of a rule set.
    func model(_ index: Int) -> RuleModel? { linked[index].model }

    /// The rule files of a set, and the tests and mappings about it.
    func files(ofRuleSet index: Int) -> [SourceFile] {
        linked[index].files.map { sources[$0] }
            + opened.workspace.tests.filter { $0.rules == index }.map { sources[$0.source.id] }
            + opened.mappings.filter { $0.rules.contains(index) }.map { sources[$0.source.id] }
    }

    /// The rule set as the scheduler runs it, without errors; nil while it has some.
    func rules(_ index: Int) -> Workspace.Rules { opened.workspace.ruleSets[index] }

    mutating func outline(of file: SourceFile) -> FileOutline {
        if let known = outlines[file.id] { return known }
        let outline = FileOutline(file, kind: FileKind(path: file.path, bytes: file.bytes))
        outlines[file.id] = outline
        return outline
    }

    /// Returns the names that conditions of a rule set may use.
    mutating func names(ofRuleSet index: Int) -> ExpressionNames? {
        if let known = environments[index] { return known }
        guard let model = linked[index].model else { return nil }
        let names = ExpressionNames(model)
        environments[index] = names
        return names
    }

    /// The tests of a file, ready to be run; nil while they or their rules have errors.
    func tests(at path: String) -> RunnableTests? {
        guard let test = opened.workspace.tests.first(where: { $0.source.path == path }) else {
            return nil
        }
        return try? opened.workspace.link(test).get()
    }
}

/// The reported diagnostics of the files of a project.
struct PublishedDiagnostics: Sendable {
    /// The reported diagnostics of one file, in printing order.
    struct File: Sendable {
        let list: [Diagnostic]
        let counts: LevelCounts
        /// Another one whenever the list is another one.
        let version: Int
        /// The diagnostics that were part of it and may change without a change of the file.
        fileprivate let foundAtOnce: [Diagnostic]
        /// Indicates whether there were errors anywhere; nil if that has no influence.
        fileprivate let hasErrors: Bool?

        /// Returns true if it is still valid for these inputs.
        func hangs(on foundAtOnce: [Diagnostic], hasErrors: Bool) -> Bool {
            self.foundAtOnce == foundAtOnce && self.hasErrors ?? hasErrors == hasErrors
        }
    }

    /// The files that the positions of diagnostics refer to.
    var sources: SourceSet
    private(set) var files: [FileID: File] = [:]
    private var versions = 0

    init(sources: SourceSet) { self.sources = sources }

    var errors: [Diagnostic] {
        sources.files.flatMap { files[$0.id]?.list.filter { $0.level == .error } ?? [] }
    }

    func findings(in path: String) -> [Diagnostic] {
        sources.files.first { $0.path == path }.flatMap { files[$0.id]?.list } ?? []
    }

    mutating func tell(
        _ list: [Diagnostic], of file: FileID, foundAtOnce: [Diagnostic], hasErrors: Bool?
    ) {
        versions += 1
        files[file] = File(
            list: list, counts: LevelCounts(list), version: versions, foundAtOnce: foundAtOnce,
            hasErrors: hasErrors)
    }

    /// Takes up what was found in all files.
    mutating func tell(_ outcome: Validation.Outcome) {
        sources = outcome.sources
        let lists = Dictionary(grouping: outcome.diagnostics.sorted, by: \.range.file)
        for id in Set(files.keys).union(lists.keys) where files[id]?.list != lists[id] ?? [] {
            tell(lists[id] ?? [], of: id, foundAtOnce: [], hasErrors: nil)
        }
    }
}

extension [Diagnostic] {
    var containsErrors: Bool { contains { $0.level == .error } }
}
