internal import PopScheduler
package import PopSource

/// A test, or a case of its table, as it was run.
package struct PlayedStory: Sendable {
    package var story: Story
    package var log: [Simulation.Entry]
    /// The expectations of the test that were not met, in any of its cases.
    package var failures: [Diagnostic]
}

extension Workspace {
    /// Runs the tests that can be drawn, in the order of the files; tests that only have tables
    /// can't be drawn.
    package func played(_ options: TestOptions = TestOptions()) -> [PlayedStory] {
        tests.flatMap { file -> [PlayedStory] in
            guard let tests = link(file).value else { return [] }
            return tests.tests.filter { options.wants($0.name.value) }
                .flatMap { Self.play($0, of: tests, within: options.budget) }
        }
    }

    private static func play(
        _ test: RunnableTest, of tests: RunnableTests, within budget: WorkBudget
    ) -> [PlayedStory] {
        let lanes = tests.rules.schedulers.map(\.name)
        let result = TestRunner.run(test, of: tests, isDrawn: true, within: budget)
        return result.plays.compactMap { play in
            if play.log.isEmpty { return nil }
            let story = Story(of: play, test: test, lanes: lanes)
            return PlayedStory(story: story, log: play.log, failures: result.failures)
        }
    }
}
