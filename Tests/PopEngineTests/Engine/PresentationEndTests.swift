import PopEngine
import PopScheduler
import PopTestSupport
import PopTesting
import Testing

/// E2: the presenter got no report of endings that it wasn't asked for.
@MainActor
@Suite struct `The presenter is notified of an end` {
    private let presenter = EndPresenter()
    private let clock = VirtualClock()

    private func engine() throws -> PopupEngine {
        var options = EngineOptions()
        options.clock = clock
        return PopupEngine(
            rules: try .parse(
                """
                popups:
                  low: { trigger: manual, priority: low, switch: latent }
                  high: { trigger: manual, priority: high }
                """), presenter: presenter, options: options)
    }

    /// Returns when the engine waits for nothing but the presenter.
    private func settle(_ engine: PopupEngine, open: Int = 0) async {
        while engine.openWork > open { await Task.yield() }
    }

    @Test func `once per presentation, in order, whatever ended it (E2)`() async throws {
        let engine = try engine()
        engine.start()
        engine.enqueue("low")
        await settle(engine)
        engine.enqueue("high")
        await settle(engine)
        engine.didDisappear("high")
        await settle(engine)
        engine.dismiss("low")
        await settle(engine)
        presenter.fails = true
        engine.enqueue("high")
        await settle(engine)
        #expect(
            presenter.calls == [
                "present low", "dismiss low", "ended low", "present high", "ended high",
                "present low", "dismiss low", "ended low", "present high", "ended high",
            ])
        #expect(engine.isEmpty)
    }

    @Test func `even if its animation takes too long (E2)`() async throws {
        let engine = try engine()
        engine.start()
        engine.enqueue("high")
        await settle(engine)
        presenter.hangs = true
        engine.dismiss("high")
        await settle(engine, open: 1)
        clock.advance(by: .seconds(10))
        engine.wakeUp()
        await settle(engine, open: 1)
        #expect(presenter.calls == ["present high", "dismiss high", "ended high"])
        presenter.goOn()
        await settle(engine)
        #expect(presenter.calls.count == 3 && engine.isEmpty)
    }
}

@MainActor
private final class EndPresenter: Presenter {
    struct Failure: Error {}

    var calls: [String] = []
    var fails = false
    var hangs = false
    private var hanging: CheckedContinuation<Void, Never>?

    func present(_ popup: Popup) async throws {
        calls.append("present \(popup.id)")
        if fails { throw Failure() }
    }

    func dismiss(_ popup: Popup) async {
        calls.append("dismiss \(popup.id)")
        if hangs { await withCheckedContinuation { hanging = $0 } }
    }

    func ended(_ popup: Popup) { calls.append("ended \(popup.id)") }

    func goOn() {
        hanging?.resume()
        hanging = nil
    }
}
