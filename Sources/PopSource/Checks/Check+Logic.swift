// The checks of the group `logic`.
extension Check {
    /// P0401: parts of a condition cannot hold together, or a part never holds.
    public static let logicNeverTrue = Check(
        "P0401", name: "logic/never-true", level: .warning,
        summary: "parts of a condition cannot hold together, or a part never holds")
    /// P0402: a part of a condition holds always, or one of several does.
    public static let logicAlwaysTrue = Check(
        "P0402", name: "logic/always-true", level: .warning,
        summary: "a part of a condition holds always, or one of several does")
    /// P0403: a part of a condition changes nothing.
    public static let logicRedundantPart = Check(
        "P0403", name: "logic/redundant-part", level: .warning,
        summary: "a part of a condition changes nothing")
    /// P0404: two popups are for the same users, although their conditions are written differently.
    public static let logicSameAudience = Check(
        "P0404", name: "logic/same-audience", level: .info,
        summary:
            "two popups are for the same people, though their conditions are written otherwise")
    /// P0406: an example of a popup does not match, or matches although it must not.
    public static let logicExampleFails = Check(
        "P0406", name: "logic/example-fails", level: .error,
        summary: "an example of a popup does not match, or matches although it must not")
}
