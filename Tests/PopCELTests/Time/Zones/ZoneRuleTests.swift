import Testing

@testable import PopCEL

@Suite struct ZoneRuleTests {
    private func rule(_ text: String) throws -> ZoneRule {
        try #require(ZoneRule(parsing: text.utf8), "\(text)")
    }

    private func at(_ text: String) throws -> Int64 {
        try #require(Timestamp(parsing: text)).seconds
    }

    /// The offset in the second before a change, and from it on.
    private func around(_ time: String, _ rule: String) throws -> [Int32] {
        let time = try at(time)
        return [time - 1, time].map(try self.rule(rule).offset)
    }

    @Test func `without summer time the offset never changes`() throws {
        #expect(try rule("JST-9").offset(at: .max) == 32_400)
        #expect(try rule("<-03>3").offset(at: .min) == -10_800)
        #expect(try rule("<+0545>-5:45").offset(at: 0) == 20_700)
        #expect(try rule("LMT+0:01:15").offset(at: 0) == -75)
    }

    @Test func `a change is on the last or nth weekday of a month, or on a day of the year`() throws
    {
        let berlin = "CET-1CEST,M3.5.0,M10.5.0/3"
        #expect(try around("2026-03-29T01:00:00Z", berlin) == [3600, 7200])
        #expect(try around("2026-10-25T01:00:00Z", berlin) == [7200, 3600])
        #expect(try around("2500-03-28T01:00:00Z", berlin) == [3600, 7200])
        let newYork = "EST5EDT,M3.2.0,M11.1.0"
        #expect(try around("2026-03-08T07:00:00Z", newYork) == [-18_000, -14_400])
        #expect(try around("2026-11-01T06:00:00Z", newYork) == [-14_400, -18_000])
        // The 60th day is the 1st of March, but with the leap day counted the 29th of February.
        #expect(try around("2028-03-01T02:00:00Z", "AAA0BBB,J60,J300") == [0, 3600])
        #expect(try around("2028-02-29T02:00:00Z", "AAA0BBB,59,299") == [0, 3600])
        #expect(try around("2027-03-01T02:00:00Z", "AAA0BBB,59,299") == [0, 3600])
    }

    @Test func `south of the equator the year starts in summer time`() throws {
        let hobart = "AEST-10AEDT,M10.1.0,M4.1.0/3"
        #expect(try rule(hobart).offset(at: at("2027-01-01T00:00:00Z")) == 39_600)
        #expect(try around("2027-04-03T16:00:00Z", hobart) == [39_600, 36_000])
    }

    @Test func `in Ireland winter time is the exception`() throws {
        let dublin = "IST-1GMT0,M10.5.0,M3.5.0/1"
        #expect(try around("2026-10-25T01:00:00Z", dublin) == [3600, 0])
        #expect(try around("2027-03-28T01:00:00Z", dublin) == [0, 3600])
    }

    @Test func `a change may be hours before or after its day`() throws {
        // Thursday before the last Sunday in March: 50 hours after the 4th Thursday in Gaza.
        let gaza = "EET-2EEST,M3.4.4/50,M10.4.4/50"
        #expect(try around("2027-03-27T00:00:00Z", gaza) == [7200, 10_800])
        let nuuk = "<-02>2<-01>,M3.5.0/-1,M10.5.0/0"
        #expect(try around("2027-03-28T01:00:00Z", nuuk) == [-7200, -3600])
        // A week after the last day of the year, and before the first.
        let odd = "AAA0BBB,J365/167,M1.1.0/-167"
        #expect(try around("2027-01-06T23:00:00Z", odd) == [0, 3600])
    }

    @Test func `summer time may never end`() throws {
        let always = try rule("XXX3EDT4,0/0,J365/23")
        for time in [try at("2026-01-01T03:00:00Z"), try at("2026-12-31T23:59:59Z"), .min, .max] {
            #expect(always.offset(at: time) == -14_400)
        }
    }

    @Test(arguments: [
        "", "CE-1", "CET", "CET-1CEST", "CET-1CEST,M3.5.0", "CET-1CEST,M3.5.0,M10.5.0/3,", "CET-25",
        "CET-1:60", "CET-1:5:", "<CET-1", "<C>-1", "CET-1CEST,M13.1.0,M1.1.0",
        "CET-1CEST,M3.6.0,M10.5.0", "CET-1CEST,M3.5.7,M10.5.0", "CET-1CEST,J0,J365",
        "CET-1CEST,366,0", "CET-1CEST,0/168,1", "CET-1CEST,M3.5.0,M10.5.0 ", "C3T-1",
        "CET-99999999999999999999", "CET--1", "CET-1CEST,,",
    ])
    func `other strings are not valid rules`(text: String) {
        #expect(ZoneRule(parsing: text.utf8) == nil)
    }
}
