internal import PopCEL
public import PopSource

/// The work that a question may cause before the answer is "not known". Each number is a maximum,
/// unless its comment says something else.
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
    /// Sets of values that are examined for such an answer.
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

/// The steps that one part of a `Logic` takes from the budget of a command or request. They are
/// charged in chunks, because a charge takes a lock.
struct StepMeter: Sendable {
    private let budget: WorkBudget
    /// Steps that are charged and not yet taken.
    private var charged = 0
    /// True if a charge was refused; no more work is done then.
    private(set) var isUsedUp = false

    init(_ budget: WorkBudget) { self.budget = budget }

    /// Takes steps. Returns true if they may be done.
    @discardableResult
    mutating func take(_ steps: Int) -> Bool {
        charged -= steps
        return charged >= 0 && !isUsedUp || charge()
    }

    private mutating func charge() -> Bool {
        guard !isUsedUp, budget.charge(.logicSteps, Self.chunk - charged) else {
            isUsedUp = true
            charged = 0
            return false
        }
        charged = Self.chunk
        return true
    }

    /// The number of steps that are charged ahead.
    private static let chunk = 256
}

/// The steps that work costs, in proportion to its time. One step is a byte that an automaton
/// reads.
enum StepCost {
    /// A pair of nodes that is joined, or a node that is negated.
    static let node = 16
    /// An edge of the result.
    static let edge = 2
    /// A part of a condition that is translated.
    static let term = 128
    /// A variable that gets a value in a witness.
    static let variable = 16
    /// A value of a key that its declaration lists.
    static let value = 32
    /// A literal of a path that is examined.
    static let literal = 8
    /// A lemma that is searched for variables.
    static let lemma = 4
    /// A step of the evaluation of a condition, in the unit of `CELLimits.cost`.
    static let evaluation = 1
}
