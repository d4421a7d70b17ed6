/// The clock and calendar of one time zone: they convert instants to local times, and find the next
/// instant with a local time.
///
/// If clocks are put forward, a skipped local time counts as reached at the change. If they are put
/// back, a repeated local time is reached at both instants. Results beyond the range of `Timestamp`
/// are its bounds.
public struct LocalCalendar: Sendable {
    private enum Zone: Sendable {
        case fixed(Int64)
        case named(String, TimeZones)
    }

    private let zone: Zone

    /// The calendar of UTC.
    public static let utc = LocalCalendar(zone: .fixed(0))

    private init(zone: Zone) { self.zone = zone }

    /// Creates the calendar of a zone, or nil if there is no such zone.
    ///
    /// - Parameter zone: An IANA name, an offset such as `+02:00`, or nil for UTC.
    public init?(zone: String?, zones: TimeZones) {
        guard let zone, zone != "UTC" else {
            self = .utc
            return
        }
        if let offset = fixedOffset(zone) {
            self.zone = .fixed(Int64(offset))
        } else if zones.secondsFromUTC(zone: zone, at: 0) != nil {
            self.zone = .named(zone, zones)
        } else {
            return nil
        }
    }

    /// Returns the local date and time at an instant.
    public func civil(at instant: Timestamp) -> CivilTime {
        CivilTime(seconds: localSeconds(at: instant.seconds))
    }

    /// Returns the instant at which the day began: midnight, or the end of the gap if clocks
    /// skipped it.
    public func startOfDay(at instant: Timestamp) -> Timestamp {
        start(ofDay: civil(at: instant).dayNumber, notAfter: instant)
    }

    /// Returns the instant at which a day begins, given in days since 1970-01-01.
    public func start(ofDay day: Int) -> Timestamp { start(ofDay: day, notAfter: .max) }

    /// Returns the first and the last instant at which the clock has advanced that many seconds
    /// since it showed 1970-01-01T00:00:00; for a skipped local time, the instant of the change
    /// twice.
    public func instants(atReading seconds: Int64) -> ClosedRange<Timestamp> {
        let all = instants(reading: seconds).map { Timestamp(seconds: $0) }
        return (all.first ?? .min)...(all.last ?? .max)
    }

    /// Returns the instant at which the week began, on Monday.
    public func startOfWeek(at instant: Timestamp) -> Timestamp {
        let today = civil(at: instant)
        return start(ofDay: today.dayNumber - today.dayOfISOWeek, notAfter: instant)
    }

    /// Returns the instant at which the month began.
    public func startOfMonth(at instant: Timestamp) -> Timestamp {
        let today = civil(at: instant)
        return start(ofDay: today.dayNumber - today.day + 1, notAfter: instant)
    }

    /// Returns the first instant after `instant` at which the clock shows a time of day.
    ///
    /// - Parameter minute: Minutes since midnight, 0 to 1440; 1440 is the next day's midnight.
    public func next(minuteOfDay minute: Int, after instant: Timestamp) -> Timestamp {
        precondition((0...1440).contains(minute), "a day has 1440 minutes")
        let today = civil(at: instant).dayNumber
        // From yesterday, whose local time may repeat, to the day after a skipped one.
        for day in (today - 1)...(today + 3) {
            for candidate in dates(minuteOfDay: minute, onDay: day) where candidate > instant {
                return candidate
            }
        }
        return .max
    }

    /// Returns the instants, in ascending order, at which the clock shows a time of a day.
    ///
    /// - Parameters:
    ///   - minute: Minutes since midnight, 0 to 1440; 1440 is the next day's midnight.
    ///   - day: Days since 1970-01-01.
    package func dates(minuteOfDay minute: Int, onDay day: Int) -> [Timestamp] {
        instants(reading: Int64(day) * CivilTime.secondsPerDay + Int64(minute) * 60)
            .map { Timestamp(seconds: $0) }
    }
}

extension LocalCalendar {
    private func offset(at seconds: Int64) -> Int64 {
        switch zone {
        case .fixed(let offset): offset
        case .named(let name, let zones):
            Int64(zones.secondsFromUTC(zone: name, at: seconds) ?? 0)
        }
    }

    /// A number that exceeds the days between 1970 and a bound of `Timestamp`.
    private static let daysInRange = 4_000_000

    private func localSeconds(at seconds: Int64) -> Int64 { seconds + offset(at: seconds) }

