/// A parsed regular expression.
///
/// Only whether a text matches is ever asked, so groups leave no trace and greedy repetitions are
/// the same as others.
indirect enum RegexNode: Sendable, Hashable {
    /// The empty text.
    case empty
    /// One of a set of characters; with an empty set, nothing.
    case scalars(ScalarSet)
    /// The empty text, at some places only.
    case assertion(RegexAssertion)
    case concatenation([RegexNode])
    case alternation([RegexNode])
    /// `most` nil for any number.
    case repetition(RegexNode, least: Int, most: Int?)
}

/// What must hold between two characters.
enum RegexAssertion: Sendable, Hashable {
    case textStart
    case textEnd
    case lineStart
    case lineEnd
    case wordBoundary
    case noWordBoundary
}

/// What `(?imsU)` switches.
struct RegexFlags: Sendable, Hashable {
    var ignoresCase = false
    /// `^` and `$` also match at the lines' ends.
    var isMultiLine = false
    /// `.` also matches a line feed.
    var dotMatchesNewline = false
}
