// POSIX, "Environment Variables", TZ, with the longer times of RFC 9636, section 3.3.1, such as
// `CET-1CEST,M3.5.0,M10.5.0/3`: standard time and summer time, each with a name and, against
// intuition, the hours that clocks are behind UTC; then the days and times of the changes.
extension ZoneRule {
    /// Creates the rule that a text defines; nil if it defines none.
    init?(parsing text: some Sequence<UInt8>) {
        var reader = RuleReader(rest: ArraySlice(Array(text)))
        guard let rule = reader.rule(), reader.rest.isEmpty else { return nil }
        self = rule
    }
}

private struct RuleReader {
    var rest: ArraySlice<UInt8>

    mutating func rule() -> ZoneRule? {
        guard skipName(), let standard = offset() else { return nil }
        guard !rest.isEmpty else { return ZoneRule(standard: standard) }
        guard skipName() else { return nil }
        let isPlain = rest.first == UInt8(ascii: ",")
        guard let offset = isPlain ? standard + 3600 : offset(), skip(","), let start = moment(),
            skip(","), let end = moment()
        else { return nil }
        let summer = ZoneRule.Summer(offset: offset, start: start, end: end)
        return ZoneRule(standard: standard, summer: summer)
    }

    /// Skips a name: at least three letters, or with digits and signs between angle brackets.
    private mutating func skipName() -> Bool {
        let isQuoted = skip("<")
        let name = rest.prefix {
            $0.isLetter || isQuoted && ($0.digit != nil || "+-".utf8.contains($0))
        }
        rest = rest.dropFirst(name.count)
        return name.count >= 3 && (!isQuoted || skip(">"))
    }

    /// Reads an offset, negated to the seconds that clocks are ahead of UTC.
    private mutating func offset() -> Int32? { time(hours: 0...24).map { -$0 } }

    private mutating func moment() -> ZoneRule.Moment? {
        guard let day = day() else { return nil }
        guard skip("/") else { return ZoneRule.Moment(day: day, time: 7200) }
        return time(hours: 0...167).map { ZoneRule.Moment(day: day, time: $0) }
    }

    private mutating func day() -> ZoneRule.Day? {
        if skip("J") { return number(in: 1...365).map { .ofCommonYear(Int($0)) } }
        guard skip("M") else { return number(in: 0...365).map { .ofYear(Int($0)) } }
        guard let month = number(in: 1...12), skip("."), let week = number(in: 1...5), skip("."),
            let weekday = number(in: 0...6)
        else { return nil }
        return .ofMonth(Int(month), week: Int(week), weekday: Int(weekday))
    }

    /// Reads hours, and optional minutes and seconds, in seconds.
    private mutating func time(hours: ClosedRange<Int32>) -> Int32? {
        let sign: Int32 = skip("-") ? -1 : 1
        if sign > 0 { _ = skip("+") }
        guard var seconds = number(in: hours).map({ $0 * 3600 }) else { return nil }
        for unit: Int32 in [60, 1] where skip(":") {
            guard let count = number(in: 0...59) else { return nil }
            seconds += count * unit
        }
        return sign * seconds
    }

    private mutating func number(in range: ClosedRange<Int32>) -> Int32? {
        let digits = rest.prefix(3).prefix { $0.digit != nil }
        rest = rest.dropFirst(digits.count)
        let number = digits.reduce(Int32(0)) { $0 * 10 + ($1.digit ?? 0) }
        return !digits.isEmpty && range.contains(number) ? number : nil
    }

    private mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest = rest.dropFirst()
        return true
    }
}

extension UInt8 {
    fileprivate var isLetter: Bool {
        let lowercase = self | 0x20
        return (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(lowercase)
    }

    fileprivate var digit: Int32? {
        let value = self &- UInt8(ascii: "0")
        return value < 10 ? Int32(value) : nil
    }
}
