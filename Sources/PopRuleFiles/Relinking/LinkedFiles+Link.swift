internal import PopSource

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
