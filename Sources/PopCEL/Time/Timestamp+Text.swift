extension Timestamp {
    /// Reads an RFC 3339 date and time such as `2026-11-21T09:30:00Z` or
    /// `2026-11-21T10:30:00.25+01:00`.
    ///
    /// Returns nil for other strings, for a date or time that doesn't exist (including leap
    /// seconds), and for an instant out of range. Digits after the ninth of the fraction are
    /// dropped.
    public init?(parsing text: String) {
        var reader = DigitReader(text)
        guard let civil = reader.readCivilTime(), let nanoseconds = reader.readFraction(),
            let offset = reader.readOffset(), reader.isAtEnd
        else { return nil }
        self.init(inRange: civil.seconds - Int64(offset), nanoseconds: nanoseconds)
    }
}

extension Timestamp: CustomStringConvertible {
    /// The instant as RFC 3339 in UTC, with as many fraction digits as it needs.
    public var description: String {
        let civil = LocalCalendar.utc.civil(at: self)
        let date =
            "\(padded(civil.year, width: 4))-\(padded(civil.month, width: 2))-\(padded(civil.day, width: 2))"
        let time =
            "\(padded(civil.hour, width: 2)):\(padded(civil.minute, width: 2)):\(padded(civil.second, width: 2))"
        return "\(date)T\(time)\(decimalFraction(ofNanoseconds: Int(nanoseconds)))Z"
    }
}

/// Returns `.5` for 500,000,000, and an empty string for 0.
func decimalFraction(ofNanoseconds nanoseconds: Int) -> String {
    guard nanoseconds != 0 else { return "" }
    var digits = padded(nanoseconds, width: 9)
    while digits.hasSuffix("0") { digits.removeLast() }
    return "." + digits
}

private func padded(_ number: Int, width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: Swift.max(0, width - digits.utf8.count)) + digits
}

private struct DigitReader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ text: String) { bytes = Array(text.utf8) }

    var isAtEnd: Bool { position == bytes.count }

    mutating func readCivilTime() -> CivilTime? {
        guard let year = readNumber(4), skip("-"), let month = readNumber(2), skip("-"),
            let day = readNumber(2), skip("T"), let hour = readNumber(2), skip(":"),
            let minute = readNumber(2), skip(":"), let second = readNumber(2),
            (1...12).contains(month),
            (1...CivilTime.days(inMonth: month, of: year)).contains(day),
            hour < 24, minute < 60, second < 60
        else { return nil }
        return CivilTime(
            year: year, month: month, day: day, hour: hour, minute: minute, second: second)
    }

    /// Returns the nanoseconds of a fraction; 0 if there is no fraction.
    mutating func readFraction() -> Int32? {
        guard skip(".") else { return 0 }
        var nanoseconds: Int32 = 0
        var unit: Int32 = 100_000_000
        let start = position
        while let digit = readNumber(1) {
            nanoseconds += Int32(digit) * unit
            unit /= 10
        }
        return position > start ? nanoseconds : nil
    }

    mutating func readOffset() -> Int? {
        if skip("Z") { return 0 }
        let sign = skip("+") ? 1 : skip("-") ? -1 : 0
        guard sign != 0, let hours = readNumber(2), hours < 24, skip(":"),
            let minutes = readNumber(2), minutes < 60
        else { return nil }
        return sign * (hours * 3600 + minutes * 60)
    }

    private mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard position < bytes.count, bytes[position] == UInt8(ascii: character) else {
            return false
        }
        position += 1
        return true
    }

    private mutating func readNumber(_ width: Int) -> Int? {
        guard position + width <= bytes.count else { return nil }
        var number = 0
        for byte in bytes[position..<position + width] {
            guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
            number = number * 10 + Int(byte - UInt8(ascii: "0"))
        }
        position += width
        return number
    }
}
