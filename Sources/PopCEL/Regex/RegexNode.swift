/// A parsed regular expression.
///
/// Only the existence of a match is needed, so groups aren't kept and greedy repetitions equal lazy
/// ones.
indirect enum RegexNode: Sendable, Hashable {
    /// The empty string.
    case empty
    /// One of a set of characters; an empty set matches nothing.
    case scalars(ScalarSet)
    /// The empty string, only at some positions.
    case assertion(RegexAssertion)
    case concatenation([RegexNode])
    case alternation([RegexNode])
    /// `most` is nil for any number.
    case repetition(RegexNode, least: Int, most: Int?)
}

/// A condition on the neighbors of a position.
enum RegexAssertion: Sendable, Hashable {
    case textStart
    case textEnd
    case lineStart
    case lineEnd
    case wordBoundary
    case noWordBoundary
}

/// The flags that `(?imsU)` sets.
struct RegexFlags: Sendable, Hashable {
    var ignoresCase = false
    /// True if `^` and `$` also match at the starts and ends of lines.
    var isMultiLine = false
    /// True if `.` also matches a line feed.
    var dotMatchesNewline = false
}
