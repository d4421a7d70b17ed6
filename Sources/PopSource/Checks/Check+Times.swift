// The checks of the group `time`.
extension Check {
    /// P0601: the popup's schedule is over.
    public static let timeExpired = Check(
        "P0601", name: "time/expired", level: .warning, summary: "the popup's schedule is over")
    /// P0602: the schedule leaves no time at which the popup may show.
    public static let timeEmptyWindow = Check(
        "P0602", name: "time/empty-window", level: .error,
        summary: "the schedule leaves no time at which the popup may show")
    /// P0603: `hours`, `days`, a date or a cap by the calendar are given without a time zone.
    public static let timeNoZone = Check(
        "P0603", name: "time/no-zone", level: .warning,
        summary: "`hours`, `days`, a date or a cap by the calendar are given without a time zone")
    /// P0604: `hours` start or end at a time that is skipped when the clocks are set forward.
    public static let timeDSTGap = Check(
        "P0604", name: "time/dst-gap", level: .warning,
        summary: "`hours` start or end at a time that is skipped when the clocks are set forward")
    /// P0605: the schedule starts but never ends.
    public static let timeNoEnd = Check(
        "P0605", name: "time/no-end", level: .info, summary: "the schedule starts but never ends")
    /// P0606: a time zone does not exist.
    public static let timeUnknownZone = Check(
        "P0606", name: "time/unknown-zone", level: .error,
        summary: "a time zone does not exist")
    /// P0607: a time zone is given as letters that do not mean the same everywhere.
    public static let timeZoneLetters = Check(
        "P0607", name: "time/zone-letters", level: .warning,
        summary: "a time zone is given as letters that do not mean the same everywhere")
}
