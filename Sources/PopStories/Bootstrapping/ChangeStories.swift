package import PopAnalysis
internal import PopCEL
package import PopScheduler
internal import PopSource

/// Tests of what a change of rules does: each passes with the later rules, fails with the earlier
/// ones, and was tried on both.
package struct ChangeStories {
    /// The test file; nil when no change of an audience was seen in a story.
    package let text: String?
    /// How many tests there are.
    package let count: Int

    package init(of changes: RuleChanges, from earlier: RuleSet, to later: RuleSet) {
        let start = TestSkeleton.start(later)
        let beginning = """
            # What the change of the rules does: each test passes now, and failed before.
            poprules_test: 1
            start: \(start)

            tests:

            """
        func passes(_ test: String, with rules: RuleSet) -> Bool? {
            SourceFile(path: "change.test.yaml", text: beginning + test).passes(with: rules)
        }
        var tests: [String] = []
        for affected in changes.affected {
            // The story is that of the rules with which the popup shows.
            let (shown, hidden) = affected.isGained ? (later, earlier) : (earlier, later)
            let name = Self.name(of: affected, besides: tests)
            guard let test = SkeletonTest(of: affected, in: shown, start: start, named: name),
                passes(test.text, with: shown) == true,
                // With the others a condition keeps it away, and nothing else.
                let opposite = test.opposites.first(where: { passes($0, with: hidden) == true })
            else { continue }
            let text = affected.isGained ? test.text : opposite
            if passes(text, with: earlier) == false { tests.append(text) }
        }
        count = tests.count
        text = tests.isEmpty ? nil : beginning + tests.joined(separator: "\n")
    }
}

extension ChangeStories {
    /// A name that no test has yet.
    private static func name(
        of affected: RuleChanges.Affected, besides tests: [String]
    ) -> String {
        let start = "\(affected.popup) shows \(affected.isGained ? "now" : "no more")"
        let count = tests.count { $0.hasPrefix("  \(start)") }
        return count == 0 ? start : "\(start), case \(count + 1)"
    }
}

extension SkeletonTest {
    /// Of somebody to whom a popup shows by some rules; nil where no story of it was found.
    fileprivate init?(
        of affected: RuleChanges.Affected, in rules: RuleSet, start: Timestamp, named name: String
    ) {
        let id = affected.popup
        guard let place = rules.popups.firstPlace(where: { $0.id == id }),
            let test = SkeletonTest(
                rules.popups[place], for: Audience(of: place, in: rules), rules: rules,
                started: Simulation(rules: rules, start: start), start: start
            ).told(of: affected.person, isShown: true, named: name)
        else { return nil }
        self = test
    }
}

extension SourceFile {
    /// Whether the tests of the file pass; nil where they cannot be run with the rules.
    fileprivate func passes(with rules: RuleSet) -> Bool? {
        let linked = TestFile.parse(self).then { file in
            TestLinker.link(file, of: self, rules: rules) { _ in nil }
        }
        guard let tests = linked.value, !linked.diagnostics.hasErrors else { return nil }
        return tests.tests.allSatisfy { TestRunner.run($0, of: tests).passed }
    }
}
