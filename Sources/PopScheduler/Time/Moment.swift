public import PopCEL

/// The time as the host reports it: one clock for timers and one for the calendar.
///
/// The two may drift apart: the user can set the clock of the calendar, but nobody can set the
/// clock of the timers.
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

    /// Returns the moment that is later by a duration, on both clocks.
    public func advanced(by duration: Duration) -> Moment {
        Moment(instant: instant + duration, date: date.advanced(by: duration))
    }
}
