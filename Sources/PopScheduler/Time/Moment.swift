public import PopCEL

/// What time it is, as the host says it: one clock for timers and one for the calendar.
///
/// The two may drift apart: a person can set the calendar's clock, nobody can set the timers'.
public struct Moment: Sendable, Hashable {
    /// The time since a point that the host chose, such as its start; it never goes back. All
    /// timers run on it.
    public var instant: Duration
    /// The calendar date. Schedules, caps, the history and `now` in conditions follow it.
    public var date: Timestamp

    /// A moment on both clocks.
    public init(instant: Duration, date: Timestamp) {
        self.instant = instant
        self.date = date
    }

    /// The moment that comes after this one by a duration, on both clocks.
    public func advanced(by duration: Duration) -> Moment {
        Moment(instant: instant + duration, date: date.advanced(by: duration))
    }
}
