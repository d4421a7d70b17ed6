import Foundation
import PopCEL
import PopEngine
import PopScheduler
import PopSource
import PopTestSupport
import PopTesting
import Testing

/// P17: while one thread reloaded or switched the user, all others waited.
@Suite struct `Rules that are being loaded (P17)` {
    private static let rules = """
        context: { n: { type: int, default: 0 } }
        events: { e: {} }
        popups:
          a:
            priority: high
            schedule: { hours: 09:00-17:00, zone: Europe/Berlin }
          b: { when: n == 3, trigger: [start, { event: e }] }
        """

    /// Reloads on a thread of its own, and stops in the middle of it while others call.
    private func whileReloading(_ body: (PopupEngine) -> Void) async throws -> PopupEngine {
        let rules = try RuleSet.parse(Self.rules)
        let zones = StandingZones()
        var options = EngineOptions()
        options.clock = VirtualClock()
        options.timeZones = zones.zones
        let engine = PopupEngine(rules: rules, presenter: IdlePresenter(), options: options)
        engine.start()
        zones.stand()
        Thread { engine.reload(rules) }.start()
        await zones.waitUntilAsked()
        body(engine)
        zones.goOn()
        while engine.isWorkingIn { await Task.yield() }
        try await engine.flush()
        return engine
    }

    @Test func `loading rules blocks no call, and the calls are handled in order afterwards (P17)`()
        async throws
    {
        let engine = try await whileReloading {
            #expect($0.context.set("n", to: 2).isTaken)
            #expect($0.context.set("n", to: "x").state == .refused)
            #expect($0.context.set("n", to: 3).isTaken)
            #expect($0.send("e").state == .waits)
            #expect($0.enqueue("nobody").state == .waits)
            // Reads still see the state before the reload.
            #expect($0.explain("b")?.reason == .conditionFalse)
        }
        #expect(engine.context["n"] == 3)
        #expect(engine.history.events["e"]?.count == 1)
        #expect(engine.showing == ["main": "b"] || engine.explain("b")?.reason == nil)
        await engine.stop()
    }

    @Test func `are followed by other rules in order`() async throws {
        let rules = try RuleSet.parse("popups: { c: { trigger: manual } }")
        let engine = try await whileReloading { engine in
            engine.reload(rules)
            #expect(engine.enqueue("c").state == .waits)
        }
        #expect(engine.explain("a") == nil)
        #expect(engine.explain("c")?.reason == nil)
        await engine.stop()
    }

    @Test func `are dropped by stop, after earlier calls`() async throws {
        let engine = try await whileReloading {
            #expect($0.send("e").state == .waits)
            $0.beginStop()
            #expect($0.send("e").state == .stopped)
        }
        await engine.stop()
        #expect(engine.history.events["e"]?.count == 1)
    }

}

/// Time zones that can be made to wait when they are asked.
private final class StandingZones: Sendable {
    private let isStanding = LockedValue(false)
    private let isAsked = LockedValue(false)
    private let release = DispatchSemaphore(value: 0)

    func stand() { isStanding.withLock { $0 = true } }
    func goOn() {
        isStanding.withLock { $0 = false }
        release.signal()
    }

    func waitUntilAsked() async {
        while !isAsked.withLock({ $0 }) { await Task.yield() }
    }

    var zones: TimeZones { TimeZones { _, _ in self.secondsFromUTC() } }

    private func secondsFromUTC() -> Int? {
        let isStanding = isStanding.withLock { isStanding in
            defer { isStanding = false }
            return isStanding
        }
        if isStanding {
            isAsked.withLock { $0 = true }
            release.wait()
        }
        return 3600
    }
}
