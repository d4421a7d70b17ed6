public import PopScheduler
public import PopSource
internal import PopYAML

/// The section `quiet`: a part of each day in which popups are not shown.
public struct QuietModel: Sendable {
    /// The part of the day.
    public var hours: Located<Schedule.Hours>?
    /// The zone in which it is read; nil for the zone of the device.
    public var zone: Located<ZoneModel>?
    /// The popups that are not shown.
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
                summary: "the time zone of the hours, by default the device's (`local`)"),
        ] + selectionKeys(that: "are not shown") { $1(&$0.popups) })
}

extension Format<QuietModel> {
    /// One part of each day; several are schedules of popups.
    static var quiet: Self {
        let table = Self.table(.quiet, startingWith: QuietModel())
        return Format(table.schema) { node, decoder in
            guard node.items.count > 1 else { return decoder.read(table, at: node)?.value }
            let first = decoder.onOneLine(node.items[0]) ?? "{ hours: 22:00-08:00 }"
            return decoder.mismatch(
                table.schema, at: node,
                help: [
                    "write only one `quiet`: `quiet: \(first)`",
                    "for other times, set in each popup the hours in which it may show, such as"
                        + " `schedule: [{ hours: 08:00-12:00 }, { hours: 13:00-22:00 }]`",
                ])
        }
    }
}
