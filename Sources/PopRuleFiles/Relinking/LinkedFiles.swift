public import PopScheduler
public import PopSource

/// The files of a rule set, linked in such a way that a change of one file costs little.
///
/// Only the changed file is parsed again, and only files that mention a changed declaration are
/// checked again. The findings are always the same as those of `RuleSet.check`.
public struct LinkedFiles: Sendable {
    /// All files that there are or were; those of `files` are linked.
    public private(set) var sources: SourceSet
    /// In the order in which they are read: of two definitions of a name the first is used.
    public private(set) var files: [FileID]
    /// The content of all files together; nil if they are too large to be checked.
    public internal(set) var model: RuleModel?
    /// The findings of all files, in the order of printing.
    public internal(set) var diagnostics = Diagnostics()

    let limits: RuleFileLimits
    var linked: [FileID: LinkedFile] = [:]
    /// The findings about all files together, and about their named conditions.
    var common = Diagnostics()
    var chains = Diagnostics()
    /// True if references and conditions have not been checked yet.
    var isUnlinked = true
    /// True if more suggestions were needed than are given.
    var isScarce = false
    private(set) var filesByName = FilesByName()

    /// Links files of a set, by default all of them.
    public init(
        _ sources: SourceSet, files ids: [FileID]? = nil, limits: RuleFileLimits = .standard
    ) {
        self.sources = sources
        self.limits = limits
        files = ids ?? sources.files.map(\.id)
        let parsed = RuleFile.parse(files.map { sources[$0] }, limits: limits)
        for (id, parsed) in zip(files, parsed) { take(LinkedFile(parsed), of: id) }
        _ = link(Change())
    }

    /// Takes the new content of a file. Precondition: its id is that of a linked file.
    ///
    /// Returns the files whose references and conditions were checked again.
    @discardableResult
    public mutating func update(_ file: SourceFile) -> Set<FileID> {
        precondition(linked[file.id] != nil, "the file is not among those that are linked")
        let shift = PlaceShift(from: sources[file.id], to: file)
        sources.replace(file)
        return change(file.id, to: parsed(file), shift: shift)
    }

    /// Adds a file, at a position in the order of reading, by default after the others.
    ///
    /// Returns the file and the files that were checked again.
    @discardableResult
    public mutating func add(
        path: String, bytes: [UInt8], problem: String? = nil, at position: Int? = nil
    ) -> (file: SourceFile, linked: Set<FileID>) {
        let file = sources.add(path: path, bytes: bytes, problem: problem)
        files.insert(file.id, at: position ?? files.count)
        return (file, change(file.id, to: parsed(file)))
    }

    /// Leaves a file out from now on. Returns the files that were checked again.
    @discardableResult
    public mutating func remove(_ id: FileID) -> Set<FileID> {
        let linked = change(id, to: nil)
        files.removeAll { $0 == id }
        return linked
    }

    /// Returns the rules for the scheduler, compiled at each call.
    public func compiled() -> Checked<RuleSet> { compiled {} }

    /// As `compiled()`; `check` is called again and again, and can end that by throwing.
    public func compiled(check: () throws -> Void) rethrows -> Checked<RuleSet> {
        let rules = try model.flatMap {
            try RuleSet.compile($0, limits: limits, keepsModel: true, check: check).value
        }
        return Checked(rules, diagnostics: diagnostics)
    }

    private func parsed(_ file: SourceFile) -> LinkedFile {
        LinkedFile(RuleFile.parse(file, limits: limits))
    }

    /// Replaces a file; a removed file is nil.
    private mutating func change(
        _ id: FileID, to new: LinkedFile?, shift: PlaceShift? = nil
    ) -> Set<FileID> {
        let former = linked[id]?.summary ?? FileSummary()
        let names = Set(former.declared.keys).union((new?.summary ?? FileSummary()).declared.keys)
        let used = names.map { ($0, use(of: $0)) }
        filesByName.remove(former, of: id)
        linked[id] = nil
        if let new { take(new, of: id) }
        let changed = used.filter { name, former in !isSame(former, use(of: name), shift: shift) }
        return link(Change(file: id, names: Set(changed.map(\.0)), shift: shift))
    }

