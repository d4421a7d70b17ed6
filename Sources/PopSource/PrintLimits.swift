/// How much is printed of what a file or an app can make as large as it likes. What is left out is
/// counted.
package enum PrintLimits {
    /// Characters of a value, or of a part of a condition, in a text for people.
    package static let value = 120
    /// Characters of a value that is the whole answer, or is read by a program.
    package static let wholeValue = 10_000
    /// Parts of one condition, those of the named conditions that it uses included.
    package static let parts = 400
    /// Popups of a ranking, beside the one that it is about.
    package static let ranks = 100
    /// Popups that one comes after, and that have not gone yet.
    package static let predecessors = 10
    /// Values that a condition has read, beside what decided.
    package static let facts = 8
    /// Steps of comparing one name with those that exist, to say which are similar: one for each
    /// name, and one for each pair of letters of two names of which most letters are the same.
    static let similarNameSteps = 200_000
}
