internal import PopCEL

/// Reads the times of a log, in nanoseconds since 1970.
package struct LogTime: Sendable {
    private let format: LogMapping.TimeFormat
    /// The clocks of times that name no zone; nil for UTC.
    private let calendar: LocalCalendar?

    /// The format for times as strings; in UTC, if they name no zone.
    package static let text = LogTime(LogMapping())

    package init(_ mapping: LogMapping) {
        format = mapping.timeFormat
        calendar =
            mapping.timeZone == "UTC" ? nil : LocalCalendar(zone: mapping.timeZone, zones: .system)
    }

    /// Reads a time; nil for bytes that aren't a time of the format, or one that events can't have.
    package func read(_ range: Range<Int>, in block: [UInt8]) -> Int64? {
        time(range, in: block).flatMap { FleetLimits.times.contains($0) ? $0 : nil }
    }

    private func time(_ range: Range<Int>, in block: [UInt8]) -> Int64? {
        switch format {
        case .text: text(range, in: block) ?? seldom(range, in: block)
        case .seconds: number(range, in: block, unit: 1_000_000_000).flatMap(local)
        case .milliseconds: number(range, in: block, unit: 1_000_000).flatMap(local)
        case .microseconds: number(range, in: block, unit: 1_000).flatMap(local)
        }
    }

    /// Reads a time from a value.
    package func read(_ scalar: LogScalar) -> Int64? {
        scalar.plainText.flatMap { text in
            let bytes = Array(text.utf8)
            return read(bytes.indices, in: bytes)
        }
    }

    /// Converts a time that is counted in the local time of the zone; other times stay unchanged.
    /// In nanoseconds since 1970.
    private func local(_ nanoseconds: Int64) -> Int64? {
        guard let calendar else { return nanoseconds }
        let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        return scaled(calendar.instants(atReading: seconds).lowerBound.seconds, plus: rest)
    }

    private func scaled(_ seconds: Int64, plus rest: Int64) -> Int64? {
        let (whole, isOver) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, isTooLarge) = whole.addingReportingOverflow(rest)
        return isOver || isTooLarge ? nil : sum
    }

    private func number(_ range: Range<Int>, in block: [UInt8], unit: Int64) -> Int64? {
        var place = range.lowerBound
        let isNegative = place < range.upperBound && block[place] == UInt8(ascii: "-")
        if isNegative { place += 1 }
        guard let (whole, end) = digits(place, range.upperBound, block) else { return nil }
        let (product, isOver) = whole.multipliedReportingOverflow(by: unit)
        var total = product
        place = end
        if place < range.upperBound, block[place] == UInt8(ascii: ".") {
            place += 1
            var part = unit
            while place < range.upperBound, let digit = digit(block[place]) {
                part /= 10
                total &+= digit &* part
                place += 1
            }
        }
        // Such as 1.7e9.
        if place < range.upperBound {
            guard let text = Double(String(decoding: block[range], as: UTF8.self)),
                let exact = Int64(exactly: (text * Double(unit)).rounded())
            else { return nil }
            return exact
        }
        if isOver { return nil }
        if isNegative { total = 0 &- total }
        return total
    }

    /// `2026-03-01T09:30:00.25Z`, also with a space, and without a zone.
    private func text(_ range: Range<Int>, in block: [UInt8]) -> Int64? {
        let (start, end) = (range.lowerBound, range.upperBound)
        guard end - start >= 19, let date = Self.day(at: start, in: block),
            block[start + 10] == UInt8(ascii: "T") || block[start + 10] == UInt8(ascii: " "),
            let hour = Self.two(at: start + 11, in: block), hour < 24,
            let minute = Self.two(at: start + 14, in: block), minute < 60,
            let second = Self.two(at: start + 17, in: block), second < 61,
            block[start + 13] == UInt8(ascii: ":"), block[start + 16] == UInt8(ascii: ":")
        else { return nil }
        var place = start + 19
        var nanoseconds: Int64 = 0
        if place < end, block[place] == UInt8(ascii: ".") {
            place += 1
            var unit: Int64 = 100_000_000
            while place < end, let digit = digit(block[place]) {
                nanoseconds += digit * unit
                unit /= 10
                place += 1
            }
        }
        let seconds = date * 86_400 + hour * 3_600 + minute * 60 + second
        guard let offset = offset(place..<end, at: seconds, in: block) else { return nil }
        return scaled(seconds - offset, plus: nanoseconds)
    }

    /// Reads a string in one of the rare forms: without seconds, only a day, small letters, or no
    /// marks between the numbers, as `20260302T100000Z`.
    private func seldom(_ range: Range<Int>, in block: [UInt8]) -> Int64? {
        guard range.count >= 10, range.count <= 40 else { return nil }
        var text = block[range].map { byte in
            byte == UInt8(ascii: "t") || byte == UInt8(ascii: "z") ? byte & 0xDF : byte
        }
        func insert(_ mark: String, at place: Int) {
            text.insert(contentsOf: mark.utf8, at: min(place, text.count))
        }
        let isNumber = text.prefix(8).allSatisfy { digit($0) != nil }
        if isNumber, text[8] == UInt8(ascii: "T") {
            insert("-", at: 4)
            insert("-", at: 7)
        }
        if text.count == 10 { insert("T00:00:00", at: 10) }
        guard text.count >= 15 else { return nil }
        if digit(text[13]) != nil { insert(":", at: 13) }
        if text.count > 17, digit(text[16]) != nil, digit(text[17]) != nil { insert(":", at: 16) }
        if text.count == 16 || text.count > 16 && !":.".utf8.contains(text[16]) {
            insert(":00", at: 16)
        }
        return self.text(text.indices, in: text)
    }

    private static let namesOfUTC = ["Z", "UTC", "GMT"]

    /// Returns the offset of a time's zone from UTC; a blank may precede the zone.
    private func offset(_ range: Range<Int>, at seconds: Int64, in block: [UInt8]) -> Int64? {
        var place = range.lowerBound
        if place == range.upperBound {
            guard let calendar else { return 0 }
            return seconds - calendar.instants(atReading: seconds).lowerBound.seconds
        }
        if block[place] == UInt8(ascii: " "), place + 1 < range.upperBound { place += 1 }
        let text = block[place..<range.upperBound]
        if Self.namesOfUTC.contains(where: { text.elementsEqual($0.utf8) }) { return 0 }
        guard block[place] == UInt8(ascii: "+") || block[place] == UInt8(ascii: "-") else {
            return nil
        }
        let sign: Int64 = block[place] == UInt8(ascii: "-") ? -1 : 1
        place += 1
        guard place + 2 <= range.upperBound, let hours = Self.two(at: place, in: block), hours < 24
        else { return nil }
        place += 2
        if place == range.upperBound { return sign * hours * 3_600 }
        if block[place] == UInt8(ascii: ":") { place += 1 }
        guard place + 2 == range.upperBound, let minutes = Self.two(at: place, in: block),
            minutes < 60
        else { return nil }
        return sign * (hours * 3_600 + minutes * 60)
    }

    private static func day(at place: Int, in block: [UInt8]) -> Int64? {
        guard let century = two(at: place, in: block), let rest = two(at: place + 2, in: block),
            block[place + 4] == UInt8(ascii: "-"), let month = two(at: place + 5, in: block),
            block[place + 7] == UInt8(ascii: "-"), let day = two(at: place + 8, in: block),
            1...12 ~= month
        else { return nil }
        let date = (year: Int(century * 100 + rest), month: Int(month), day: Int(day))
        guard 1...CivilTime.days(inMonth: date.month, of: date.year) ~= date.day else {
            return nil
        }
        return Int64(CivilTime.dayNumber(year: date.year, month: date.month, day: date.day))
    }

    private static func two(at place: Int, in block: [UInt8]) -> Int64? {
        guard let tens = digitOf(block[place]), let ones = digitOf(block[place + 1]) else {
            return nil
        }
        return tens * 10 + ones
    }

    private func digit(_ byte: UInt8) -> Int64? { Self.digitOf(byte) }

    private static func digitOf(_ byte: UInt8) -> Int64? {
        let digit = byte &- UInt8(ascii: "0")
        return digit < 10 ? Int64(digit) : nil
    }

    private func digits(_ start: Int, _ end: Int, _ block: [UInt8]) -> (Int64, Int)? {
        var place = start
        var number: Int64 = 0
        while place < end, place - start < 19, let digit = digit(block[place]) {
            number = number &* 10 &+ digit
            place += 1
        }
        return place > start && number >= 0 ? (number, place) : nil
    }
}
