import PopScheduler
import Testing

@Suite struct `A duration in readable form` {
    @Test(arguments: [
        (0, "0s"), (500, "0.5s"), (4_500, "4.5s"), (4_050, "4.05s"), (125_000, "2m 5s"),
        (86_407_000, "1d 7s"), (3_600_000, "1h"), (90_061_001, "1d 1h 1m 1.001s"), (-2_000, "-2s"),
    ])
    func `is exact`(milliseconds: Int, text: String) {
        #expect(timeText(.milliseconds(milliseconds)) == text)
    }

    @Test func `is exact for the longest possible duration`() {
        #expect(timeText(.seconds(Int64.max)) == "106751991167300d 15h 30m 7s")
        #expect(timeText(.seconds(Int64.min + 1)) == "-106751991167300d 15h 30m 7s")
    }
}
