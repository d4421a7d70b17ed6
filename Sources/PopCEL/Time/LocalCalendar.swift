/// The clock and calendar of one time zone: what they read at an instant, and when they next read
/// something.
///
/// When clocks are put forward, a reading that is skipped counts as read at the change. When they
/// are put back, a reading that comes twice is read at both instants. Results beyond the range of
/// `Timestamp` are its bounds.
public struct LocalCalendar: Sendable {
    private enum Zone: Sendable {
        case fixed(Int64)
        case named(String, TimeZones)
    }

    private let zone: Zone

    /// The calendar of UTC.
    public static let utc = LocalCalendar(zone: .fixed(0))

    private init(zone: Zone) { self.zone = zone }

    /// The calendar of a zone, or nil when there is no such zone.
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

    /// What clock and calendar read at an instant.
    public func civil(at instant: Timestamp) -> CivilTime {
        CivilTime(seconds: localSeconds(at: instant.seconds))
    }

    /// The instant at which the day began: midnight, or the end of the gap when clocks skipped it.
    public func startOfDay(at instant: Timestamp) -> Timestamp {
        start(ofDay: civil(at: instant).dayNumber, notAfter: instant)
    }

    /// The instant at which a day begins, given in days since 1970-01-01.
    public func start(ofDay day: Int) -> Timestamp { start(ofDay: day, notAfter: .max) }

    /// The first and the last instant at which the clock reads that many seconds since it read
    /// 1970-01-01T00:00:00; that of the change, twice, for a reading that is skipped.
    public func instants(atReading seconds: Int64) -> ClosedRange<Timestamp> {
        let all = instants(reading: seconds).map { Timestamp(seconds: $0) }
        return (all.first ?? .min)...(all.last ?? .max)
    }

    /// The instant at which the week began, on Monday.
    public func startOfWeek(at instant: Timestamp) -> Timestamp {
        let today = civil(at: instant)
        return start(ofDay: today.dayNumber - today.dayOfISOWeek, notAfter: instant)
    }

    /// The instant at which the month began.
    public func startOfMonth(at instant: Timestamp) -> Timestamp {
        let today = civil(at: instant)
        return start(ofDay: today.dayNumber - today.day + 1, notAfter: instant)
    }

    /// The first instant after `instant` at which the clock reads a time of day.
    ///
    /// - Parameter minute: Minutes since midnight, 0 to 1440; 1440 is the next day's midnight.
    public func next(minuteOfDay minute: Int, after instant: Timestamp) -> Timestamp {
        precondition((0...1440).contains(minute), "a day has 1440 minutes")
        let today = civil(at: instant).dayNumber
        // From yesterday, whose reading may come again, to the day behind one that was skipped.
        for day in (today - 1)...(today + 3) {
            for candidate in dates(minuteOfDay: minute, onDay: day) where candidate > instant {
                return candidate
            }
        }
        return .max
    }

    /// The instants, ascending, at which the clock reads a time of a day.
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

    /// More days than lie between 1970 and a bound of `Timestamp`.
    private static let daysInRange = 4_000_000

    private func localSeconds(at seconds: Int64) -> Int64 { seconds + offset(at: seconds) }

    private func start(ofDay day: Int, notAfter instant: Timestamp) -> Timestamp {
        guard day.magnitude < Self.daysInRange else { return day < 0 ? .min : instant }
        let midnights = instants(reading: Int64(day) * CivilTime.secondsPerDay)
        let start = midnights.first ?? instant.seconds
        return Swift.min(Timestamp(seconds: start), instant)
    }

    /// The instants, ascending, at which the clock reads that many seconds since 1970 began on it.
    func instants(reading: Int64) -> [Int64] {
        // No clock is as much as a day and a half away from UTC.
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

    /// The change that skips a reading: before it the clock reads less, from it on more.
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
