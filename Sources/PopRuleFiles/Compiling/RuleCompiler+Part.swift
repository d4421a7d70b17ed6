internal import PopCEL
internal import PopScheduler
internal import PopSource

/// The findings about the conditions and contents of a part of the files.
struct PartResults {
    var diagnostics: Diagnostics
    /// Findings about the named conditions of all files together.
    var chains: Diagnostics
    var conditions: [FileID: ConditionResults]
}

// Looking at the conditions of some files, when those of the others are known.
extension RuleCompiler {
    /// Looks at the conditions and contents of the files of its part; makes no rules of them.
    mutating func check() -> PartResults {
        let named = namedConditions()
        for entry in model.schedulers.entries where isLookedAt(entry.name.range) {
            _ = scheduler(entry)
        }
        for entry in model.groups.entries where isLookedAt(entry.name.range) { _ = group(entry) }
        for entry in model.limits where isLookedAt(entry.range) { _ = limit(entry.value) }
        for index in model.popups.entries.indices
        where isLookedAt(model.popups.entries[index].name.range) {
            _ = popup(model.popups.entries[index], named: named)
        }
        return PartResults(
            diagnostics: decoder.diagnostics, chains: named.chains, conditions: results(named))
    }

    /// Returns true if declarations at a place are compiled.
    func isLookedAt(_ place: SourceRange) -> Bool { part?.files.contains(place.file) ?? true }

    /// A named condition of another file, when examples need it; nil for others, and for those that
    /// have errors.
    mutating func remembered(_ model: NamedConditionModel) -> Condition? {
        guard part?.evaluated.contains(model.name.value) == true,
            part?.outcome(of: model.name)?.isSound == true
        else { return nil }
        return silently { compiler in
            compiler.about("", at: model.name.range) { $0.compile(model.condition) }
        }
    }

    private func results(_ named: NamedConditions) -> [FileID: ConditionResults] {
        var results: [FileID: ConditionResults] = [:]
        for place in model.conditions.entries.places {
            let name = model.conditions.entries[place].name
            guard isLookedAt(name.range) else { continue }
            let outcome = ConditionResults.Outcome(
                isSound: named.isCompiled[place],
                uses: named.uses[place].map { model.conditions.entries[$0].name.value })
            results[name.range.file, default: ConditionResults()].outcomes[name.value] = outcome
            results[name.range.file]?.presumed[name.value] = presumed[name.value]
        }
        return results
    }
}
