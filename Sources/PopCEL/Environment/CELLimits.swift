/// What an expression may use up, so that none can hang, crash or exhaust its host.
public struct CELLimits: Sendable, Hashable {
    /// Bytes of the text.
    public var sourceLength = 65_536
    /// How deep expressions may stand inside each other.
    public var nesting = 64
    /// Nodes of the syntax tree, macros expanded.
    public var nodes = 16_384
    /// Work of one evaluation, in steps: about one for a node evaluated or 16 bytes or an element
    /// copied.
    public var cost = 2_000_000
    /// Elements of a list or map, or bytes of a string, that an evaluation may make.
    public var resultSize = 1_048_576
    /// States of the compiled form of one regular expression.
    public var regexStates = 10_000
    /// States of all regular expressions of conditions that share a table of slots, such as those
    /// of a rule set: a few letters of a pattern can stand for thousands of states.
    public var regexStatesTogether = 500_000
    /// Ranges of characters that the classes of one regular expression have together.
    public var regexRanges = 100_000
    /// How deep groups of a regular expression may stand inside each other.
    public var regexNesting = 64
    /// Entries of the table that a regular expression is turned into; a larger one is simulated
    /// instead.
    public var regexTableEntries = 65_536
    /// Instructions that are visited to make that table; one that takes more is simulated instead.
    public var regexTableSteps = 131_072

    /// Bytes of a text that cannot be read in which it is looked for what was meant, and how much
    /// of it is.
    package static let mendedLength = 2_000
    package static let mends = 20
    /// How deep named conditions are looked into to see what they make sure of.
    package static let definitions = 8
    /// Steps to find out what in a condition clashes or always holds: parts looked at, and values
    /// tried for each.
    package static let logicSteps = 20_000
    /// Findings of one expression that say how it is mended; the others say only what is wrong.
    package static let offers = 50

    /// The standard limits, to change one by one.
    public init() {}

    /// What expressions are held to unless an environment is given other limits.
    public static let standard = CELLimits()
}
