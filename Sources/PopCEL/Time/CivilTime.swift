/// A date and a time of day on a clock and a calendar, without a time zone.
///
/// The calendar is the proleptic Gregorian one, as in RFC 3339: it continues unchanged before 1582.
public struct CivilTime: Sendable, Hashable {
    /// The year of the calendar; for a `Timestamp`, from 1 to 9999.
    public var year: Int
    /// 1 for January.
    public var month: Int
    /// 1 for the first day of the month.
    public var day: Int
    /// 0 to 23.
    public var hour: Int
    /// 0 to 59.
    public var minute: Int
    /// 0 to 59.
    public var second: Int

    /// Creates a date and time, midnight if only the day is given; nothing is checked.
    public init(
        year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0
    ) {
        self.year = year
        self.month = month
        self.day = day
        self.hour = hour
        self.minute = minute
        self.second = second
    }

    static let secondsPerDay: Int64 = 86_400

    /// Creates the time that is the given number of seconds after the midnight that began 1970 on
    /// the same clock.
    init(seconds: Int64) {
        let days = Int(seconds.flooredQuotient(by: Self.secondsPerDay))
        let rest = Int(seconds - Int64(days) * Self.secondsPerDay)
        let date = Self.date(ofDay: days)
        self.init(
            year: date.year, month: date.month, day: date.day,
            hour: rest / 3600, minute: rest / 60 % 60, second: rest % 60)
    }

    /// The seconds since the midnight that began 1970 on the same clock.
    var seconds: Int64 {
        Int64(dayNumber) * Self.secondsPerDay + Int64(hour * 3600 + minute * 60 + second)
    }

    /// The days since 1970-01-01.
    public var dayNumber: Int { Self.dayNumber(year: year, month: month, day: day) }

    /// 0 for Sunday to 6 for Saturday.
    public var dayOfWeek: Int { (dayNumber + 4).flooredRemainder(by: 7) }

    /// 0 for Monday to 6 for Sunday, as in ISO 8601 weeks.
    public var dayOfISOWeek: Int { Self.dayOfISOWeek(ofDay: dayNumber) }

    /// Returns the same for a day that is given in days since 1970-01-01.
    package static func dayOfISOWeek(ofDay day: Int) -> Int { (day + 3).flooredRemainder(by: 7) }

    /// 0 for January 1st.
    public var dayOfYear: Int { dayNumber - Self.dayNumber(year: year, month: 1, day: 1) }

    /// 0 to 1439.
    public var minuteOfDay: Int { hour * 60 + minute }

    /// Returns the number of days of a month, 1 to 12.
    package static func days(inMonth month: Int, of year: Int) -> Int {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    private static func isLeap(_ year: Int) -> Bool {
        year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    }
}

// The calendar repeats every 400 years, an era of 146,097 days. Years are counted from March, so
// that the leap day is the last of its year, and the lengths of months follow a line of 153 days in
// 5 months.
extension CivilTime {
    private static let daysPerEra = 146_097
    /// The number of days from 0000-03-01 to 1970-01-01.
    private static let daysBefore1970 = 719_468

    /// Returns the number of a day, counted from 1970-01-01.
    package static func dayNumber(year: Int, month: Int, day: Int) -> Int {
        let marchYear = month <= 2 ? year - 1 : year
        let era = marchYear.flooredQuotient(by: 400)
        let yearOfEra = marchYear - era * 400
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * daysPerEra + dayOfEra - daysBefore1970
    }

    private static func date(ofDay number: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = number + daysBefore1970
        let era = shifted.flooredQuotient(by: daysPerEra)
        let dayOfEra = shifted - era * daysPerEra
        let yearOfEra =
            (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * marchMonth + 2) / 5 + 1)
    }
}

extension FixedWidthInteger {
    /// Returns the quotient rounded down, for a positive divisor.
    func flooredQuotient(by divisor: Self) -> Self {
        let quotient = self / divisor
        return self < 0 && quotient * divisor != self ? quotient - 1 : quotient
    }

    /// Returns the remainder of the quotient rounded down, from 0 to below the positive divisor.
    func flooredRemainder(by divisor: Self) -> Self {
        let remainder = self % divisor
        return remainder < 0 ? remainder + divisor : remainder
    }
}

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
