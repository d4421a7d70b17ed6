import PopBacktest
import Testing

struct LogTimeTests {
    private static func read(_ text: String, _ format: LogMapping.TimeFormat) -> Int64? {
        var mapping = LogMapping()
        mapping.timeFormat = format
        let bytes = Array(text.utf8)
        return LogTime(mapping).read(bytes.indices, in: bytes)
    }

    @Test func `times are read in each form`() {
        let time: Int64 = 1_772_357_400_250_000_000
        #expect(Self.read("2026-03-01T09:30:00.25Z", .text) == time)
        #expect(Self.read("2026-03-01 10:30:00.25+01:00", .text) == time)
        #expect(Self.read("1772357400.25", .seconds) == time)
        #expect(Self.read("1772357400250", .milliseconds) == time)
        #expect(Self.read("1772357400250000", .microseconds) == time)
    }

    @Test(arguments: [
        "2026-03-01T09:30Z", "2026-03-01t09:30:00z", "20260301T093000Z", "20260301T0930Z",
        "2026-03-01 09:30", "2026-03-01T10:30+01:00", "2026-03-01T093000",
        "2026-03-01 10:30:00.000 +0100", "2026-03-01 09:30:00 Z", "2026-03-01 09:30:00 GMT",
        "2026-03-01 09:30:00 UTC", "2026-03-01 10:30:00 +01",
    ])
    func `rare forms are read too`(text: String) {
        #expect(Self.read(text, .text) == 1_772_357_400_000_000_000)
    }

    @Test func `a date without a time is read as the start of that day`() {
        #expect(Self.read("2026-03-01", .text) == 1_772_323_200_000_000_000)
    }

    @Test(arguments: [
        "20260301", "2026-03-01T", "2026-03-01T09", "2026-03-01T09:30.5", "2026/03/01 09:30:00",
    ])
    func `an ambiguous time is refused`(text: String) {
        #expect(Self.read(text, .text) == nil)
    }

    @Test(arguments: [
        "-1", "9223372036854775807", "-9223372036854775808", "9999999999999999999", "7258118400000",
        "1e300", "-1e18", "nan", "",
    ])
    func `a time that no event can have is refused`(text: String) {
        #expect(Self.read(text, .milliseconds) == nil)
    }

    @Test(arguments: [
        "2026-02-29T10:00:00Z", "2026-04-31", "2100-02-29T10:00:00Z", "2026-00-10", "2026-03-00",
        "2026-03-01T09:30:00+24:00", "2026-03-01T09:30:00+01:60",
    ])
    func `a day or a time zone that does not exist is refused`(text: String) {
        #expect(Self.read(text, .text) == nil)
    }

    @Test func `a leap day is accepted`() {
        #expect(Self.read("2024-02-29T00:00:00Z", .text) == 1_709_164_800_000_000_000)
        #expect(Self.read("2000-02-29", .text) == 951_782_400_000_000_000)
    }

    @Test func `years out of range are refused`() {
        #expect(Self.read("0000-01-01T00:00:00Z", .text) == nil)
        #expect(Self.read("9999-12-31T23:59:59Z", .text) == nil)
    }
}
