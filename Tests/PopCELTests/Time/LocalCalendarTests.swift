import PopTestSupport
import Testing

@testable import PopCEL

@Suite struct LocalCalendarTests {
    private func calendar(_ zone: String) throws -> LocalCalendar {
        try #require(LocalCalendar(zone: zone, zones: .system))
    }

    private func at(_ text: String) throws -> Timestamp { try #require(Timestamp(parsing: text)) }

    @Test func `a day starts at local midnight`() throws {
        let berlin = try calendar("Europe/Berlin")
        #expect(
            berlin.startOfDay(at: try at("2026-07-01T21:59:59Z"))
                == (try at("2026-06-30T22:00:00Z")))
        #expect(
            berlin.startOfDay(at: try at("2026-07-01T22:00:00Z"))
                == (try at("2026-07-01T22:00:00Z")))
        // The day on which summer time begins is 23 hours long, the one on which it ends 25.
        #expect(
            berlin.startOfDay(at: try at("2026-03-29T21:59:00Z"))
                == (try at("2026-03-28T23:00:00Z")))
        #expect(
            berlin.startOfDay(at: try at("2026-10-25T22:59:00Z"))
                == (try at("2026-10-24T22:00:00Z")))
    }

    @Test func `a day may be given by its number`() throws {
        let berlin = try calendar("Europe/Berlin")
        #expect(berlin.start(ofDay: 20_758) == (try at("2026-10-31T23:00:00Z")))
    }

    @Test func `a week starts on Monday`() throws {
        let berlin = try calendar("Europe/Berlin")
        let monday = try at("2026-10-18T22:00:00Z")
        #expect(berlin.civil(at: monday).dayOfISOWeek == 0)
        #expect(berlin.startOfWeek(at: monday) == monday)
        #expect(berlin.startOfWeek(at: try at("2026-10-25T22:59:59Z")) == monday)
        #expect(
            berlin.startOfWeek(at: try at("2026-10-25T23:00:00Z"))
                == (try at("2026-10-25T23:00:00Z")))
    }

    @Test func `a day whose midnight is skipped starts when clocks are put forward`() throws {
        let paulo = try calendar("America/Sao_Paulo")
        let change = try at("2018-11-04T03:00:00Z")
        #expect(paulo.civil(at: change).hour == 1)
        #expect(paulo.startOfDay(at: try at("2018-11-04T12:00:00Z")) == change)
    }

    @Test func `a day with two midnights starts at the first midnight`() throws {
        // On 2026-11-01 clocks in Havana go from 01:00 back to 00:00.
        let havana = try calendar("America/Havana")
        #expect(
            havana.startOfDay(at: try at("2026-11-01T12:00:00Z"))
                == (try at("2026-11-01T04:00:00Z")))
        #expect(
            havana.startOfDay(at: try at("2026-11-01T05:30:00Z"))
                == (try at("2026-11-01T04:00:00Z")))
    }

    @Test func `the next time of day is today or tomorrow`() throws {
        let berlin = try calendar("Europe/Berlin")
        let nine = 9 * 60
        #expect(
            berlin.next(minuteOfDay: nine, after: try at("2026-01-10T07:59:59Z"))
                == (try at("2026-01-10T08:00:00Z")))
        #expect(
            berlin.next(minuteOfDay: nine, after: try at("2026-01-10T08:00:00Z"))
                == (try at("2026-01-11T08:00:00Z")))
        #expect(
            berlin.next(minuteOfDay: 1440, after: try at("2026-01-10T08:00:00Z"))
                == (try at("2026-01-10T23:00:00Z")))
        #expect(
            berlin.next(minuteOfDay: 0, after: try at("2026-01-10T08:00:00Z"))
                == (try at("2026-01-10T23:00:00Z")))
    }

    @Test func `a local time that is skipped counts at the change of the clocks`() throws {
        let berlin = try calendar("Europe/Berlin")
        let change = try at("2026-03-29T01:00:00Z")
        #expect(berlin.next(minuteOfDay: 150, after: try at("2026-03-28T12:00:00Z")) == change)
        #expect(berlin.next(minuteOfDay: 150, after: change) == (try at("2026-03-30T00:30:00Z")))
    }

    @Test func `a local time that occurs twice counts both times`() throws {
        let berlin = try calendar("Europe/Berlin")
        let first = berlin.next(minuteOfDay: 150, after: try at("2026-10-24T12:00:00Z"))
        #expect(first == (try at("2026-10-25T00:30:00Z")))
        #expect(berlin.next(minuteOfDay: 150, after: first) == (try at("2026-10-25T01:30:00Z")))
    }

    @Test func `a day that a zone never had is skipped`() throws {
        // Samoa went from the 29th to the 31st of December 2011.
        let apia = try calendar("Pacific/Apia")
        let last = try at("2011-12-30T09:59:59Z")
        #expect(apia.civil(at: last).day == 29)
        #expect(
            apia.startOfDay(at: try at("2011-12-30T10:00:00Z")) == (try at("2011-12-30T10:00:00Z")))
        #expect(apia.next(minuteOfDay: 0, after: last) == (try at("2011-12-30T10:00:00Z")))
    }

    @Test func `results at the ends of time are the bounds`() throws {
        let berlin = try calendar("+02:00")
        #expect(berlin.next(minuteOfDay: 0, after: .max) == .max)
        #expect(berlin.startOfDay(at: .min) == .min)
        #expect(berlin.startOfWeek(at: .min) == .min)
        #expect(berlin.start(ofDay: .max) == .max)
        #expect(berlin.start(ofDay: .min) == .min)
        #expect(
            LocalCalendar.utc.next(minuteOfDay: 1, after: .min).seconds == Timestamp.min.seconds
                + 60)
    }

    @Test func `every instant is between the start and the end of its day`() throws {
        var random = SeededGenerator(seed: 3)
        for zone in ["Europe/Berlin", "America/Havana", "Australia/Lord_Howe", "+05:45"] {
            let calendar = try calendar(zone)
            for _ in 0..<200 {
                let seconds = Int64.random(in: 0...2_000_000_000, using: &random)
                let instant = Timestamp(seconds: seconds)
                let start = calendar.startOfDay(at: instant)
                #expect(start <= instant)
                #expect(
                    calendar.civil(at: start).dayNumber == calendar.civil(at: instant).dayNumber)
                let minute = Int.random(in: 0..<1440, using: &random)
                let next = calendar.next(minuteOfDay: minute, after: instant)
                #expect(next > instant)
                #expect(next.duration(since: instant) <= .seconds(26 * 3600))
            }
        }
    }
}
