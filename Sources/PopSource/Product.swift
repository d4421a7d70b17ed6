/// The names of the program in its output.
public enum Product {
    /// As commands, schemas and reports spell it.
    public static let name = "poprules"
    /// Semantic version (semver.org) that `--version` and reports print.
    public static let version = "0.1.0"

    /// A URI that names the page of a check; `explain-check` prints the page itself.
    public static func pageAddress(of check: Check) -> String { "urn:\(name):check:\(check.id)" }
}
