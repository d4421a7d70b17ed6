@testable import PopCEL

extension FuzzTarget {
    /// The bytes of a time zone's file, of Android's file with all of them, and the rule in a line.
    static let zone = FuzzTarget(
        name: "zone",
        body: .direct { bytes in
            if let place = ZoneArchive.place(of: "Europe/Berlin", in: bytes) {
                try require(
                    place.start >= 0 && (0...TimeZoneLimits.fileBytes).contains(place.length),
                    "a zone lies at \(place)")
            }
            if let rule = ZoneRule(parsing: bytes) {
                try check(TimeZoneTable(first: 0, changes: [], offsets: [], rule: rule))
            }
            if let table = TimeZoneTable(tzif: bytes) { try check(table) }
        })

    /// Clocks are never days away from UTC, and what comes next lies in the future.
    private static func check(_ table: TimeZoneTable) throws {
        let times: [Int64] = [.min, -1, 0, 1_793_000_000, 16_000_000_000, .max]
        for time in times + table.changes.prefix(20) {
            let offset = table.offset(at: time)
            try require(TimeZoneLimits.offsets.contains(offset), "\(offset) at \(time)")
        }
        guard let calendar = LocalCalendar(zone: "A", zones: .only(table)) else { return }
        let instants = [.min, .max] + table.changes.prefix(20).map { Timestamp(seconds: $0) }
        for instant in instants {
            _ = calendar.civil(at: instant)
            try require(
                calendar.startOfDay(at: instant) <= instant
                    && calendar.startOfWeek(at: instant) <= instant,
                "\(instant) lies before its day or week")
            let next = calendar.next(minuteOfDay: 120, after: instant)
            try require(next > instant || next == .max, "\(next) is not behind \(instant)")
        }
    }
}

extension TimeZones {
    /// The time zones of a system that knows one zone.
    fileprivate static func only(_ table: TimeZoneTable) -> TimeZones {
        TimeZones { _, seconds in Int(table.offset(at: seconds)) }
    }
}
