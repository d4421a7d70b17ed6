import PopTestSupport
import Testing

@testable import PopCEL

@Suite struct TimestampTests {
    @Test func `a timestamp is read from RFC 3339 text and printed back in UTC`() throws {
        let winter = try #require(Timestamp(parsing: "2009-02-13T23:31:30Z"))
        #expect(winter.seconds == 1_234_567_890)
        #expect(winter.description == "2009-02-13T23:31:30Z")
        let offset = try #require(Timestamp(parsing: "2023-08-26T12:39:00.25-07:00"))
        #expect(offset.description == "2023-08-26T19:39:00.25Z")
        #expect(Timestamp(parsing: "1969-12-31T23:59:59.5Z")?.seconds == -1)
        #expect(Timestamp(parsing: "2000-01-01T00:00:00.1234567899Z")?.nanoseconds == 123_456_789)
    }

    @Test(arguments: [
        "", "2009", "2009-02-13", "2009-02-13T23:31Z", "2009-02-13 23:31:30Z",
        "2009-02-13T23:31:30", "2009-02-13T23:31:30.Z", "2009-02-29T00:00:00Z",
        "2009-13-01T00:00:00Z", "2009-00-01T00:00:00Z", "2009-01-00T00:00:00Z",
        "2009-01-01T24:00:00Z", "2009-01-01T00:60:00Z", "2016-12-31T23:59:60Z",
        "2009-01-01T00:00:00Zx", "2009-01-01T00:00:00+1:00", "2009-01-01T00:00:00+24:00",
        "0000-12-31T23:59:59Z", "0001-01-01T00:00:00+00:01", "9999-12-31T23:59:59-00:01",
        "10000-01-01T00:00:00Z", "-001-01-01T00:00:00Z", "２009-01-01T00:00:00Z",
    ])
    func `text that isn't a timestamp in range is refused`(text: String) {
        #expect(Timestamp(parsing: text) == nil)
    }

    @Test func `subtracting a duration beyond all time gives no timestamp`() throws {
        let now = try #require(Timestamp(parsing: "2026-01-01T00:00:00Z"))
        #expect(now.subtracting(.seconds(Int64.max) * 8) == nil)
        #expect(now.subtracting(.seconds(Int64.min) * 8) == nil)
        #expect(now.subtracting(.seconds(86_400))?.description == "2025-12-31T00:00:00Z")
    }

    @Test func `the bounds are the years 1 and 9999`() {
        #expect(Timestamp.min.description == "0001-01-01T00:00:00Z")
        #expect(Timestamp.max.description == "9999-12-31T23:59:59.999999999Z")
        #expect(Timestamp(parsing: Timestamp.min.description) == .min)
        #expect(Timestamp(parsing: Timestamp.max.description) == .max)
        #expect(Timestamp(seconds: -62_135_596_801, nanoseconds: 1) == .min)
        #expect(Timestamp(seconds: 253_402_300_800) == .max)
        #expect(Timestamp(inRange: -62_135_596_801, nanoseconds: 999_999_999) == nil)
        #expect(Timestamp(inRange: 253_402_300_800) == nil)
    }

    @Test func `adding a duration carries nanoseconds in both directions`() throws {
        let early = try #require(Timestamp(parsing: "0001-01-01T00:00:01.000000001Z"))
        let sum = early.adding(.nanoseconds(-999_999_999))
        #expect(sum?.description == "0001-01-01T00:00:00.000000002Z")
        #expect(early.subtracting(.seconds(1))?.nanoseconds == 1)
        let later = try #require(Timestamp(parsing: "2001-01-01T00:00:00Z"))
        #expect(later.duration(since: early).checked == nil)
        #expect(later.duration(since: Timestamp(seconds: 0)) == .seconds(978_307_200))
    }

    @Test func `a sum out of range is an error`() {
        #expect(Timestamp.max.adding(.nanoseconds(1)) == nil)
        #expect(Timestamp.min.adding(.nanoseconds(-1)) == nil)
        #expect(Timestamp.min.subtracting(.nanoseconds(1)) == nil)
        #expect(Timestamp.max.adding(.seconds(Int64.max)) == nil)
        #expect(Timestamp.min.subtracting(.seconds(Int64.max)) == nil)
    }

    @Test func `a date survives conversion to seconds and back`() {
        var random = SeededGenerator(seed: 1)
        for _ in 0..<2000 {
            let seconds = Int64.random(
                in: Timestamp.min.seconds...Timestamp.max.seconds, using: &random)
            let civil = CivilTime(seconds: seconds)
            #expect(civil.seconds == seconds)
            #expect((1...CivilTime.days(inMonth: civil.month, of: civil.year)).contains(civil.day))
            let next = CivilTime(seconds: seconds + CivilTime.secondsPerDay)
            #expect(next.dayOfWeek == (civil.dayOfWeek + 1) % 7)
            #expect(next.dayOfYear == civil.dayOfYear + 1 || next.dayOfYear == 0)
        }
    }
}
