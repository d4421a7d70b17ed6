internal import PopReports
internal import PopRuleFiles
internal import PopScheduler
internal import PopSource
internal import PopWire

/// Rules, and the files that they are from.
struct LoadedRules: Sendable {
    let rules: RuleSet
    /// The model of rules that are from files.
    private(set) var model: RuleModel?
    private(set) var sources = SourceSet()

    init(bundle: [UInt8]) throws(ForeignError) {
        do {
            rules = try RuleSet(bundle: bundle)
        } catch {
            throw .unreadable(error.description)
        }
    }

    /// Reads a file or a folder; with what was found that keeps nothing from being used.
    static func read(_ path: String) throws(ForeignError) -> (rules: LoadedRules, findings: String)
    {
        let sources: SourceSet
        do {
            sources = try RuleFiles.read(path)
        } catch {
            throw .unreadable(error.description)
        }
        let model = RuleModel.check(sources)
        let checked = model.then { RuleSet.compile($0) }
        let findings = findingsText(
            checked.diagnostics.withoutRepeats, in: sources,
            popups: checked.value?.popups.count ?? 0)
        guard let rules = checked.value, !checked.diagnostics.hasErrors else {
            throw .findings(findings)
        }
        return (LoadedRules(rules: rules, model: model.value, sources: sources), findings)
    }

    private init(rules: RuleSet, model: RuleModel?, sources: SourceSet) {
        self.rules = rules
        self.model = model
        self.sources = sources
    }

    /// The names of what they have, as JSON.
    var description: [UInt8] {
        func names(_ names: [String]) -> JSON { .array(names.map { .string($0) }) }
        let json = JSON.object([
            "popups": names(rules.popups.map(\.id)), "events": names(rules.events.map(\.name)),
            "keys": names(rules.keys.map(\.name)),
            "schedulers": names(rules.schedulers.map(\.name)),
        ])
        return Array((json.compact + "\n").utf8)
    }
}

/// Findings as `validate --format json` prints them.
func findingsText(_ diagnostics: Diagnostics, in sources: SourceSet, popups: Int) -> String {
    let summary = Summary(popups: popups, files: sources.files.count, diagnostics: diagnostics)
    let report = Report(diagnostics.atMost(.standard), sources: sources, summary: summary)
    return ReportFormat.json.renderer().render(report)
}
