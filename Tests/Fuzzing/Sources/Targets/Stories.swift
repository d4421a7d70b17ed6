@testable import PopAnalysis
@testable import PopLogic
@testable import PopScheduler
@testable import PopSource
@testable import PopStories

extension FuzzTarget {
    /// Two rule sets, the later one made of the decisions of the earlier one except for a byte. The
    /// test that `diff --story` writes must pass with the later rules and fail with the earlier
    /// ones, and the test that `collisions --story` writes must pass.
    static let stories = FuzzTarget(
        name: "stories",
        body: .direct { bytes in
            guard bytes.count > 2 else { return }
            let decisions = Array(bytes.dropFirst(2))
            var others = decisions
            others[Int(bytes[0]) % others.count] = bytes[1]
            guard let earlier = RuleText.rules(decisions, mostPopups: 2),
                let later = RuleText.rules(others, mostPopups: 2)
            else { return }
            if bytes[1] & 1 == 0 {
                try tellChanges(from: earlier, to: later)
            } else {
                try tellCollisions(in: later)
            }
        })

    private static func tellCollisions(in rules: RuleSet) throws {
        for collision in Collisions(rules, limits: .fuzzing).found {
            guard let story = collision.story else { continue }
            try WrittenTests.requirePasses(story.testFile, with: rules)
        }
    }

    private static func tellChanges(from earlier: RuleSet, to later: RuleSet) throws {
        let changes = RuleChanges(from: earlier, to: later, limits: .fuzzing)
        var limits = AnalysisLimits.fuzzing
        limits.budget = WrittenTests.budget()
        let stories = ChangeStories(
            of: changes, from: earlier, to: later, limits: limits)
        guard let text = stories.text else { return }
        try WrittenTests.requirePasses(text, with: later)
        // A test with names that the earlier rules don't have can't be run with them.
        guard let former = WrittenTests.read(text, with: earlier).value else { return }
        let budget = WorkBudget.ofCommand()
        for test in former.tests {
            let result = TestRunner.run(test, of: former, within: budget)
            try require(
                !result.passed && !result.isCutShort,
                "`\(test.name.value)` passed before, too, in\n\(text)")
        }
    }
}

extension AnalysisLimits {
    /// Small limits, so that the analysis soon gives up on hard conditions.
    static let fuzzing: AnalysisLimits = {
        var limits = AnalysisLimits()
        limits.logic.nodes = 5_000
        limits.logic.steps = 50_000
        limits.logic.theorySteps = 10_000
        limits.logic.allTheorySteps = 50_000
        limits.logic.lemmas = 20
        limits.triedPairs = 6
        limits.triedUsers = 2
        limits.triedPopupsOfChange = 100
        limits.storiesOfPresence = 3
        limits.storySteps = 20
        limits.drawnUsers = 1_000
        return limits
    }()
}