    private func start(ofDay day: Int, notAfter instant: Timestamp) -> Timestamp {
        guard day.magnitude < Self.daysInRange else { return day < 0 ? .min : instant }
        let midnights = instants(reading: Int64(day) * CivilTime.secondsPerDay)
        let start = midnights.first ?? instant.seconds
        return Swift.min(Timestamp(seconds: start), instant)
    }

    /// Returns the instants, in ascending order, at which the clock has advanced that many seconds
    /// since it began 1970.
    func instants(reading: Int64) -> [Int64] {
        // No clock is as much as a day and a half from UTC.
        let before = reading - CivilTime.secondsPerDay * 3 / 2
        let after = reading + CivilTime.secondsPerDay * 3 / 2
        let first = offset(at: before)
        let last = offset(at: after)
        if first == last, offset(at: reading - first) == first { return [reading - first] }
        let candidates = Set([reading - first, reading - last])
            .filter { localSeconds(at: $0) == reading }
        return candidates.isEmpty
            ? [firstInstant(from: before, to: after, reading: reading)] : candidates.sorted()
    }

    /// Returns the change that skips a local time: before it the clock shows an earlier time, from
    /// it on a later one.
    private func firstInstant(from before: Int64, to after: Int64, reading: Int64) -> Int64 {
        var low = before
        var high = after
        while high - low > 1 {
            let middle = low + (high - low) / 2
            if localSeconds(at: middle) < reading { low = middle } else { high = middle }
        }
        return high
    }
}

/// The offsets of time zones from UTC at any time.
public struct TimeZones: Sendable {
    private let offset: @Sendable (_ zone: String, _ seconds: Int64) -> Int?

    /// Creates custom time zones.
    ///
    /// - Parameter secondsFromUTC: Returns the result of `secondsFromUTC(zone:at:)`.
    public init(secondsFromUTC: @escaping @Sendable (_ zone: String, _ seconds: Int64) -> Int?) {
        offset = secondsFromUTC
    }

    /// The time zones of the operating system, and those that it lacks and the program contains.
    ///
    /// A zone is looked up once and kept, so another lookup costs well under a microsecond; at most
    /// `TimeZoneLimits.keptZones` names are kept, including names that aren't zones.
    public static let system = TimeZones { zone, seconds in
        SystemTimeZones.zone(named: zone).map { Int($0.offset(at: seconds)) }
    }

    /// The names of all zones, for suggestions.
    ///
    /// Offsets and alternative names of the same zones aren't included.
    public static var systemNames: [String] { SystemZone.names }

    /// Returns true if the clocks of two zones of the system always show the same time.
    package static func haveSameClocks(_ zone: String, as other: String) -> Bool {
        guard let zone = SystemTimeZones.zone(named: zone),
            let other = SystemTimeZones.zone(named: other)
        else { return false }
        return zone.hasClocks(of: other)
    }

    /// Returns the seconds that the zone's clocks are ahead of UTC at an instant; nil if there is
    /// no such zone.
    ///
    /// - Parameters:
    ///   - zone: An IANA name such as `Europe/Berlin`.
    ///   - seconds: The instant, in seconds since 1970-01-01T00:00:00Z.
    public func secondsFromUTC(zone: String, at seconds: Int64) -> Int? { offset(zone, seconds) }
}

/// Returns the seconds from UTC of a fixed offset such as `+02:00`, `-09:30` or `02:00`; nil for
/// other strings.
///
/// The CEL specification requires a sign; its conformance suite has an offset without one.
func fixedOffset(_ text: String) -> Int? {
    var bytes = Array(text.utf8)
    var sign = 1
    if let first = bytes.first, first == UInt8(ascii: "+") || first == UInt8(ascii: "-") {
        sign = first == UInt8(ascii: "-") ? -1 : 1
        bytes.removeFirst()
    }
    guard bytes.count == 5, bytes[2] == UInt8(ascii: ":"),
        let hours = twoDigits(bytes[0], ones: bytes[1]), hours < 24,
        let minutes = twoDigits(bytes[3], ones: bytes[4]), minutes < 60
    else { return nil }
    return sign * (hours * 3600 + minutes * 60)
}

private func twoDigits(_ tens: UInt8, ones: UInt8) -> Int? {
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    guard digits.contains(tens), digits.contains(ones) else { return nil }
    return Int(tens - digits.lowerBound) * 10 + Int(ones - digits.lowerBound)
}
