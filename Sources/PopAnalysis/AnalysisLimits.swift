public import PopLogic
public import PopSource

/// The work that an analysis of rules may use before the answer is "not known". Each number is a
/// maximum, unless its comment says something else.
public struct AnalysisLimits: Sendable {
    /// The limits for each question about conditions.
    public var logic = LogicLimits.standard
    /// Pairs of popups that are compared with each other.
    public var lookedPairs = 500_000
    /// Steps of visiting pairs, for one question: one per pair and cap that both popups share, and
    /// one per popup that a cap counts.
    public var pairSteps = 1_000_000
    /// Kinds of popups, by the parts that they share with others. Up to this number, pairs between
    /// kinds are counted one by one.
    public var countedKinds = 1_000
    /// Pairs of popups for which a scenario is tried, in order of priority.
    public var triedPairs = 200
    /// Kinds of users per pair. After each attempt, users who see another popup in between are left
    /// out.
    public var triedUsers = 4
    /// Popups in all scenarios that are tried for collisions caused by a change of rules.
    public var triedPopupsOfChange = 20_000
    /// In rules with more popups, a scenario is first tried with the popups that may take part in
    /// it, and with all popups only if it succeeds.
    public var popupsOfStories = 100
    /// Pairs that are printed.
    public var printedPairs = 50
    /// Groups of popups with equal priority, for each of which the analysis searches for a
    /// scenario.
    public var triedTies = 50
    /// Pairs that are tried per group.
    public var triedPairsOfTie = 10
    /// Scenarios that are tried for all groups.
    public var storiesOfTies = 200
    /// Scenarios that are tried for popups that may never show.
    public var storiesOfShadows = 200
    /// Scenarios that must fail before the analysis reports that a popup never shows.
    public var shadowStories = 10_000
    /// Steps in each of these scenarios.
    public var shadowSteps = 12
    /// Changed parts of rules, and groups of users, for each of which the analysis searches for a
    /// scenario.
    public var storiesOfChanges = 100
    /// Popups that a change of rules adds or removes, for each of which the analysis searches for a
    /// scenario.
    public var storiesOfPresence = 100
    /// Triggers of a popup, before and after the change, that are tried in a scenario of its
    /// triggers; changed triggers come first.
    public var triedTriggers = 20
    /// The maximum number of steps in a scenario.
    public var storySteps = 40
    /// Users that are tried until one is in all required rollouts and arms.
    public var drawnUsers = 10_000

    /// Popups that are listed as having lower priority than a popup after the change.
    public var overtakenPopups = 100

    /// Entries of one list in a popup, such as caps or triggers, up to which entries are left out
    /// that other entries contain. Longer lists are compared as written.
    static let comparedEntries = 400

    /// Creates the standard limits, which you can then change.
    public init() {}

    /// Creates the standard limits with a budget that all questions of one command share.
    public init(budget: WorkBudget) { logic.budget = budget }

    /// The total work that all questions of one command, or one request, may do. Unlimited unless
    /// it is set.
    public var budget: WorkBudget {
        get { logic.budget }
        set { logic.budget = newValue }
    }

    /// The work that one command may do to analyze rules.
    ///
    /// The number of popups is lower than for tests: scenarios start the app again for each
    /// question, so that each judged popup takes longer.
    public static let amountsOfCommand = WorkBudget.amountsOfCommand.merging(
        [.judgedPopups: 1_250_000]
    ) { $1 }

    /// The standard limits, with a new budget for one command.
    public static func ofCommand() -> AnalysisLimits {
        AnalysisLimits(budget: WorkBudget(amountsOfCommand))
    }

    /// The limits that apply unless others are given.
    public static let standard = AnalysisLimits()

    /// The limits for all questions about one rule set.
    var logicOfAll: LogicLimits {
        var limits = logic
        limits.nodes *= 5
        limits.steps *= 5
        limits.terms *= 5
        return limits
    }
}
