/// The fields that the accessor functions of timestamps and durations return, such as
/// `getFullYear`.
///
/// Rules: CEL specification, "Date/Time Functions".
enum CalendarField: Sendable, Hashable, CaseIterable {
    case fullYear, month, date, dayOfMonth, dayOfWeek, dayOfYear
    case hours, minutes, seconds, milliseconds

    /// Creates the field of an accessor function; nil if the function isn't one.
    init?(_ function: FunctionCode) {
        guard let field = Self.allCases.first(where: { $0.function == function }) else {
            return nil
        }
        self = field
    }

    /// The function that returns it.
    private var function: FunctionCode {
        switch self {
        case .fullYear: .getFullYear
        case .month: .getMonth
        case .date: .getDate
        case .dayOfMonth: .getDayOfMonth
        case .dayOfWeek: .getDayOfWeek
        case .dayOfYear: .getDayOfYear
        case .hours: .getHours
        case .minutes: .getMinutes
        case .seconds: .getSeconds
        case .milliseconds: .getMilliseconds
        }
    }

    /// True if a duration has the field too.
    var appliesToDurations: Bool {
        switch self {
        case .hours, .minutes, .seconds, .milliseconds: true
        case .fullYear, .month, .date, .dayOfMonth, .dayOfWeek, .dayOfYear: false
        }
    }

    /// Returns the field of an instant, on the clock and calendar of a zone.
    func value(of instant: Timestamp, in calendar: LocalCalendar) -> Int64 {
        let civil = calendar.civil(at: instant)
        let value =
            switch self {
            case .fullYear: civil.year
            case .month: civil.month - 1
            case .date: civil.day
            case .dayOfMonth: civil.day - 1
            case .dayOfWeek: civil.dayOfWeek
            case .dayOfYear: civil.dayOfYear
            case .hours: civil.hour
            case .minutes: civil.minute
            case .seconds: civil.second
            case .milliseconds: Int(instant.nanoseconds) / 1_000_000
            }
        return Int64(value)
    }

    /// Returns the whole duration in that unit, rounded toward zero, but for milliseconds only the
    /// part below a second; nil for a field that durations don't have.
    func value(of duration: Duration) -> Int64? {
        let (seconds, attoseconds) = duration.components
        return switch self {
        case .hours: seconds / 3600
        case .minutes: seconds / 60
        case .seconds: seconds
        case .milliseconds: attoseconds / 1_000_000_000_000_000
        case .fullYear, .month, .date, .dayOfMonth, .dayOfWeek, .dayOfYear: nil
        }
    }
}
