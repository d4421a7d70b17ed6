// The checks of the group `content`.
extension Check {
    /// P0701: the content lacks a key that its template requires.
    public static let contentMissingKey = Check(
        "P0701", name: "content/missing-key", level: .error,
        summary: "the content lacks a key that its template requires"
    )
    /// P0702: the content has a key that its template does not know.
    public static let contentUnknownKey = Check(
        "P0702", name: "content/unknown-key", level: .error,
        summary: "the content has a key that its template does not know")
    /// P0703: a value in the content has another type than the template requires.
    public static let contentType = Check(
        "P0703", name: "content/type", level: .error,
        summary: "a value in the content has another type than the template asks for")
    /// P0704: a placeholder in the content names nothing that is declared.
    public static let contentUnknownPlaceholder = Check(
        "P0704", name: "content/unknown-placeholder", level: .warning,
        summary: "a placeholder in the content names nothing that is declared")
    /// P0705: a string or list in the content is longer than its field allows.
    public static let contentTooLong = Check(
        "P0705", name: "content/too-long", level: .error,
        summary: "a text or list in the content is longer than its field allows")
    /// P0706: a value in the content isn't allowed by its field.
    public static let contentValue = Check(
        "P0706", name: "content/value", level: .error,
        summary: "a value in the content is none that its field allows")
    /// P0707: a string lacks a language that `locales` requires.
    public static let contentMissingLocale = Check(
        "P0707", name: "content/missing-locale", level: .error,
        summary: "a text lacks a language that `locales` requires")
    /// P0708: a string is written for a locale that isn't a valid language.
    public static let contentUnknownLocale = Check(
        "P0708", name: "content/unknown-locale", level: .error,
        summary: "a text is written for what is no language")
    /// P0709: a placeholder may have no value, and it has no fallback for this case.
    public static let contentEmptyPlaceholder = Check(
        "P0709", name: "content/empty-placeholder", level: .warning,
        summary: "a placeholder may have no value, and nothing stands for it then")
}
