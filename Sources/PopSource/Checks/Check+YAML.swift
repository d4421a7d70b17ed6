// The checks of the group `yaml`.
extension Check {
    /// P0001: the file is not YAML.
    public static let yamlSyntax = Check(
        "P0001", name: "yaml/syntax", level: .error, summary: "the file is not YAML")
    /// P0002: an expression must be quoted because YAML reads a part of it as its own syntax.
    public static let yamlUnquotedExpression = Check(
        "P0002", name: "yaml/unquoted-expression", level: .error,
        summary: "an expression must be quoted because YAML reads a part of it as its own syntax")
    /// P0003: a value that starts with `!` is a YAML tag, not a string.
    public static let yamlUnexpectedTag = Check(
        "P0003", name: "yaml/unexpected-tag", level: .error,
        summary: "a value that starts with `!` is a YAML tag, not a string")
    /// P0004: the same key appears twice in one map.
    public static let yamlDuplicateKey = Check(
        "P0004", name: "yaml/duplicate-key", level: .error,
        summary: "the same key appears twice in one map")
    /// P0005: an alias names an anchor that is not defined before it.
    public static let yamlUndefinedAlias = Check(
        "P0005", name: "yaml/undefined-alias", level: .error,
        summary: "an alias names an anchor that is not defined before it")
    /// P0006: an alias is inside the value that it names.
    public static let yamlRecursiveAlias = Check(
        "P0006", name: "yaml/recursive-alias", level: .error,
        summary: "an alias is inside the value that it names")
    /// P0007: no alias uses the anchor.
    public static let yamlUnusedAnchor = Check(
        "P0007", name: "yaml/unused-anchor", level: .warning, summary: "no alias uses the anchor")
    /// P0008: the file exceeds a limit on size, depth, nodes or alias uses.
    public static let yamlLimit = Check(
        "P0008", name: "yaml/limit", level: .error,
        summary: "the file exceeds a limit on size, depth, nodes or alias uses")
    /// P0009: an unquoted value may be read as a different type than it seems to have.
    public static let yamlImplicitType = Check(
        "P0009", name: "yaml/implicit-type", level: .warning,
        summary: "an unquoted value may be read as a different type than it seems to have")
    /// P0010: a tab is used for indentation.
    public static let yamlTabIndent = Check(
        "P0010", name: "yaml/tab-indent", level: .error, summary: "a tab is used for indentation")
    /// P0011: the file is not UTF-8 or has characters that YAML forbids.
    public static let yamlEncoding = Check(
        "P0011", name: "yaml/encoding", level: .error,
        summary: "the file is not UTF-8 or has characters that YAML forbids")
    /// P0012: the file contains an invisible, bidirectional or look-alike character.
    public static let yamlConfusable = Check(
        "P0012", name: "yaml/confusable", level: .warning,
        summary: "the file contains an invisible, bidirectional or look-alike character")
    /// P0013: the file contains more than one document.
    public static let yamlMultiDocument = Check(
        "P0013", name: "yaml/multi-document", level: .error,
        summary: "the file contains more than one document")
    /// P0014: the file contains no document.
    public static let yamlEmptyFile = Check(
        "P0014", name: "yaml/empty-file", level: .error, summary: "the file contains no document")
    /// P0015: the value of a merge key `<<` is not a map.
    public static let yamlMergeKey = Check(
        "P0015", name: "yaml/merge-key", level: .error,
        summary: "the value of a merge key `<<` is not a map")
    /// P0016: a file, or something else at its path, cannot be read.
    public static let yamlUnreadable = Check(
        "P0016", name: "yaml/unreadable", level: .error,
        summary: "a file, or something else at its path, cannot be read")
}
