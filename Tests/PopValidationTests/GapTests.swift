import PopAnalysis
import PopCEL
import PopRuleFiles
import PopScheduler
import PopSource
import PopValidation
import Testing

/// Advice about parts without errors, next to parts with errors.
struct GapTests {
    private func findings(_ text: String) throws -> [Diagnostic] {
        var sources = SourceSet()
        sources.add(path: "rules.yaml", bytes: Array(("poprules: 1\n" + text + "\n").utf8))
        let model = RuleModel.check(sources)
        let checked = model.then { RuleSet.compile($0) }
        let rules = try #require(checked.value)
        let broken = try #require(BrokenParts(checked.diagnostics, of: rules))
        let gaps = LintSubject.Gaps(popups: broken.unclear, clearSubjects: broken.clearSubjects)
        let subject = LintSubject(
            try #require(model.value), rules: rules, now: Timestamp(seconds: 1_795_165_200),
            gaps: broken.isEmpty ? nil : gaps)
        return Lints.findings(in: subject).sorted
    }

    /// The examples in which another popup can be written below the last popup. A range of users
    /// may follow the range of the broken popup, so ranges are only compared without errors.
    private static let examples = LintTests.examples.filter {
        !$0.text.contains("# in another file:") && !$0.text.contains("rollout: { range:")
            && $0.text.split(separator: "\n").contains("popups:")
    }

    @Test(arguments: examples)
    func `a broken popup hides no advice on another popup`(_ example: LintTests.Example) throws {
        let whole = Set(Lints.all.filter { $0.asksForAll }.map { $0.check })
        let parts = ["popup ", "group ", "condition "]
        let expected = try findings(example.text).filter { finding in
            !whole.contains(finding.check)
                && parts.contains { finding.subject?.hasPrefix($0) ?? false }
        }
        let found = try findings(example.text + "\n  broken: { wehn: 'true' }")
        #expect(found.map(\.message) == expected.map(\.message))
    }

    @Test func `a finding that only an error causes is not reported`() throws {
        let found = try findings(
            """
            context: { user.plan: { type: string, default: free } }
            conditions: { paying: user.plan == "pro" }
            groups: { offers: { cap: { max: 1, per: 1d } } }
            popups:
              broken: { wehn: paying, group: ofers, enabled: false, trigger: [start, start] }
              next: { after: [broken], trigger: [start, start], owner: us, description: The next }
            """)
        #expect(found.map(\.check) == [.schemaDuplicateItem])
        #expect(found.map(\.subject) == ["popup `next`"])
    }
}
