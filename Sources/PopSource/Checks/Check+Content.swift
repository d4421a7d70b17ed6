// The checks of the group `content`.
extension Check {
    /// P0701: the content lacks a key that its template requires.
    public static let contentMissingKey = Check(
        "P0701", name: "content/missing-key", level: .error,
        summary: "the content lacks a key that its template requires"
    )
    /// P0702: the content has a key that its template does not have.
    public static let contentUnknownKey = Check(
        "P0702", name: "content/unknown-key", level: .error,
        summary: "the content has a key that its template does not have")
    /// P0703: a value in the content does not have the type that the template requires.
    public static let contentType = Check(
        "P0703", name: "content/type", level: .error,
        summary: "a value in the content does not have the type that the template requires")
    /// P0704: a placeholder in the content names something that is not declared.
    public static let contentUnknownPlaceholder = Check(
        "P0704", name: "content/unknown-placeholder", level: .warning,
        summary: "a placeholder in the content names something that is not declared")
    /// P0705: a string or list in the content is longer than its field allows.
    public static let contentTooLong = Check(
        "P0705", name: "content/too-long", level: .error,
        summary: "a string or list in the content is longer than its field allows")
    /// P0706: a value in the content is not one that its field allows.
    public static let contentValue = Check(
        "P0706", name: "content/value", level: .error,
        summary: "a value in the content is not one that its field allows")
    /// P0707: a translated string lacks a language that `locales` requires.
    public static let contentMissingLocale = Check(
        "P0707", name: "content/missing-locale", level: .error,
        summary: "a translated string lacks a language that `locales` requires")
    /// P0708: a string is translated into an unknown language.
    public static let contentUnknownLocale = Check(
        "P0708", name: "content/unknown-locale", level: .error,
        summary: "a string is translated into an unknown language")
    /// P0709: a placeholder may have no value and has no fallback.
    public static let contentEmptyPlaceholder = Check(
        "P0709", name: "content/empty-placeholder", level: .warning,
        summary: "a placeholder may have no value and has no fallback")
}
