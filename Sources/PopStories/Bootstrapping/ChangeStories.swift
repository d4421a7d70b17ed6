package import PopAnalysis
internal import PopCEL
internal import PopLogic
internal import PopScenario
package import PopScheduler
internal import PopSource

/// Tests that show the effects of a change of the rules: each test was run on both rule sets,
/// passes with the later rules and fails with the earlier ones.
package struct ChangeStories {
    /// The test file; nil if no test shows a change.
    package private(set) var text: String?
    /// The changes that have no test, each with the reason, one change per line.
    package private(set) var untold: [String] = []
    /// The tests, as entries of `tests`.
    private var tests: [String] = []
    private let trial: Trial
    /// The number of added or removed popups for which the search for a test may still start.
    private var presencesLeft: Int
    /// The number of other changes for which the search for a test may still start.
    private var changesLeft: Int

    /// The number of tests.
    package var count: Int { tests.count }

    package init(
        of changes: RuleChanges, from earlier: RuleSet, to later: RuleSet,
        limits: AnalysisLimits
    ) {
        trial = Trial(earlier: earlier, later: later, limits: limits)
        presencesLeft = limits.storiesOfPresence
        changesLeft = limits.storiesOfChanges
        var search = ChangeScenarioSearch(from: earlier, to: later, limits: limits)
        for affected in changes.affected { tell(affected, &search) }
        for entry in changes.entries where entry.name != "collisions" {
            tell(entry, &search, affected: changes.affected)
        }
        let remarks = untold.map { "# No test for \($0).\n" }.joined()
        let gap = remarks.isEmpty || tests.isEmpty ? "" : "\n"
        text = tests.isEmpty ? nil : trial.file.text(with: tests) + gap + remarks
    }

    /// Rules on which many tests are run.
    fileprivate struct TestedRules {
        let rules: RuleSet
        let vocabulary: TestVocabulary

        init(_ rules: RuleSet) {
            self.rules = rules
            vocabulary = TestVocabulary(of: rules)
        }
    }

    /// Both rule sets, and everything else that is needed to run tests on them.
    private struct Trial {
        let earlier: TestedRules
        let later: TestedRules
        let start: Timestamp
        let file: TestFileText
        let limits: AnalysisLimits

        init(earlier: RuleSet, later: RuleSet, limits: AnalysisLimits) {
            self.limits = limits
            self.earlier = TestedRules(earlier)
            self.later = TestedRules(later)
            start = TestSkeleton.start(later)
            var file = TestFileText(start: "\(start)")
            file.comments = [
                "Effects of the rule change: each test passes with the new rules and failed before."
            ]
            self.file = file
        }

        /// Returns true if a test can send the events of a popup to both rule sets.
        func hasSameFields(of id: String) -> Bool {
            func fields(_ rules: RuleSet) -> [String: Set<String>] {
                var fields: [String: Set<String>] = [:]
                for popup in rules.popups where popup.id == id {
                    for case .event(let trigger) in popup.triggers {
                        let event = rules.events[trigger.event]
                        fields[event.name] = Set(event.fields.map(\.name))
                    }
                }
                return fields
            }
            return fields(earlier.rules) == fields(later.rules)
        }

        func passes(_ test: String, with rules: TestedRules) -> Bool? {
            SourceFile(path: "change.test.yaml", text: file.text(with: [test]))
                .passes(with: rules, within: limits.budget)
        }
    }

    /// Adds a test for a user who now sees a popup, or no longer sees it.
    private mutating func tell(
        _ affected: RuleChanges.Affected, _ search: inout ChangeScenarioSearch
    ) {
        let change = affected.isGained ? "users gained by" : "users lost by"
        guard changesLeft > 0 else {
            return untold.append("\(change) \(affected.popup): \(Self.afterOthers)")
        }
        changesLeft -= 1
        // The scenario belongs to the rules with which the popup shows.
        let (shown, hidden) =
            affected.isGained ? (trial.later, trial.earlier) : (trial.earlier, trial.later)
        let name = Self.name(of: affected, besides: tests)
        if trial.hasSameFields(of: affected.popup),
            let test = SkeletonTest(
                of: affected, in: shown.rules, start: trial.start, named: name, limits: trial.limits
            ),
            trial.passes(test.text, with: shown) == true,
            // With the other rules only a condition suppresses the popup.
            let opposite = test.opposites.first(where: { trial.passes($0, with: hidden) == true })
        {
            let text = affected.isGained ? test.text : opposite
            if trial.passes(text, with: trial.earlier) == false { return tests.append(text) }
        }
        if let story = search.story(of: affected), let test = test(of: story, named: name) {
            return tests.append(test)
        }
        let past =
            affected.person.others.isEmpty ? "" : ", because the popup depends on the history"
        untold.append("\(change) \(affected.popup): \(none(named: "was found\(past)"))")
    }

    /// Adds tests for the other changes of a popup, or of a part that popups share.
    private mutating func tell(
        _ entry: RuleChanges.Entry, _ search: inout ChangeScenarioSearch,
        affected: [RuleChanges.Affected]
    ) {
        let id = entry.name.hasPrefix("popup ") ? String(entry.name.dropFirst(6)) : nil
        guard entry.kind == .changed else {
            if let id { tellPresence(of: id, isAdded: entry.kind == .added, &search) }
            return
        }
        // A test is about one key, and a key can have many lines, such as one line per trigger.
        var keys: Set<String> = []
        for line in entry.lines
        where !Self.isTold(line, of: id, by: affected) && keys.insert(line.key).inserted {
            let subject = "\(entry.name), \(line.key)"
            let reason =
                ChangeScenarioSearch.reasonAgainst(line.key)
                ?? (line.key == "trigger" ? id.flatMap(search.reasonAgainst(triggersOf:)) : nil)
            if let reason {
                untold.append("\(subject): \(reason)")
                continue
            }
            guard changesLeft > 0 else {
                untold.append("\(subject): \(Self.afterOthers)")
                continue
            }
            changesLeft -= 1
            let story: ChangeScenario? =
                if let id {
                    search.story(of: line.key, popup: id)
                } else {
                    search.story(of: line.key, part: entry.name)
                }
            if let story, let test = test(of: story, named: name(of: story)) {
                tests.append(test)
            } else {
                untold.append("\(subject): \(none(named: "was found that shows the change"))")
            }
        }
    }

    /// Adds a test in which an added popup shows, or a test of what shows in place of a removed
    /// popup.
    private mutating func tellPresence(
        of id: String, isAdded: Bool, _ search: inout ChangeScenarioSearch
    ) {
        guard presencesLeft > 0 else {
            return untold.append(
                "popup \(id): not searched, because too many popups were added or removed")
        }
        presencesLeft -= 1
        let name = "\(id) \(isAdded ? "shows now" : "no longer shows")"
        guard let story = search.storyOfPresence(of: id) else {
            return untold.append(
                "popup \(id): \(none(named: "was found in which the popup shows"))")
        }
        guard isAdded else {
            if let test = test(of: story, named: name) { return tests.append(test) }
            return untold.append(
                "popup \(id): \(none(named: "was found that works with both rule sets"))")
        }
        let text = story.test(named: name)
        guard trial.passes(text, with: trial.later) == true else {
            return untold.append(
                "popup \(id): \(none(named: "was found in which the popup shows"))")
        }
        tests.append("  # The earlier rules cannot run this test: they have no \(id).\n" + text)
    }

    /// Returns true if `affected` already covers a line: the search looked for a user who sees the
    /// popup because of it.
    private static func isTold(
        _ line: RuleChanges.Line, of popup: String?, by affected: [RuleChanges.Affected]
    ) -> Bool {
        switch line.key {
        case "audience": true
        case "trigger": affected.contains { $0.popup == popup && $0.event != nil }
        case "when": affected.contains { $0.popup == popup && $0.event == nil }
        case _: false
        }
    }

    private static let afterOthers = "not searched, because too many other parts change"

    /// Returns the reason why there is no test: none of the tried scenarios fits, or the search
    /// stopped early because it takes too much work.
    private func none(named words: String) -> String {
        trial.limits.budget.isUsedUp
            ? "the search was stopped, because it takes too much work" : "no scenario \(words)"
    }

    /// Returns a name that no other test has yet.
    private func name(of story: ChangeScenario) -> String {
        let start = "\(story.popup) with changed \(story.key)"
        let count = tests.count { $0.hasPrefix("  \(start)") || $0.hasPrefix("  \"\(start)") }
        return count == 0 ? start : "\(start), case \(count + 1)"
    }

    /// Returns nil if the test fails with the later rules, or fails with the earlier rules for
    /// another reason.
    private func test(of story: ChangeScenario, named name: String) -> String? {
        let text = story.test(named: name)
        guard trial.passes(text, with: trial.later) == true,
            trial.passes(story.formerTest(named: name), with: trial.earlier) == false,
            trial.passes(story.opposite(named: name), with: trial.earlier) == true
        else { return nil }
        return text
    }
}

