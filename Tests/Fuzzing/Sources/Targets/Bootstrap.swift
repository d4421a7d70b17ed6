@testable import PopScheduler
@testable import PopSource
@testable import PopStories

extension FuzzTarget {
    /// The output of `test --bootstrap` for rules that are made of decisions. It must be a test
    /// file without a doubtful place, in which every test passes. Unless the budget is used up, it
    /// must have at least one test for each popup.
    static let bootstrap = FuzzTarget(
        name: "bootstrap",
        body: .direct { bytes in
            guard let rules = RuleText.rules(bytes, mostPopups: 2) else { return }
            let budget = WrittenTests.budget()
            let text = TestSkeleton(rules, within: budget).text
            try WrittenTests.requirePasses(text, with: rules)
            guard !budget.isUsedUp else { return }
            let names = try WrittenTests.linked(text, with: rules).tests.map(\.name.value)
            try require(
                rules.popups.allSatisfy { names.contains($0.id) },
                "no test of some popup:\n\(text)")
        })
}