    private mutating func take(_ file: LinkedFile, of id: FileID) {
        filesByName.add(file.summary, of: id)
        linked[id] = file
    }
}

extension LinkedFiles {
    /// The differences from when the files were last linked.
    struct Change {
        /// The file that was changed, added or removed.
        var file: FileID?
        /// The names that are declared otherwise, or in another file.
        var names: Set<DeclaredName> = []
        /// The new places in the file; nil if it was added or removed.
        var shift: PlaceShift?
    }

    /// The file whose declaration of a name is used, and its declaration.
    func use(of name: DeclaredName) -> (file: FileID, declaration: DeclarationSummary)? {
        let declaring = filesByName.declaring[name] ?? []
        let first = declaring.count < 2 ? declaring.first : files.first { declaring.contains($0) }
        guard let first, let declaration = linked[first]?.summary.declared[name] else {
            return nil
        }
        return (first, declaration)
    }

    private func isSame(
        _ old: (file: FileID, declaration: DeclarationSummary)?,
        _ new: (file: FileID, declaration: DeclarationSummary)?, shift: PlaceShift?
    ) -> Bool {
        guard let old, let new else { return (old == nil) == (new == nil) }
        guard old.file == new.file, old.declaration.parts == new.declaration.parts else {
            return false
        }
        guard let shift else { return true }
        return old.declaration.places.map { shift($0) } == new.declaration.places
    }
}

// The checks that are repeated after a change, and their findings.
extension LinkedFiles {
    /// Returns the files whose references and conditions were checked.
    mutating func link(_ change: Change) -> Set<FileID> {
        let hadHistory = model?.mentionsHistory
        let hadDefaults = model?.groups.entries.contains { $0.defaults != nil } ?? false
        let linker = merge()
        var wanted = Set(linked.keys)
        if let linker {
            // The keys of popups then depend on their groups, which may be in any file.
            let haveDefaults = linker.model.groups.entries.contains { $0.defaults != nil }
            if !isUnlinked, !haveDefaults, !hadDefaults {
                wanted = concerned(by: change)
                if linker.model.mentionsHistory != hadHistory {
                    wanted.formUnion(filesThatCompare([.contextKey]))
                }
            }
            look(at: &wanted, linker)
        }
        isUnlinked = linker == nil
        report()
        return wanted
    }

    /// Checks files, and further files whose findings depend on the results.
    private mutating func look(at wanted: inout Set<FileID>, _ linker: Linker) {
        var compiler = RuleCompiler(linker.model, limits: limits)
        let others = linked.filter { [wanted] in !wanted.contains($0.key) }
        compiler.part = CompiledPart(files: wanted, others: others.mapValues(\.findings.conditions))
        for (id, file) in others where file.findings.conditions.presumes(otherwiseThan: &compiler) {
            wanted.insert(id)
        }
        look(only: wanted, linker, compiler)
        isScarce = demand.exceeds(limits)
        if !isScarce || filesThatAsk.isSubset(of: wanted) { return }
        wanted.formUnion(filesThatAsk)
        look(only: wanted, linker, compiler)
    }

    /// Merges all files; nil if they are too large together.
    private mutating func merge() -> Linker? {
        common = Diagnostics()
        model = nil
        let parsed = files.compactMap { linked[$0]?.parsed.value }
        if parsed.contains(where: \.isRefused) { return nil }
        var linker = Linker(sources: sources, limits: limits)
        linker.merge(parsed)
        if !linker.isRefused { linker.checkOrder() }
        swap(&common, &linker.diagnostics)
        if linker.isRefused { return nil }
        model = linker.model
        return linker
    }

