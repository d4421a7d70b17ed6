import PopTestSupport
import Testing

@testable import PopCEL

@Suite struct DurationTextTests {
    @Test(arguments: [
        ("0", 0), ("-0", 0), ("1ns", 1), ("-2us", -2000), ("3\u{B5}s", 3000), ("3\u{3BC}s", 3000),
        ("100ms", 100_000_000), ("1.5s", 1_500_000_000), ("+.5s", 500_000_000),
        ("1.s", 1_000_000_000), ("1h30m", 5_400_000_000_000), ("1m1ms", 60_001_000_000),
        ("1h34us", 3_600_000_034_000), ("0.1234567890123456789s", 123_456_789),
        ("9223372036.854775807s", Int64.max), ("-9223372036854775808ns", Int64.min),
    ])
    func `a duration is a sum of numbers with units`(text: String, nanoseconds: Int64) {
        #expect(DurationText.parse(text)?.wholeNanoseconds == nanoseconds)
    }

    @Test(arguments: [
        "", "1", "-", "s", ".s", "1d", "1 h", "1h ", "--1s", "1s-1s", "1e3s", "1,5s", "00",
        "9223372036854775808ns", "-9223372036854775809ns", "320000000000s", "2562048h",
        "99999999999999999999999999999999999999999h",
        "-9223372036854775808ns9223372036854775808ns",
    ])
    func `text that isn't a duration in range is refused`(text: String) {
        #expect(DurationText.parse(text) == nil)
    }

    @Test(arguments: [
        ("1h30m", "5400s"), ("1.5s", "1.5s"), ("-500ms", "-0.5s"), ("1m1ms", "60.001s"),
        ("0", "0s"), ("-1h", "-3600s"), ("1ns", "0.000000001s"), ("1000000s", "1000000s"),
    ])
    func `a duration is written in seconds`(text: String, written: String) throws {
        #expect(DurationText.format(try #require(DurationText.parse(text))) == written)
    }

    @Test func `a written duration is read back as the same duration`() {
        var random = SeededGenerator(seed: 2)
        for _ in 0..<1000 {
            let duration = Duration.nanoseconds(Int64.random(in: .min...(.max), using: &random))
            #expect(DurationText.parse(DurationText.format(duration)) == duration)
        }
    }

    @Test func `a sum or difference beyond an int64 of nanoseconds is an error`() {
        let most = Duration.nanoseconds(Int64.max)
        #expect(most.adding(.nanoseconds(1)) == nil)
        #expect(most.adding(.nanoseconds(-1)) == .nanoseconds(Int64.max - 1))
        #expect(Duration.nanoseconds(Int64.min).subtracting(.nanoseconds(1)) == nil)
        #expect(Duration.nanoseconds(Int64.min).negated == nil)
        #expect(most.negated == .nanoseconds(-Int64.max))
        #expect(Duration.seconds(Int64.max).adding(.seconds(Int64.max)) == nil)
    }
}
