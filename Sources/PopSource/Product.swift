/// The names of the program in its output.
public enum Product {
    /// As commands, schemas and reports spell it.
    public static let name = "poprules"
    /// Semantic version (semver.org) that `--version` and reports print.
    public static let version = "0.1.0"

    /// A URI that names the page of a check; `explain-check` prints the page itself.
    public static func pageAddress(of check: Check) -> String { "urn:\(name):check:\(check.id)" }
}

/// The limits on printing parts that a file or an app can make arbitrarily large. The omitted parts
/// are counted.
package enum PrintLimits {
    /// Characters of a value, or of a part of a condition, in text for people.
    package static let value = 120
    /// Characters of a value that is the whole answer, or is read by a program.
    package static let wholeValue = 10_000
    /// Parts of one condition, including those of the named conditions that it uses.
    package static let parts = 400
    /// Popups of a ranking, in addition to the ranked popup itself.
    package static let ranks = 100
    /// Popups that a popup comes after and that aren't gone yet.
    package static let predecessors = 10
    /// Values that a condition has read, in addition to the values that decided.
    package static let facts = 8
    /// Steps of comparing one name with existing names to find similar ones: one step for each
    /// name, and one for each pair of letters of two names that share most letters.
    static let similarNameSteps = 200_000
}
