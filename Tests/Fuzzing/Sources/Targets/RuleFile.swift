import PopAnalysis
import PopCEL
import PopEngine
import PopLogic
import PopRuleFiles
import PopScheduler
import PopSource
import PopValidation
import PopWire

extension FuzzTarget {
    /// Everything that `validate` does with a rule file, and then `compile`.
    static let ruleFile = FuzzTarget(
        name: "rule-file",
        body: .direct { bytes in try Rules.check(Findings.sources(("rules.yaml", bytes))) })
}

/// The stages from files to rules.
enum Rules {
    static let now = Timestamp(seconds: 1_793_000_000)

    /// The rules, when they have no errors.
    @discardableResult
    static func check(_ sources: SourceSet) throws -> RuleSet? {
        let model = RuleModel.check(sources)
        let checked = model.then { RuleSet.compile($0) }
        var diagnostics = checked.diagnostics.withoutRepeats.atMost(.short)
        let rules = try? checked.get()
        if let model = model.value, let understood = checked.value,
            let broken = BrokenParts(checked.diagnostics, of: understood)
        {
            let gaps =
                broken.isEmpty
                ? nil
                : LintSubject.Gaps(popups: broken.unclear, clearSubjects: broken.clearSubjects)
            diagnostics.report(
                contentsOf: Lints.findings(
                    in: LintSubject(model, rules: understood, now: now, gaps: gaps)))
            diagnostics.report(
                contentsOf: Meaning.findings(
                    in: understood, known: checked.diagnostics, without: broken, limits: small))
            diagnostics.report(
                contentsOf: PairChecks.findings(
                    in: model, rules: understood, without: broken, limits: small))
        }
        diagnostics = IgnoreComments(in: sources.files, now: now)
            .apply(to: diagnostics, allChecksWereRun: rules != nil)
        try Findings.check(diagnostics, in: sources)
        try require(
            rules != nil || checked.diagnostics.hasErrors, "nothing was made of it, or said")
        if let rules { try compareWithBundle(rules, seed: 1, steps: 4) }
        return rules
    }

    /// Small limits, so that the analysis soon gives up on hard conditions.
    private static let small: AnalysisLimits = {
        var limits = AnalysisLimits()
        limits.logic.nodes = 20_000
        limits.logic.steps = 200_000
        limits.logic.theorySteps = 40_000
        limits.logic.lemmas = 40
        limits.storiesOfTies = 10
        limits.storiesOfShadows = 10
        limits.shadowStories = 5
        return limits
    }()

    /// A bundle must stay the same when it is read and written again, and must lead to the same
    /// decisions as the rules that it was made from.
    static func compareWithBundle(_ rules: RuleSet, seed: UInt64, steps: Int) throws {
        let bundle = rules.bundle()
        let bundled = try RuleSet(bundle: bundle)
        try require(
            bundled.bundle() == bundle, "the bundle says something else when it is read")
        var left = RandomPlay(rules, by: SeededGenerator(seed: seed))
        var right = RandomPlay(bundled, by: SeededGenerator(seed: seed))
        for step in 0..<steps {
            let (one, other) = (left.step(), right.step())
            try require(one == other, "step \(step): the rules do \(one), the bundle \(other)")
        }
    }
}

extension RuleFileLimits {
    fileprivate static var short: RuleFileLimits {
        var limits = RuleFileLimits.standard
        limits.findings = 100
        return limits
    }
}
