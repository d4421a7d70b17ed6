public import PopLogic
public import PopSource

/// What looking for what rules mean may use up, before the answer is "not known".
public struct AnalysisLimits: Sendable {
    /// For each question about conditions.
    public var logic = LogicLimits.standard
    /// Pairs of popups that are held against each other.
    public var lookedPairs = 500_000
    /// Steps of going through pairs, for one question: one for each pair and each cap that both
    /// share, and one for each popup that a cap counts.
    public var pairSteps = 1_000_000
    /// Kinds of popups, by what they share with others, between which pairs are counted one by one.
    public var countedKinds = 1_000
    /// Pairs of popups for which a story is tried; those that go first are tried first.
    public var triedPairs = 200
    /// Kinds of users for each pair: those to whom others show that come between are left out next.
    public var triedUsers = 4
    /// Popups in all stories together that are tried for what collides by a change of rules.
    public var triedPopupsOfChange = 20_000
    /// In sets of more popups a story is tried first with those that may have a part in it, and
    /// with all of them only where it comes out.
    public var popupsOfStories = 100
    /// Pairs that are printed.
    public var printedPairs = 50
    /// Groups of popups of one priority for which a story is looked for.
    public var triedTies = 50
    /// Pairs of each of them.
    public var triedPairsOfTie = 10
    /// Stories that are told for all of them.
    public var storiesOfTies = 200
    /// Stories that are told for popups that may never show.
    public var storiesOfShadows = 200
    /// Stories that have to fail before it is said that a popup never shows.
    public var shadowStories = 10_000
    /// What happens in each of them.
    public var shadowSteps = 12
    /// Changed parts of rules, and groups of users, for which a story is looked for.
    public var storiesOfChanges = 100
    /// Popups that come or go by a change of rules for which a story is looked for.
    public var storiesOfPresence = 100
    /// Triggers of a popup, before and now, with which a story of its triggers is tried; those that
    /// changed come first.
    public var triedTriggers = 20
    /// What happens in a story, at most.
    public var storySteps = 40
    /// Users that are tried until one is in all parts that are drawn.
    public var drawnUsers = 10_000

    /// Popups of which one is told that it has priority over them now.
    public var overtakenPopups = 100

    /// Entries of one list in a popup, such as caps or triggers, of which those are left out that
    /// others contain. Longer lists are compared as they are written.
    static let comparedEntries = 400

    /// The standard limits, to change one by one.
    public init() {}

    /// The standard limits, with a budget that all questions of one command share.
    public init(budget: WorkBudget) { logic.budget = budget }

    /// The work that all questions of one command, or one request, may do together. Unlimited
    /// unless it is given.
    public var budget: WorkBudget {
        get { logic.budget }
        set { logic.budget = newValue }
    }

    /// The work that one command may do to analyze rules.
    ///
    /// Fewer popups than in tests: stories start the app again for each question, so that a judged
    /// popup takes longer.
    public static let amountsOfCommand = WorkBudget.amountsOfCommand.merging(
        [.judgedPopups: 1_250_000]
    ) { $1 }

    /// The standard limits, with a new budget for one command.
    public static func ofCommand() -> AnalysisLimits {
        AnalysisLimits(budget: WorkBudget(amountsOfCommand))
    }

    /// What is looked for within unless other limits are given.
    public static let standard = AnalysisLimits()

    /// For all questions about one set of rules together.
    var logicOfAll: LogicLimits {
        var limits = logic
        limits.nodes *= 5
        limits.steps *= 5
        limits.terms *= 5
        return limits
    }
}
