// The checks of the group `schema`.
extension Check {
    /// P0101: a key is unknown at its place.
    public static let schemaUnknownKey = Check(
        "P0101", name: "schema/unknown-key", level: .error,
        summary: "a key is unknown at its place")
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
    /// P0107: a key has been replaced by another.
    public static let schemaDeprecatedKey = Check(
        "P0107", name: "schema/deprecated-key", level: .warning,
        summary: "a key has been replaced by another")
    /// P0108: the version of the file format is missing or not known.
    public static let schemaVersion = Check(
        "P0108", name: "schema/version", level: .error,
        summary: "the version of the file format is missing or not known")
    /// P0109: an id or name is malformed.
    public static let schemaIDFormat = Check(
        "P0109", name: "schema/id-format", level: .error,
        summary: "an id or name is malformed")
    /// P0111: a rule set contains more than a limit allows.
    public static let schemaLimit = Check(
        "P0111", name: "schema/limit", level: .error,
        summary: "a rule set contains more than a limit allows")
    /// P0112: the same item appears twice in a list.
    public static let schemaDuplicateItem = Check(
        "P0112", name: "schema/duplicate-item", level: .warning,
        summary: "the same item appears twice in a list")
}
