import Testing

@testable import PopRuleFiles

struct DurationTests {
    @Test(arguments: [
        ("300ms", 300), ("2s", 2_000), ("10m", 600_000), ("1h", 3_600_000), ("1d", 86_400_000),
        ("1h30m", 5_400_000), ("1d2h3m4s5ms", 93_784_005), ("0s", 0), ("007s", 7_000),
    ])
    func `units are read in their order`(_ text: String, _ length: Int64) {
        #expect(milliseconds(in: text) == length)
    }

    @Test(arguments: ["", "5", "s", "5x", "1m1h", "1s1s", "-1s", "1.5s", "1 s", "٣s", "1h 30m"])
    func `other strings are not durations`(_ text: String) {
        #expect(milliseconds(in: text) == nil)
    }

    @Test func `a duration that is too large for a number is the largest duration`() {
        #expect(milliseconds(in: "99999999999999999999d") == Int64.max)
        #expect(milliseconds(in: "9223372036854775807ms") == Int64.max)
        #expect(milliseconds(in: "106751991167300d17h") == Int64.max)
    }

    @Test(arguments: ["300ms", "2s", "1h30m", "1d2h3m4s5ms", "0s"])
    func `a duration is written as it is read`(_ text: String) {
        #expect(durationText(.milliseconds(milliseconds(in: text) ?? -1)) == text)
    }
}
