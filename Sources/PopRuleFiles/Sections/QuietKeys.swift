public import PopScheduler
public import PopSource

/// The section `quiet`: a part of each day in which popups are not shown.
public struct QuietModel: Sendable {
    /// The part of the day.
    public var hours: Located<Schedule.Hours>?
    /// Whose clocks it is read by; nil for those of the device.
    public var zone: Located<ZoneModel>?
    /// Those that are not shown.
    public var popups = PopupSelectionModel()
}

extension Table<QuietModel> {
    static let quiet = Table(
        "`quiet`",
        keys: [
            Key(
                "hours", format: .hours, store: { $0.hours = $1 },
                alsoCalled: ["hour", "times", "between", "from", "time"],
                summary: "the part of the day in which nothing is shown"
            ).such(as: "22:00-08:00").required,
            Key(
                "zone", format: .zone, store: { $0.zone = $1 },
                alsoCalled: ["timezone", "time_zone", "tz"],
                summary: "whose clocks count: those of the device (`local`) unless it is given"),
        ] + selectionKeys(that: "are not shown") { $1(&$0.popups) })
}
