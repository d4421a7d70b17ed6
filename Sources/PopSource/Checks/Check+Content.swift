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
    /// P0703: a value in the content has another type than the template asks for.
    public static let contentType = Check(
        "P0703", name: "content/type", level: .error,
        summary: "a value in the content has another type than the template asks for")
    /// P0704: a placeholder in the content names nothing that is declared.
    public static let contentUnknownPlaceholder = Check(
        "P0704", name: "content/unknown-placeholder", level: .warning,
        summary: "a placeholder in the content names nothing that is declared")
}
