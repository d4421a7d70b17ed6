// The checks of the group `test`.
extension Check {
    /// P0901: no test checks the popup, although the rules have tests.
    public static let testNone = Check(
        "P0901", name: "test/none", level: .info,
        summary: "no test checks the popup, although the rules have tests")
    /// P0902: a test names a popup that does not exist.
    public static let testUnknownPopup = Check(
        "P0902", name: "test/unknown-popup", level: .error,
        summary: "a test names a popup that does not exist")
    /// P0903: a test names a context key or event that is not declared.
    public static let testUnknownKey = Check(
        "P0903", name: "test/unknown-key", level: .error,
        summary: "a test names a context key or event that is not declared")
    /// P0904: a test names a scheduler that does not exist.
    public static let testUnknownScheduler = Check(
        "P0904", name: "test/unknown-scheduler", level: .error,
        summary: "a test names a scheduler that does not exist")
    /// P0905: a test names a persona that does not exist.
    public static let testUnknownPersona = Check(
        "P0905", name: "test/unknown-persona", level: .error,
        summary: "a test names a persona that does not exist")
    /// P0906: an expectation of a test was not met.
    public static let testFailed = Check(
        "P0906", name: "test/failed", level: .error,
        summary: "an expectation of a test was not met")
    /// P0907: a test names rules that cannot be read.
    public static let testUnknownRules = Check(
        "P0907", name: "test/unknown-rules", level: .error,
        summary: "a test names rules that cannot be read")
    /// P0908: a test with `only` prevents the other tests from running.
    public static let testLeftoverOnly = Check(
        "P0908", name: "test/leftover-only", level: .warning,
        summary: "a test with `only` prevents the other tests from running")
    /// P0909: two tests of a rule set have the same name.
    public static let testDuplicateName = Check(
        "P0909", name: "test/duplicate-name", level: .warning,
        summary: "two tests of a rule set have the same name")
    /// P0910: a test does or expects nothing, or a file contains no tests.
    public static let testEmpty = Check(
        "P0910", name: "test/empty", level: .error,
        summary: "a test does or expects nothing, or a file contains no tests")
    /// P0911: a file contains tests, but its name does not end in `.test.yaml`.
    public static let testFileName = Check(
        "P0911", name: "test/file-name", level: .error,
        summary: "a file contains tests, but its name does not end in `.test.yaml`")
    /// P0912: a part of a test has no effect, or an expectation is always met.
    public static let testNoEffect = Check(
        "P0912", name: "test/no-effect", level: .error,
        summary: "a part of a test has no effect, or an expectation is always met")
    /// P0913: a test expects or describes something that can never happen.
    public static let testImpossible = Check(
        "P0913", name: "test/impossible", level: .error,
        summary: "a test expects or describes something that can never happen")
    /// P0914: a test sends an event without a field that a trigger reads.
    public static let testMissingField = Check(
        "P0914", name: "test/missing-field", level: .warning,
        summary: "a test sends an event without a field that a trigger reads")
    /// P0915: the keys of a step are not in the order in which they take effect.
    public static let testOrder = Check(
        "P0915", name: "test/order", level: .warning,
        summary: "the keys of a step are not in the order in which they take effect")
}
