// The checks of the group `condition`.
extension Check {
    /// P0300: a condition is not a CEL expression.
    public static let conditionSyntax = Check(
        "P0300", name: "condition/syntax", level: .error,
        summary: "a condition is not a CEL expression")
    /// P0301: a condition reads a name that is not declared.
    public static let conditionUnknownKey = Check(
        "P0301", name: "condition/unknown-key", level: .error,
        summary: "a condition reads a name that is not declared")
    /// P0302: a condition calls a function that does not exist.
    public static let conditionUnknownFunction = Check(
        "P0302", name: "condition/unknown-function", level: .error,
        summary: "a condition calls a function that does not exist")
    /// P0303: a function is called with too few or too many arguments.
    public static let conditionArity = Check(
        "P0303", name: "condition/arity", level: .error,
        summary: "a function is called with too few or too many arguments")
    /// P0304: a value has a type that its operator or function does not accept.
    public static let conditionTypeMismatch = Check(
        "P0304", name: "condition/type-mismatch", level: .error,
        summary: "a value has a type that its operator or function does not accept")
    /// P0305: a condition does not evaluate to true or false.
    public static let conditionNotBool = Check(
        "P0305", name: "condition/not-bool", level: .error,
        summary: "a condition does not evaluate to true or false")
    /// P0306: a condition may fail with an error while the app runs.
    public static let conditionMayError = Check(
        "P0306", name: "condition/may-error", level: .warning,
        summary: "a condition may fail with an error while the app runs"
    )
    /// P0307: a key is compared with a value that its declaration does not allow.
    public static let conditionEnumValue = Check(
        "P0307", name: "condition/enum-value", level: .error,
        summary: "a key is compared with a value that its declaration does not allow")
    /// P0308: a comparison probably has a different result than you expect.
    public static let conditionSuspiciousCompare = Check(
        "P0308", name: "condition/suspicious-compare", level: .warning,
        summary: "a comparison probably has a different result than you expect")
    /// P0309: a regular expression is not valid RE2 syntax.
    public static let conditionRegexInvalid = Check(
        "P0309", name: "condition/regex-invalid", level: .error,
        summary: "a regular expression is not valid RE2 syntax")
    /// P0310: a condition is too long, too deeply nested or too expensive to evaluate.
    public static let conditionCost = Check(
        "P0310", name: "condition/cost", level: .error,
        summary: "a condition is too long, too deeply nested or too expensive to evaluate")
    /// P0311: a condition uses a name that cannot be used in this condition.
    public static let conditionUnavailableHere = Check(
        "P0311", name: "condition/unavailable-here", level: .error,
        summary: "a condition uses a name that cannot be used in this condition")
    /// P0312: a part of a condition, such as `1 / 0`, fails for every user.
    public static let conditionConstantError = Check(
        "P0312", name: "condition/constant-error", level: .error,
        summary: "a part of a condition, such as `1 / 0`, fails for every user")
}

// The checks of the group `logic`.
extension Check {
    /// P0401: parts of a condition contradict each other, or a part is never true.
    public static let logicNeverTrue = Check(
        "P0401", name: "logic/never-true", level: .warning,
        summary: "parts of a condition contradict each other, or a part is never true")
    /// P0402: a condition, or a part of a condition, is always true.
    public static let logicAlwaysTrue = Check(
        "P0402", name: "logic/always-true", level: .warning,
        summary: "a condition, or a part of a condition, is always true")
    /// P0403: a part of a condition has no effect on the result.
    public static let logicRedundantPart = Check(
        "P0403", name: "logic/redundant-part", level: .warning,
        summary: "a part of a condition has no effect on the result")
    /// P0404: two popups have the same audience, though their conditions are written differently.
    public static let logicSameAudience = Check(
        "P0404", name: "logic/same-audience", level: .info,
        summary:
            "two popups have the same audience, though their conditions are written differently")
    /// P0406: an example of a popup contradicts the popup's condition.
    public static let logicExampleFails = Check(
        "P0406", name: "logic/example-fails", level: .error,
        summary: "an example of a popup contradicts the popup's condition")
}
