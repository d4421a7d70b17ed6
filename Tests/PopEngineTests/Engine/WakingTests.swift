import PopEngine
import PopScheduler
import PopSource
import PopTestSupport
import PopTesting
import Testing

@MainActor
@Suite struct `The timer of an engine` {
    @Test func `the timer leaves no sleeping task for each input`() async throws {
        let clock = CountingClock()
        let presenter = RecordingPresenter(clock: clock.inner)
        var options = EngineOptions()
        options.clock = clock
        let engine = PopupEngine(
            rules: try .parse("popups: { a: { trigger: manual, hide_after: 10s } }"),
            presenter: presenter, options: options)
        engine.start()
        for round in 1...100 {
            engine.enqueue("a")
            while engine.openWork > 0 { await Task.yield() }
            clock.inner.advance(by: .milliseconds(10))
            engine.userClosed("a")
            while engine.openWork > 0 { await Task.yield() }
            #expect(presenter.calls.count == 3 * round)
        }
        // Each presentation has a time limit of ten seconds and is then shown for ten: every later
        // waking can wait.
        while clock.sleeps == 0 { await Task.yield() }
        #expect(clock.sleeps == 1)
        await engine.stop()
    }

    @Test func `the timer fires earlier if something earlier is due`() async throws {
        let clock = VirtualClock()
        let presenter = RecordingPresenter(clock: clock)
        var options = EngineOptions()
        options.clock = clock
        let engine = PopupEngine(
            rules: try .parse(
                """
                schedulers: { main: {}, toast: {} }
                popups:
                  long: { hide_after: 1h }
                  short: { scheduler: toast, trigger: manual, hide_after: 1s }
                """),
            presenter: presenter, options: options)
        engine.start()
        while engine.openWork > 0 { await Task.yield() }
        engine.enqueue("short")
        while engine.openWork > 0 { await Task.yield() }
        clock.advance(by: .seconds(1))
        // Nobody but its own waking tells the engine.
        while engine.showing["toast"] != nil { await Task.yield() }
        #expect(engine.showing == ["main": "long"])
        await engine.stop()
    }
}

/// Counts who sleeps.
private final class CountingClock: MomentClock {
    let inner = VirtualClock()
    private let count = LockedValue(0)
    var sleeps: Int { count.withLock { $0 } }

    var now: Moment { inner.now }

    func sleep(until instant: Duration) async throws {
        count.withLock { $0 += 1 }
        try await inner.sleep(until: instant)
    }
}
