// The checks of the group `yaml`.
extension Check {
    /// P0001: the file is not YAML.
    public static let yamlSyntax = Check(
        "P0001", name: "yaml/syntax", level: .error, summary: "the file is not YAML")
    /// P0002: an expression needs quotes, because YAML misreads a part of the expression.
    public static let yamlUnquotedExpression = Check(
        "P0002", name: "yaml/unquoted-expression", level: .error,
        summary: "an expression needs quotes, because YAML misreads a part of the expression")
    /// P0003: a value that starts with `!` is a YAML tag, not a string.
    public static let yamlUnexpectedTag = Check(
        "P0003", name: "yaml/unexpected-tag", level: .error,
        summary: "a value that starts with `!` is a YAML tag, not a string")
    /// P0004: the same key appears twice in one map.
    public static let yamlDuplicateKey = Check(
        "P0004", name: "yaml/duplicate-key", level: .error,
        summary: "the same key appears twice in one map")
    /// P0005: an alias names an anchor that is not defined before the alias.
    public static let yamlUndefinedAlias = Check(
        "P0005", name: "yaml/undefined-alias", level: .error,
        summary: "an alias names an anchor that is not defined before the alias")
    /// P0006: an alias is inside the value that the alias repeats.
    public static let yamlRecursiveAlias = Check(
        "P0006", name: "yaml/recursive-alias", level: .error,
        summary: "an alias is inside the value that the alias repeats")
    /// P0007: an anchor is not used by any alias.
    public static let yamlUnusedAnchor = Check(
        "P0007", name: "yaml/unused-anchor", level: .warning,
        summary: "an anchor is not used by any alias")
    /// P0008: the file is too large, is nested too deeply, or repeats too many values with aliases.
    public static let yamlLimit = Check(
        "P0008", name: "yaml/limit", level: .error,
        summary:
            "the file is too large, is nested too deeply, or repeats too many values with aliases")
    /// P0009: YAML may read an unquoted value in a different way than you expect.
    public static let yamlImplicitType = Check(
        "P0009", name: "yaml/implicit-type", level: .warning,
        summary: "YAML may read an unquoted value in a different way than you expect")
    /// P0010: a tab is used for indentation.
    public static let yamlTabIndent = Check(
        "P0010", name: "yaml/tab-indent", level: .error, summary: "a tab is used for indentation")
    /// P0011: the file is not UTF-8 or has characters that YAML forbids.
    public static let yamlEncoding = Check(
        "P0011", name: "yaml/encoding", level: .error,
        summary: "the file is not UTF-8 or has characters that YAML forbids")
    /// P0012: a character is invisible, looks like another character, or changes the text
    /// direction.
    public static let yamlConfusable = Check(
        "P0012", name: "yaml/confusable", level: .warning,
        summary:
            "a character is invisible, looks like another character, or changes the text direction")
    /// P0013: the file contains more than one YAML document.
    public static let yamlMultiDocument = Check(
        "P0013", name: "yaml/multi-document", level: .error,
        summary: "the file contains more than one YAML document")
    /// P0014: the file is empty or contains only comments.
    public static let yamlEmptyFile = Check(
        "P0014", name: "yaml/empty-file", level: .error,
        summary: "the file is empty or contains only comments")
    /// P0015: the value of a merge key `<<` is not a map.
    public static let yamlMergeKey = Check(
        "P0015", name: "yaml/merge-key", level: .error,
        summary: "the value of a merge key `<<` is not a map")
    /// P0016: a file or folder cannot be read.
    public static let yamlUnreadable = Check(
        "P0016", name: "yaml/unreadable", level: .error,
        summary: "a file or folder cannot be read")
}

// The checks of the group `schema`.
extension Check {
    /// P0101: a key is misspelled, or not allowed where it is written.
    public static let schemaUnknownKey = Check(
        "P0101", name: "schema/unknown-key", level: .error,
        summary: "a key is misspelled, or not allowed where it is written")
    /// P0102: a required key is missing.
    public static let schemaMissingKey = Check(
        "P0102", name: "schema/missing-key", level: .error,
        summary: "a required key is missing")
    /// P0103: a value does not have the type that its key requires.
    public static let schemaType = Check(
        "P0103", name: "schema/type", level: .error,
        summary: "a value does not have the type that its key requires")
    /// P0104: a value is not one of the words that its key allows.
    public static let schemaEnum = Check(
        "P0104", name: "schema/enum", level: .error,
        summary: "a value is not one of the words that its key allows")
    /// P0105: a value is outside the range that its key allows.
    public static let schemaRange = Check(
        "P0105", name: "schema/range", level: .error,
        summary: "a value is outside the range that its key allows")
    /// P0106: keys that exclude each other are used together.
    public static let schemaExclusiveKeys = Check(
        "P0106", name: "schema/exclusive-keys", level: .error,
        summary: "keys that exclude each other are used together")
    /// P0107: a key has been replaced by another key.
    public static let schemaDeprecatedKey = Check(
        "P0107", name: "schema/deprecated-key", level: .warning,
        summary: "a key has been replaced by another key")
    /// P0108: the version of the file format is missing or not known.
    public static let schemaVersion = Check(
        "P0108", name: "schema/version", level: .error,
        summary: "the version of the file format is missing or not known")
    /// P0109: an id or name does not have the required form.
    public static let schemaIDFormat = Check(
        "P0109", name: "schema/id-format", level: .error,
        summary: "an id or name does not have the required form")
    /// P0111: a rule set has more popups, events or other entries than allowed.
    public static let schemaLimit = Check(
        "P0111", name: "schema/limit", level: .error,
        summary: "a rule set has more popups, events or other entries than allowed")
    /// P0112: the same item appears twice in a list.
    public static let schemaDuplicateItem = Check(
        "P0112", name: "schema/duplicate-item", level: .warning,
        summary: "the same item appears twice in a list")
}
