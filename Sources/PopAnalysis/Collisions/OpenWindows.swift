internal import PopCEL
internal import PopScheduler
internal import PopSource

/// The times at which a schedule is open, apart from the conditions of its entries. Created once
/// for questions about many dates.
///
/// Entries that differ only in their conditions are kept once.
struct OpenWindows {
    private struct Window {
        let entry: Schedule
        let begin: Timestamp?
        let end: Timestamp?
        let calendar: LocalCalendar

        func contains(_ date: Timestamp) -> Bool {
            if let begin, date < begin { return false }
            if let end, date >= end { return false }
            return entry.includes(date, calendar: calendar)
        }
    }

    private var windows: [Window] = []

    init(_ schedule: [Schedule]) {
        struct Times: Hashable {
            let from: Schedule.Bound?
            let until: Schedule.Bound?
            let days: Set<Schedule.Weekday>?
            let hours: Schedule.Hours?
            let zone: Zone
        }
        var seen: Set<Times> = []
        for entry in schedule {
            let times = Times(
                from: entry.from, until: entry.until, days: entry.days, hours: entry.hours,
                zone: entry.zone)
            guard seen.insert(times).inserted else { continue }
            windows.append(
                Window(
                    entry: entry, begin: entry.fromMoment, end: entry.untilMoment,
                    calendar: entry.zone.calendar ?? .utc))
        }
    }

    /// The dates at which windows begin and end.
    var bounds: Set<Timestamp> {
        Set(windows.flatMap { [$0.begin, $0.end] }.compactMap { $0 })
    }

    /// True if days or hours open and close it.
    var hasDaysOrHours: Bool { windows.contains { $0.entry.days != nil || $0.entry.hours != nil } }

    /// Returns true if one of the windows is open at a date; always true for a schedule without
    /// entries. Returns nil if the budget doesn't suffice to check all of them.
    func isOpen(at date: Timestamp, within budget: WorkBudget) -> Bool? {
        guard budget.charge(.comparedPairs, windows.count) else { return nil }
        return windows.isEmpty || windows.contains { $0.contains(date) }
    }
}
