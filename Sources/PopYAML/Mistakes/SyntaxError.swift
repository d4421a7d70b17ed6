/// Where libyaml stopped and why, in its words, with places in bytes.
struct SyntaxError {
    var problem: String
    var context: String
    /// Where what was being read began.
    var contextOffset: Int
    var offset: Int
    /// The last text in quotes that was read.
    var lastQuoted: Range<Int>?
    /// The bracket of the innermost list or map that is still open.
    var openBracket: Int?
}