    private mutating func look(only wanted: Set<FileID>, _ linker: Linker, _ compiler: RuleCompiler)
    {
        var (linker, compiler) = (linker, compiler)
        linker.checkReferences(of: wanted)
        compiler.part?.files = wanted
        compiler.part?.evaluated = evaluated(in: wanted)
        let results = compiler.check()
        for id in wanted { linked[id]?.findings = FileFindings() }
        for finding in linker.diagnostics.list { add(finding, comparing: finding.comparedNames) }
        let kinds = comparedInConditions
        for finding in results.diagnostics.list {
            add(finding, comparing: finding.comparesDeclarations ? kinds : [])
        }
        for (id, count) in linker.demand { linked[id]?.findings.demand.references = count }
        for (id, count) in compiler.demand { linked[id]?.findings.demand.conditions = count }
        for (id, conditions) in results.conditions { linked[id]?.findings.conditions = conditions }
        for (id, uses) in compiler.uses?.parts ?? [:] {
            linked[id]?.findings.conditions.uses = uses
        }
        chains = results.chains
    }

    private mutating func add(_ finding: Diagnostic, comparing kinds: Set<DeclaredName.Kind>) {
        linked[finding.range.file]?.findings.diagnostics.append(finding)
        if kinds.isEmpty { return }
        linked[finding.range.file]?.findings.compared.formUnion(kinds)
    }

    /// The kinds of names that a finding with a suggestion for a condition compares.
    private var comparedInConditions: Set<DeclaredName.Kind> {
        let kinds: Set<DeclaredName.Kind> = [.contextKey, .condition, .event]
        return model?.mentionsHistory == true ? kinds.union([.popup]) : kinds
    }

    /// Collects the findings of all files.
    private mutating func report() {
        var all = Diagnostics()
        for id in files { all.report(contentsOf: linked[id]?.parsed.diagnostics ?? Diagnostics()) }
        let sources = files.filter { linked[$0] != nil }.map { self.sources[$0] }
        all = all.namingAnchorsElsewhere(in: sources)
        all.report(contentsOf: common)
        if model != nil {
            for id in files {
                all.report(contentsOf: Diagnostics(linked[id]?.findings.diagnostics ?? []))
            }
            all.report(contentsOf: chains)
        }
        diagnostics = all.ofRules(in: sources, limits: limits)
    }
}

// The files that a change concerns.
extension LinkedFiles {
    /// The files whose findings may differ; moves the places in the findings of the other files.
    private mutating func concerned(by change: Change) -> Set<FileID> {
        let names = withConditions(change.names)
        var concerned = filesThatCompare(Set(names.map(\.kind)))
        if let file = change.file { concerned.insert(file) }
        if isScarce { concerned.formUnion(filesThatAsk) }
        for name in names { concerned.formUnion(filesByName.mentioning[name] ?? []) }
        if names.contains(where: { $0.kind == .template }) {
            concerned.formUnion(filesByName.mentioning[.actions] ?? [])
        }
        // If a name is defined twice, the change may select another definition.
        for name in change.names { concerned.formUnion(filesByName.declaring[name] ?? []) }
        concerned.formIntersection(linked.keys)
        guard let shift = change.shift else { return concerned }
        for (id, file) in linked where !concerned.contains(id) {
            let moved = file.findings.diagnostics.compactMap { shift($0) }
            if moved.count < file.findings.diagnostics.count { concerned.insert(id) }
            linked[id]?.findings.diagnostics = moved
        }
        return concerned
    }

    /// Adds the named conditions that change their meaning because of the names that they mention.
    private func withConditions(_ names: Set<DeclaredName>) -> Set<DeclaredName> {
        if names.isEmpty { return names }
        var users: [DeclaredName: [String]] = [:]
        for file in linked.values {
            for (condition, mentioned) in file.summary.mentionedInConditions {
                for name in mentioned { users[name, default: []].append(condition) }
            }
        }
        var all = names
        var open = Array(names)
        while let name = open.popLast() {
            for user in users[name] ?? [] {
                let condition = DeclaredName(.condition, user)
                if all.insert(condition).inserted { open.append(condition) }
            }
        }
        return all
    }

    /// The files with findings that compare all names or declarations of one of these kinds.
    private func filesThatCompare(_ kinds: Set<DeclaredName.Kind>) -> Set<FileID> {
        Set(
            linked.filter {
                $0.value.summary.comparesPopups
                    || !$0.value.findings.compared.isDisjoint(with: kinds)
            }.keys)
    }

    /// The files with names for which similar ones are looked up.
    private var filesThatAsk: Set<FileID> {
        Set(linked.filter { !$0.value.findings.demand.isEmpty }.keys)
    }

