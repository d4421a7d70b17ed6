internal import PopCEL
public import PopSource

/// What a question may use up before the answer is "not known".
///
/// Work is counted in steps and not in time, so that the same question has the same answer
/// everywhere.
public struct LogicLimits: Sendable {
    /// The budget of the command or request that asks, which every `Logic` charges for its steps.
    /// Unlimited unless another one is given.
    public var budget = WorkBudget()
    /// Nodes of all diagrams of one `Logic` together.
    public var nodes = 200_000
    /// Edges of all these nodes together.
    public var edges = 4_000_000
    /// Steps of joining diagrams, for one `Logic`: one for each pair of nodes that is looked at.
    public var steps = 4_000_000
    /// Combinations that are found impossible in the course of one question.
    public var lemmas = 200
    /// Paths for which no values were found that the conditions agree with.
    public var paths = 24
    /// Steps of looking for one text: one for each byte that an automaton reads, and one for each
    /// state of all automata that is compared with those known.
    public var textSteps = 600_000
    /// Those of them after which texts are tried that are put together of what the tests ask for.
    public var shortTextSteps = 40_000
    /// Steps of all theories together in the course of one question.
    public var theorySteps = 4_000_000
    /// Steps of all theories together, for one `Logic`.
    public var allTheorySteps = 20_000_000
    /// Elements of a list, or characters of a text, that a witness may have.
    public var size = 2_000
    /// Parts of conditions that are translated, for one `Logic`.
    public var terms = 100_000
    /// How deep conditions with a name may stand inside each other.
    public var definitions = 32
    /// Pairs of nodes that are looked at to see whether two diagrams meet.
    public var meetingSteps = 200
    /// Terms of a cover, and of what is looked through for one.
    public var coverTerms = 200
    /// Ranges in the tests of all terms of a cover, each of which may be widened.
    public var coverRanges = 2_000
    /// Parts of a condition among which those are looked for that change nothing.
    public var comparedParts = 400
    /// Constants of parts of which nothing is known that are tried as values.
    public var hints = 1_000
    /// Parts of a condition among which the smallest set of clashing ones is looked for.
    public var smallestParts = 12

    /// Values that change together in an answer to what would have to be otherwise.
    public var changes = 3
    /// Sets of such values that are looked at.
    public var changeSets = 400
    /// Answers that are given.
    public var answers = 5

    /// Elements of lists and maps, and bytes of texts, of the largest values that are thought of:
    /// with larger ones the evaluation of a condition may run out of steps, and so fail.
    public static let assumedSize = 1_000

    /// Between these lie the dates of users, as far as the time between two of them is asked for:
    /// 1950 and 2100. With a hundred years more, which a rule may ask for, a duration still holds
    /// the difference of any two.
    static let firstLikelyDate = Timestamp(seconds: -631_152_000)
    static let lastLikelyDate = Timestamp(seconds: 4_102_444_800)

    /// The standard limits, to change one by one.
    public init() {}

    /// What questions are held to unless other limits are given.
    public static let standard = LogicLimits()
}
