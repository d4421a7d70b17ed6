import PopEngine
import PopScheduler
import Testing

@testable import PopCommand

@Suite struct `The clock of play` {
    @Test func `wakes sleeping tasks when it is moved on`() async throws {
        let clock = SkippingClock()
        let sleeper = Task { try await clock.sleep(until: .seconds(3600)) }
        clock.skip(by: .seconds(1800))
        clock.skip(by: .seconds(1801))
        try await sleeper.value
        #expect(clock.now.instant >= .seconds(3600))
        #expect(clock.skipped == .seconds(3601))
    }

    @Test func `releases cancelled tasks`() async {
        let clock = SkippingClock()
        let sleeper = Task { try await clock.sleep(until: .seconds(3600)) }
        sleeper.cancel()
        await #expect(throws: CancellationError.self) { try await sleeper.value }
    }

    @Test func `is moved neither back nor beyond the calendar`() {
        let clock = SkippingClock()
        clock.skip(by: .seconds(-5))
        #expect(clock.skipped == .zero)
        for _ in 1...3 { clock.skip(by: .seconds(Int64.max)) }
        #expect(clock.skipped == SkippingClock.longestSkip)
    }
}
