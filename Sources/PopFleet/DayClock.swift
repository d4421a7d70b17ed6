internal import PopCEL

/// The current day of a user, in the mapping's time zone.
struct DayClock {
    private let calendar: LocalCalendar
    /// Counted from 1970-01-01.
    private(set) var day = 0
    /// The end of the day, in nanoseconds since 1970; before the first call, every time is after
    /// it.
    private(set) var ends = Int64.min

    init(_ calendar: LocalCalendar) { self.calendar = calendar }

    /// Notes that the user is active at a time, once per day.
    mutating func note(_ time: Int64, of state: inout UserState, into sink: inout some ReplaySink) {
        if time < ends { return }
        let civil = calendar.civil(at: Timestamp(nanoseconds: time))
        day = civil.dayNumber
        ends = calendar.start(ofDay: day + 1).seconds &* 1_000_000_000
        let week = day - civil.dayOfISOWeek
        let isNewWeek = state.week != week
        if isNewWeek { (state.week, state.shownInWeek) = (week, 0) }
        sink.wasThere(onDay: day, isNewDay: state.day != day, isNewWeek: isNewWeek)
        state.day = day
    }
}
