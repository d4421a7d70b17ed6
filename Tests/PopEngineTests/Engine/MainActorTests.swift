import Foundation
import PopEngine
import PopScheduler
import PopTestSupport
import PopTesting
import Testing

/// P10: a host whose main queue never ran waited silently forever after `willShow`.
@Suite struct `A main actor that doesn't respond` {
    @Test
    func `a blocked main actor is reported twice and explained, then the popup shows (P10)`()
        async throws
    {
        let clock = VirtualClock()
        var options = EngineOptions()
        options.clock = clock
        let engine = PopupEngine(
            rules: try .parse("popups: { a: {} }"), presenter: IdlePresenter(),
            options: options)
        var events = engine.events.makeAsyncIterator()

        let (isBlocked, block) = AsyncStream.makeStream(of: Void.self)
        let release = DispatchSemaphore(value: 0)
        let blocking = Task { @MainActor in
            block.yield()
            stand(until: release)
        }
        for await _ in isBlocked { break }
        engine.start()
        try await next(in: &events) { if case .scheduler(.willShow) = $0 { true } else { false } }
        // The waking that notices it is set when the main actor is asked.
        while engine.nextSilence == nil { await Task.yield() }
        clock.advance(by: .seconds(9))
        #expect(engine.explain("a")?.standstill == nil)
        clock.advance(by: .seconds(1))
        try await next(in: &events) {
            if case .mainActorBlocked(let since) = $0 { since.instant == .zero } else { false }
        }
        #expect(engine.explain("a")?.standstill?.contains("main queue") == true)

        release.signal()
        // In either order: the presenter's answer may be handled before the main actor's is
        // reported.
        var isFree = false
        var isShown = false
        try await next(in: &events) {
            if case .mainActorFree = $0 { isFree = true }
            if case .scheduler(.shown) = $0 { isShown = true }
            return isFree && isShown
        }
        #expect(engine.explain("a")?.standstill == nil)
        await blocking.value
        await engine.stop()
    }

    @Test func `does not prevent stopping an engine (P10)`() async throws {
        var options = EngineOptions()
        options.clock = VirtualClock()
        let engine = PopupEngine(
            rules: try .parse("popups: { a: {} }"), presenter: IdlePresenter(), options: options)
        let (isBlocked, block) = AsyncStream.makeStream(of: Void.self)
        let release = DispatchSemaphore(value: 0)
        let blocking = Task { @MainActor in
            block.yield()
            stand(until: release)
        }
        for await _ in isBlocked { break }
        engine.start()
        while engine.nextSilence == nil { await Task.yield() }
        await engine.stop()
        release.signal()
        await blocking.value
    }

    /// Reads on until an event is of the kind.
    private func next(
        in events: inout EngineEvents.AsyncIterator, where isMeant: (EngineEvent.Kind) -> Bool
    ) async throws {
        while let event = await events.next() { if isMeant(event.kind) { return } }
        Issue.record("the events ended")
    }
}

/// Blocks the thread that asks.
private func stand(until release: DispatchSemaphore) { release.wait() }
