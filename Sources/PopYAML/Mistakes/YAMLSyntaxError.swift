/// Where libyaml stopped and why, with places in bytes.
struct YAMLSyntaxError {
    var problem: Problem
    var context: Problem.Context
    /// Where what was being read began.
    var contextOffset: Int
    var offset: Int
    /// The last text in quotes that was read.
    var lastQuoted: Range<Int>?
    /// The bracket of the innermost list or map that is still open.
    var openBracket: Int?
}
