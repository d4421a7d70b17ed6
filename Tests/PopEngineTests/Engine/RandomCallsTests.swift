import PopCEL
import PopEngine
import PopScheduler
import PopTestSupport
import PopTesting
import Testing

@MainActor
@Suite struct `Random calls to an engine` {
    private static let rules = """
        schedulers: { main: { gap: [100ms, 2s] }, toast: { strategy: fifo, max_waiting: 3 } }
        context: { n: { type: int, default: 0 }, ok: { type: bool, default: true } }
        events: { e: { total: double } }
        popups:
          a: { priority: high, when: n % 2 == 0, min_show: 1s, hide_after: 4s, trigger: [start, { changed: n }] }
          b: { switch: latent, grace: 300ms, dismiss_when: n > 40, trigger: [start, { event: e }] }
          c: { switch: discard, untriggered: discard, delay: 1s, trigger: [manual, { event: e, where: event.total > 5.0 }] }
          d: { scheduler: toast, when: ok, max_wait: 5s, hide_after: 1s, trigger: [manual, { event: e, every: 3 }] }
          e: { scheduler: toast, after: [d], cap: { windows: [{ max: 3, per: 1m }] }, trigger: [manual, { changed: ok }] }
        """

    /// Plays random calls and returns their results, as far as they are visible from outside.
    private func play(seed: UInt64) async throws -> (
        calls: [RecordingPresenter.Call], log: [String]
    ) {
        let driver = EngineDriver(rules: try .parse(Self.rules), seed: seed)
        driver.presenter.animation = .milliseconds(200)
        driver.presenter.answers = ["c": .postpone(.seconds(1))]
        var generator = SeededGenerator(seed: seed)
        await driver.start()
        for _ in 0..<150 {
            try call(driver.engine, &generator)
            await driver.advance(by: .milliseconds(Int.random(in: 0...1500, using: &generator)))
            for (scheduler, screen) in driver.presenter.screen {
                try #require(screen.count <= 1, "\(screen) on \(scheduler)")
            }
        }
        driver.engine.removeAll()
        driver.engine.suspend()
        await driver.advance(by: .seconds(10))
        #expect(driver.engine.isEmpty)
        let left = driver.presenter.screen.values.flatMap { $0 }
        #expect(left.isEmpty)
        return (driver.presenter.calls, driver.hostEvents.map { "\($0)" })
    }

    private func call(_ engine: PopupEngine, _ generator: inout SeededGenerator) throws {
        let popup = ["a", "b", "c", "d", "e", "f"].randomElement(using: &generator) ?? "a"
        let number = Int.random(in: 0...50, using: &generator)
        switch Int.random(in: 0..<12, using: &generator) {
        case 0, 1: engine.context["n"] = number
        case 2: engine.context["ok"] = number > 25
        case 3, 4: engine.send("e", ["total": .double(Double(number) / 4)])
        case 5: engine.enqueue(popup)
        case 6: engine.dismiss(popup)
        case 7: engine.remove(popup)
        case 8: engine.userClosed(popup)
        case 9: engine.enqueue(ForeignPopup(id: "f", priority: number)) { $0["ok"] ?? true }
        case 10: engine.suspend(scheduler: "toast")
        default: engine.resume()
        }
    }

    @Test(arguments: 1...4) func `with the same seed end in the same state`(seed: UInt64)
        async throws
    {
        let first = try await play(seed: seed)
        let second = try await play(seed: seed)
        #expect(first.calls == second.calls)
        #expect(first.log == second.log)
        #expect(first.calls.count > 20)
    }
}
