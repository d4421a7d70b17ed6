package import PopAnalysis
package import PopScheduler
internal import PopSource

/// Tests of what a change of rules does: each passes with the later rules, fails with the earlier
/// ones, and was tried on both.
package struct ChangeStories {
    /// The test file; nil when no change of an audience was seen in a story.
    package let text: String?

    package init(of changes: RuleChanges, from earlier: RuleSet, to later: RuleSet) {
        let start = TestSkeleton.start(later)
        let beginning = """
            # What the change of the rules does: each test passes now, and failed before.
            poprules_test: 1
            start: \(start)

            tests:

            """
        var tests: [String] = []
        for affected in changes.affected {
            let id = affected.popup
            let name = affected.isGained ? "\(id) shows now" : "\(id) shows no more"
            guard let place = later.popups.firstPlace(where: { $0.id == id }),
                let test = SkeletonTest(
                    later.popups[place], for: Audience(of: place, in: later), rules: later,
                    started: Simulation(rules: later, start: start), start: start
                ).told(of: affected.person, isShown: affected.isGained, named: name)
            else { continue }
            let file = SourceFile(path: "change.test.yaml", text: beginning + test.text)
            guard file.passes(with: later) == true, file.passes(with: earlier) == false else {
                continue
            }
            tests.append(test.text)
        }
        text = tests.isEmpty ? nil : beginning + tests.joined(separator: "\n")
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
