internal import PopCEL
public import PopSource

/// The work that a question may cause before the answer is "not known".
///
/// Work is counted in steps and not in time, so that the same question has the same answer
/// everywhere.
public struct LogicLimits: Sendable {
    /// The budget of the command or request, which every `Logic` charges for its steps. Unlimited
    /// unless another budget is given.
    public var budget = WorkBudget()
    /// Nodes in all diagrams of one `Logic`.
    public var nodes = 200_000
    /// Edges of all these nodes.
    public var edges = 4_000_000
    /// Steps of joining diagrams, for one `Logic`: one per pair of nodes.
    public var steps = 4_000_000
    /// Combinations that are found to be impossible during one question.
    public var lemmas = 200
    /// Paths for which no values were found that satisfy the conditions.
    public var paths = 24
    /// Steps of the search for one string: one per byte that an automaton reads, and one per state
    /// of all automata that is compared with the known states.
    public var textSteps = 600_000
    /// Text steps after which the search tries strings that are composed from the patterns of the
    /// tests.
    public var shortTextSteps = 40_000
    /// Steps of all theories during one question.
    public var theorySteps = 4_000_000
    /// Steps of all theories, for one `Logic`.
    public var allTheorySteps = 20_000_000
    /// Elements of a list, or characters of a string, that a witness may have.
    public var size = 2_000
    /// Parts of conditions that are translated, for one `Logic`.
    public var terms = 100_000
    /// Maximum nesting depth of named conditions.
    public var definitions = 32
    /// Pairs of nodes that are visited to check whether two diagrams intersect.
    public var meetingSteps = 200
    /// Terms of a cover, and terms that are searched for one.
    public var coverTerms = 200
    /// Ranges in the tests of all terms of a cover, each of which may be widened.
    public var coverRanges = 2_000
    /// Parts of a condition that are searched for parts without an effect.
    public var comparedParts = 400
    /// Constants that are tried as values of unknown parts.
    public var hints = 1_000
    /// Parts of a condition that are searched for the smallest contradictory set.
    public var smallestParts = 12

    /// Values that change together in an answer about what would have to be different.
    public var changes = 3
    /// Sets of such values that are examined.
    public var changeSets = 400
    /// Answers that are returned.
    public var answers = 5

    /// Elements of lists and maps, and bytes of strings, of the largest values that are considered.
    /// With larger ones, the evaluation of a condition may run out of steps and fail.
    public static let assumedSize = 1_000

    /// The earliest date of users when the time between two dates matters: 1950. The latest one is
    /// 2100. Even with an additional hundred years from a rule, a duration can hold any difference.
    static let firstLikelyDate = Timestamp(seconds: -631_152_000)
    static let lastLikelyDate = Timestamp(seconds: 4_102_444_800)

    /// Creates the standard limits, which you can then change.
    public init() {}

    /// The limits of questions unless others are given.
    public static let standard = LogicLimits()
}