extension ChangeStories {
    /// Returns a name that no other test has yet.
    private static func name(
        of affected: RuleChanges.Affected, besides tests: [String]
    ) -> String {
        let start = "\(affected.popup) \(affected.isGained ? "shows now" : "no longer shows")"
        let count = tests.count { $0.hasPrefix("  \(start)") }
        return count == 0 ? start : "\(start), case \(count + 1)"
    }
}

extension SkeletonTest {
    /// Creates a test of a user who sees a popup with some rules; nil if no scenario was found.
    fileprivate init?(
        of affected: RuleChanges.Affected, in rules: RuleSet, start: Timestamp, named name: String,
        limits: AnalysisLimits
    ) {
        let id = affected.popup
        let prepared = PreparedRules(rules)
        guard let place = rules.popups.firstPlace(where: { $0.id == id }),
            let test = SkeletonTest(
                rules.popups[place], for: Audience(of: place, in: rules, limits: limits),
                rules: prepared, declarations: Declarations(rules),
                started: Simulation(of: prepared, start: start, budget: limits.budget),
                start: start, budget: limits.budget
            ).told(of: affected.person, isShown: true, named: name)
        else { return nil }
        self = test
    }
}

extension SourceFile {
    /// Returns true if the tests of the file pass; nil if they can't be run with the rules.
    fileprivate func passes(
        with tested: ChangeStories.TestedRules, within budget: WorkBudget
    ) -> Bool? {
        let linked = TestFile.parse(self).then { file in
            TestLinker.link(
                file, of: self, rules: tested.rules, vocabulary: tested.vocabulary
            ) { _ in nil }
        }
        guard let tests = linked.value, !linked.diagnostics.hasErrors else { return nil }
        let results = tests.tests.map { TestRunner.run($0, of: tests, within: budget) }
        // A test that was cut short proves nothing.
        return results.contains { $0.isCutShort } ? nil : results.allSatisfy { $0.passed }
    }
}
