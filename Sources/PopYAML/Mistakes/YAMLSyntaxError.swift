/// The place where libyaml stopped and the reason, with places in bytes.
struct YAMLSyntaxError {
    var problem: Problem
    var context: Problem.Context
    /// The start of the construct that was being read.
    var contextOffset: Int
    var offset: Int
    /// The last quoted string that was read.
    var lastQuoted: Range<Int>?
    /// The bracket of the innermost list or map that is still open.
    var openBracket: Int?
}
