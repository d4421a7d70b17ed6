import Testing

@testable import PopCEL

@Suite struct CalendarFieldTests {
    private func fields(_ text: String, zone: String? = nil) throws -> [Int64] {
        let instant = try #require(Timestamp(parsing: text))
        let calendar = try #require(LocalCalendar(zone: zone, zones: .system))
        return CalendarField.allCases.map { $0.value(of: instant, in: calendar) }
    }

    @Test func `every field is read in UTC when no zone is given`() throws {
        #expect(
            try fields("2009-02-13T23:31:20.123456789Z")
                == [2009, 1, 13, 12, 5, 43, 23, 31, 20, 123])
    }

    @Test func `a named zone and a fixed offset change the local time`() throws {
        #expect(
            try fields("2009-02-13T23:31:30Z", zone: "Australia/Sydney").prefix(3) == [2009, 1, 14])
        #expect(
            try fields("2009-02-13T02:00:00Z", zone: "America/St_Johns")
                == [2009, 1, 12, 11, 4, 42, 22, 30, 0, 0])
        #expect(try fields("2009-02-13T02:00:00Z", zone: "-02:30")[2...3] == [12, 11])
        #expect(try fields("2009-02-13T23:31:30Z", zone: "02:00")[6] == 1)
        #expect(try fields("2009-02-13T23:31:30Z", zone: "Asia/Kathmandu")[7] == 16)
    }

    @Test func `fields are continuous before 1970`() throws {
        #expect(
            try fields("0001-01-01T00:00:00Z") == [1, 0, 1, 0, 1, 0, 0, 0, 0, 0])
        #expect(
            try fields("1969-12-31T23:59:59.999Z") == [1969, 11, 31, 30, 3, 364, 23, 59, 59, 999])
    }

    @Test(arguments: ["", "Mars/Olympus", "+2:00", "24:00", "+02:60", "+02", "GMT+02:00", "+0२:00"])
    func `an unknown zone is an error`(zone: String) {
        #expect(LocalCalendar(zone: zone, zones: .system) == nil)
    }

    @Test func `durations have hours to seconds as totals, and milliseconds as a remainder`() {
        let duration = Duration.seconds(10_000) + .nanoseconds(321_456_789)
        let values = CalendarField.allCases.map { $0.value(of: duration) }
        #expect(values == [nil, nil, nil, nil, nil, nil, 2, 166, 10_000, 321])
        #expect(
            CalendarField.allCases.filter(\.appliesToDurations)
                == CalendarField.allCases.filter { $0.value(of: duration) != nil })
        #expect(CalendarField.hours.value(of: .zero - duration) == -2)
    }
}
