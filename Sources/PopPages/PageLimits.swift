internal import PopAnalysis
internal import PopLogic
package import PopSource

/// Every bound on a page, so that it can be written and opened. The page names its omissions.
package struct PageLimits: Sendable {
    /// The maximum number of popups in the rules; no page is written for more.
    package var popups = 5_000
    /// The maximum number of plays of tests that are drawn.
    package var plays = 2_000
    /// The maximum number of bytes of all plays together.
    package var playBytes = 32 << 20
    /// The maximum number of popups, over all rules, that are compared for users who are assigned
    /// to a variant or a rollout in plays.
    package var comparedPopups = 500_000
    /// The maximum number of personas of tests, and of personas of audiences.
    package var people = 2_000
    /// The work of finding out what rules mean.
    package var work = AnalysisLimits.amountsOfCommand.merging([
        .judgedPopups: 800_000, .logicSteps: 20_000_000,
    ]) { $1 }

    /// The standard limits, to change one by one.
    package init() {}

    /// The limits of pages unless other limits are given.
    package static let standard = PageLimits()

    /// The limits of analyses, with one budget for a whole page.
    var analysis: AnalysisLimits {
        var limits = AnalysisLimits.standard
        limits.logic.budget = WorkBudget(work)
        return limits
    }
}

/// The reason why a page isn't written.
package struct PageError: Error, CustomStringConvertible {
    package let description: String
}

/// The parts that a page leaves out because it would be too large, in words for its readers.
struct LeftOut: Sendable {
    private(set) var words: [String] = []

    /// Adds a line where something is left out.
    mutating func add(_ count: Int, _ one: String, _ many: String) {
        if count > 0 { words.append(count == 1 ? "1 \(one)" : "\(count) \(many)") }
    }

    mutating func add(_ text: String) { words.append(text) }
}
