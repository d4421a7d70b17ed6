internal import PopCEL

/// Returns the possible meanings of a string that is almost a time, as a date or a time by RFC
/// 3339.
///
/// `zone` is the zone of a time without offset; nil if none is written. `takesDates` is true if a
/// bare date is a value too.
package func timeReadings(
    _ text: String, zone: String? = nil, takesDates: Bool = true
) -> [Reading] {
    let written = WrittenTime.readings(of: text)
    if written.isEmpty, takesDates { return endsOfMonth(text) }
    return written.flatMap { time -> [Reading] in
        if let offset = time.offset { return [time.reading(offset: offset)] }
        if let letters = time.abbreviation.flatMap({ ZoneAbbreviation.named($0) }) {
            return readings(of: time, letters)
        }
        guard time.second != nil else {
            return takesDates
                ? [Reading(time.date, meaning: time.dateInWords, isExact: time.isCertain)]
                : [time.midnight]
        }
        guard let zone else {
            return written.count > 1 ? [time.reading(offset: 0)] : clocks(of: time)
        }
        return readings(of: time, in: zone)
    }
}

/// Returns help on a time that cannot be read: its possible meanings, or how times are written.
///
/// `mayNameZone` is true if a zone may be written next to it.
package func helpWithTime(
    _ text: String, readings: [Reading], zone: String? = nil, mayNameZone: Bool = false
) -> [String] {
    guard !readings.isEmpty else { return [helpWithTime(text, zone: zone)] }
    let isOpen =
        zone == nil
        && WrittenTime.readings(of: text).contains {
            $0.second != nil && $0.offset == nil && $0.abbreviation == nil
        }
    guard isOpen else { return readings.help }
    let offset = "add the offset from UTC to the time"
    return [mayNameZone ? "\(offset), or a `zone` next to it" : offset] + readings.help
        + (mayNameZone ? ["use `zone: local` to mean the local time of each device"] : [])
}

/// Returns the readings of a time in a time zone, whose clocks may show it twice, or never.
private func readings(of time: WrittenTime, in zone: String) -> [Reading] {
    // In a zone that is not known beforehand, the time is kept as written.
    if LocalCalendar(zone: zone, zones: .system) == nil {
        return [Reading("\(time.date)T\(time.clock)", isExact: time.isCertain)]
    }
    let offsets = offsets(of: time, in: zone)
    let times = ["", ", the first time", ", the second time"]
    return offsets.enumerated().map { index, offset in
        Reading(
            time.text(offset: offset),
            meaning: "\(time.dateInWords), \(time.clock) in the time zone \(zone)"
                + times[offsets.count > 1 ? min(index, 1) + 1 : 0], isExact: time.isCertain)
    }
}

/// Returns the readings of a time with an abbreviation that means one zone and is often used for
/// another, or in another country.
private func readings(of time: WrittenTime, _ letters: ZoneAbbreviation) -> [Reading] {
    let local = ([letters.zone] + letters.others).flatMap { readings(of: time, in: $0) }
    guard let offset = letters.offset else { return local }
    let literal = time.reading(offset: offset)
    return local.contains { $0.text == literal.text } ? local : [literal] + local
}

/// Returns the first day of a month, and the day after its last day, for a month without a day.
private func endsOfMonth(_ text: String) -> [Reading] {
    guard let (year, month) = WrittenTime.monthAlone(text) else { return [] }
    let first = WrittenTime(year: year, month: month, day: 1)
    let next = WrittenTime(
        year: month == 12 ? year + 1 : year, month: month == 12 ? 1 : month + 1, day: 1)
    return [
        Reading(first.date, meaning: "the start of that month"),
        Reading(next.date, meaning: "the end of that month"),
    ]
}

/// Returns help on a string that no time can be made of.
private func helpWithTime(_ text: String, zone: String?) -> String {
    if let zone, LocalCalendar(zone: zone, zones: .system) != nil,
        let skipped = WrittenTime.readings(of: text).first(where: { $0.second != nil })
    {
        return "choose another time: the clocks of \(zone) skip \(skipped.clock) on"
            + " \(skipped.date), when they are set forward"
    }
    if let match = dateAtStart.prefixMatch(of: text),
        let month = Int(match.output.2), (1...12).contains(month), let year = Int(match.output.1)
    {
        let last = WrittenTime.lastDay(year: year, month: month)
        if let day = Int(match.output.3), day > last {
            return "use a day of that month, which has \(last) days"
        }
    }
    if let day = WrittenTime.dayWithoutYear(text) {
        return "add the year before the date, such as `2030-\(day)`"
    }
    if timeAtStart.prefixMatch(of: text) != nil {
        return "add the date before the time; for a part of each day, use `hours`"
    }
    return "write a date as year-month-day, and a time after it with its offset from UTC,"
        + " such as `2026-11-01T09:00:00+01:00`"
}

/// A time of day without a zone: the author has to choose.
private func clocks(of time: WrittenTime) -> [Reading] {
    [("UTC", "UTC"), ("Europe/Berlin", "Berlin"), ("America/New_York", "New York")]
        .compactMap { zone, city in
            offsets(of: time, in: zone).first.map { offset in
                Reading(
                    time.text(offset: offset), meaning: "\(time.clock) in \(city)", isExact: false)
            }
        }
}

/// The offsets from UTC with which the clocks of a zone show a time: two when they show it twice,
/// none when they skip it.
func offsets(of time: WrittenTime, in zone: String) -> [Int] {
    guard let calendar = LocalCalendar(zone: zone, zones: .system),
        let reading = time.instant(offset: 0)?.seconds
    else { return [] }
    // No clock is as much as a day and a half away from UTC.
    let around = [-129_600, 0, 129_600].map {
        calendar.offset(at: Timestamp(seconds: reading + $0))
    }
    return Set(around).filter { offset in
        calendar.offset(at: Timestamp(seconds: reading - Int64(offset))) == offset
    }.sorted(by: >)
}

extension LocalCalendar {
    /// Returns the offset from UTC at an instant, in seconds.
    func offset(at instant: Timestamp) -> Int {
        let civil = civil(at: instant)
        let ofDay = civil.hour * 3600 + civil.minute * 60 + civil.second
        return Int(Int64(civil.dayNumber) * 86_400 + Int64(ofDay) - instant.seconds)
    }
}

extension WrittenTime {
    /// The time with an offset that is certain.
    fileprivate func reading(offset: Int) -> Reading {
        Reading(
            text(offset: offset),
            meaning: "\(dateInWords), \(clock)\(offset == 0 ? " in UTC" : "")",
            isExact: isCertain)
    }

    /// A bare date if a time is required.
    fileprivate var midnight: Reading {
        Reading(
            text(offset: 0), meaning: "midnight in UTC at the start of \(dateInWords)",
            isExact: false)
    }

    fileprivate static func lastDay(year: Int, month: Int) -> Int {
        (28...31).last { WrittenTime(year: year, month: month, day: $0).exists } ?? 31
    }
}

private let dateAtStart = SharedRegex(#/([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})/#)
private let timeAtStart = SharedRegex(#/[0-9]{1,2}:[0-9]{2}/#)
