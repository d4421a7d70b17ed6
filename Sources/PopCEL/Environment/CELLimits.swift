/// The resources that an expression may use, so that none can hang, crash or exhaust its host.
public struct CELLimits: Sendable, Hashable {
    /// Bytes of the source text.
    public var sourceLength = 65_536
    /// The maximum nesting depth of expressions.
    public var nesting = 64
    /// Nodes of the syntax tree, macros expanded.
    public var nodes = 16_384
    /// Work of one evaluation, in steps: about one per evaluated node, per 16 copied bytes or per
    /// copied element.
    public var cost = 2_000_000
    /// Elements of a list or map, or bytes of a string, that an evaluation may create.
    public var resultSize = 1_048_576
    /// States of the compiled form of one regular expression.
    public var regexStates = 10_000
    /// States of all regular expressions of conditions that share a table of slots, such as those
    /// of a rule set, and ranges of their classes: a few letters of a pattern can cause thousands.
    public var regexStatesTogether = 500_000
    /// Ranges of characters that the classes of one regular expression have together.
    public var regexRanges = 100_000
    /// The maximum nesting depth of groups in a regular expression.
    public var regexNesting = 64
    /// Entries of the table that a regular expression is converted into; an expression that needs
    /// more is simulated instead.
    public var regexTableEntries = 65_536
    /// Instructions that are visited to create that table; an expression that needs more is
    /// simulated instead.
    public var regexTableSteps = 131_072

    /// The maximum number of bytes of a text with syntax errors in which fixes are searched for,
    /// and the maximum number of fixes.
    package static let mendedLength = 2_000
    package static let mends = 20
    /// The maximum depth to which named conditions are analyzed for their guarantees.
    package static let definitions = 8
    /// Steps to find conflicting parts of a condition and parts that always hold: parts examined,
    /// and values tried for each.
    package static let logicSteps = 20_000
    /// Findings of one expression that offer a fix; further findings only describe the mistake.
    package static let offers = 50

    /// The standard limits, to change one by one.
    public init() {}

    /// The limits of expressions unless an environment sets others.
    public static let standard = CELLimits()
}
