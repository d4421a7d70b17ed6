// The checks of the group `config`.
extension Check {
    /// P1001: an ignore comment ignores nothing.
    public static let configUnusedIgnore = Check(
        "P1001", name: "config/unused-ignore", level: .warning,
        summary: "an ignore comment ignores nothing")
    /// P1002: an ignore comment gives no reason.
    public static let configNoReason = Check(
        "P1002", name: "config/no-reason", level: .warning,
        summary: "an ignore comment gives no reason")
    /// P1003: a comment or the configuration names a check that does not exist.
    public static let configUnknownCheck = Check(
        "P1003", name: "config/unknown-check", level: .error,
        summary: "a comment or the configuration names a check that does not exist")
    /// P1004: a snooze comment, which hides findings until a date, has expired.
    public static let configExpiredSnooze = Check(
        "P1004", name: "config/expired-snooze", level: .warning,
        summary: "a snooze comment, which hides findings until a date, has expired")
    /// P1005: a path or pattern matches no file.
    public static let configNoMatch = Check(
        "P1005", name: "config/no-match", level: .error,
        summary: "a path or pattern matches no file")
    /// P1006: the baseline lists a finding that no longer exists.
    public static let configStaleBaseline = Check(
        "P1006", name: "config/stale-baseline", level: .warning,
        summary: "the baseline lists a finding that no longer exists")
    /// P1007: a comment that begins with `poprules:` cannot be understood.
    public static let configMalformedComment = Check(
        "P1007", name: "config/malformed-comment", level: .error,
        summary: "a comment that begins with `poprules:` cannot be understood")
}