    /// The named conditions that examples in files are evaluated with.
    private func evaluated(in wanted: Set<FileID>) -> Set<String> {
        let files = wanted.compactMap { linked[$0]?.summary }.filter(\.hasExamples)
        var open = files.flatMap { $0.mentioned.filter { $0.kind == .condition } }
        var evaluated: Set<String> = []
        while let name = open.popLast() {
            guard let file = use(of: name)?.file, evaluated.insert(name.name).inserted else {
                continue
            }
            let mentioned = linked[file]?.summary.mentionedInConditions[name.name] ?? []
            open += mentioned.filter { $0.kind == .condition }
        }
        return evaluated
    }

    private var demand: SuggestionDemand {
        linked.values.reduce(into: SuggestionDemand()) { $0 += $1.findings.demand }
    }
}

extension ConditionResults {
    /// Returns true if a condition that may fail is now used where other names have a value.
    fileprivate func presumes(otherwiseThan compiler: inout RuleCompiler) -> Bool {
        presumed.contains { compiler.presentAtAll(usesOf: $0) != $1 }
    }
}

extension Diagnostic {
    /// The kinds of names that are compared with one that leads nowhere.
    fileprivate var comparedNames: Set<DeclaredName.Kind> {
        switch check {
        case .refUndefinedScheduler: [.scheduler]
        case .refUndefinedGroup: [.group]
        case .refUndefinedTemplate: [.template]
        case .refUndefinedPopup: [.popup]
        case .refUndefinedExperiment: [.experiment, .layer]
        default: [.contextKey, .event]
        }
    }

    /// True if it suggests a name, for which any declaration may count.
    fileprivate var comparesDeclarations: Bool {
        level == .error || check == .contentUnknownPlaceholder
    }
}

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

/// The new positions of places in a file after a part of the file was replaced.
package struct PlaceShift: Sendable {
    private let file: FileID
    /// The bytes in front of this offset are the same.
    private let start: Int
    /// The bytes of the former file from this offset on are unchanged, and have moved by
    /// `distance`.
    private let end: Int
    private let distance: Int

    package init(from old: SourceFile, to new: SourceFile) {
        file = new.id
        let shorter = min(old.bytes.count, new.bytes.count)
        var start = 0
        while start < shorter, old.bytes[start] == new.bytes[start] { start += 1 }
        var tail = 0
        while tail < shorter - start,
            old.bytes[old.bytes.count - 1 - tail] == new.bytes[new.bytes.count - 1 - tail]
        {
            tail += 1
        }
        self.start = start
        end = old.bytes.count - tail
        distance = new.bytes.count - old.bytes.count
    }

    /// Nil for a place in the part that was replaced.
    package func callAsFunction(_ range: SourceRange) -> SourceRange? {
        guard range.file == file else { return range }
        // An empty place where something was inserted is on neither side of it.
        if range.upper <= start, range.upper < end || !range.isEmpty { return range }
        guard range.lower >= end, range.lower > start || !range.isEmpty else { return nil }
        return SourceRange(file: file, range.lower + distance..<range.upper + distance)
    }

    /// Returns true if one of the places of a finding is in the file.
    package func concerns(_ finding: Diagnostic) -> Bool {
        finding.range.file == file || finding.secondary.contains { $0.range.file == file }
            || finding.fixes.contains { $0.edits.contains { $0.range.file == file } }
    }

    /// The finding with all its places; nil when one of them was replaced.
    package func callAsFunction(_ finding: Diagnostic) -> Diagnostic? {
        guard concerns(finding) else { return finding }
        var moved = finding
        guard let range = self(finding.range) else { return nil }
        moved.range = range
        for index in moved.secondary.indices {
            guard let range = self(moved.secondary[index].range) else { return nil }
            moved.secondary[index].range = range
        }
        for fix in moved.fixes.indices {
            for edit in moved.fixes[fix].edits.indices {
                guard let range = self(moved.fixes[fix].edits[edit].range) else { return nil }
                moved.fixes[fix].edits[edit].range = range
            }
        }
        return moved
    }
}
