import Foundation
import PopCEL
import PopEngine
import PopScheduler
import PopSource

/// An engine that goes through any number of inputs on a clock of its own, and may not grow with
/// them.
@MainActor
struct MemoryLoad {
    /// The most that the process may grow over the last three quarters of the inputs, in bytes.
    static let allowance = 16 << 20

    private let clock = SteppingClock()
    private let engine: PopupEngine

    static func problems(inputs: Int) async throws -> [String] {
        try await MemoryLoad().run(inputs)
    }

    private init() async throws {
        var options = EngineOptions()
        options.clock = clock
        options.seed = 1
        // Reached early, so that what comes after shows whether they hold.
        options.limits.datesPerEvent = 100
        options.limits.datesPerPopup = 100
        engine = await PopupEngine(
            rules: try LoadRules.make(), presenter: MemoryPresenter(), user: "u0",
            history: MemoryHistoryStore(), options: options)
        engine.start()
    }

    private func run(_ inputs: Int) async -> [String] {
        var before = 0
        for input in 0..<inputs {
            if input == inputs / 4 { before = Self.peak }
            call(input)
            // A caller that is faster than the engine would fill its list of work.
            if input.isMultiple(of: 64) { await settle() }
        }
        await settle()
        let shown = engine.history.popups.values.map(\.shownCount).reduce(0, +)
        let growth = Self.peak - before
        print(
            "\(inputs) inputs, \(shown) popups shown, \(Self.peak >> 20) MiB, of which the last "
                + "three quarters \(growth >> 10) KiB")
        await engine.stop()
        var problems: [String] = []
        if shown * 200 < inputs { problems.append("only \(shown) popups were shown") }
        if growth > Self.allowance { problems.append("the process grew by \(growth) bytes") }
        return problems
    }

    private func settle() async { while engine.openWork > 0 { await Task.yield() } }

    private func call(_ number: Int) {
        let popup = ["a", "b", "c", "d", "e", "tally", "hand"][number / 7 % 7]
        switch number % 13 {
        case 0, 1: engine.context["n"] = number % 50
        case 2: engine.context["ok"] = number % 3 != 0
        case 3: engine.send("e", ["total": .double(Double(number % 10))])
        case 4: engine.enqueue(popup)
        case 5, 6: engine.userClosed(popup)
        case 7 where number % 5 == 0: engine.remove(popup)
        case 8:
            var alert = ForeignPopup(id: "f\(number % 100)")
            alert.hideAfter = .milliseconds(1)
            engine.enqueue(alert)
        case 9 where number % 1000 == 9: engine.suspend(scheduler: "toast")
        case 10: engine.resume()
        default:
            clock.advance(by: .milliseconds(3))
            engine.wakeUp()
        }
    }

    /// The most memory that the process has had, in bytes.
    private static var peak: Int {
        var usage = rusage()
        #if os(Linux)
            let isKnown = unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage) == 0
            return isKnown ? usage.ru_maxrss * 1024 : 0
        #else
            return unsafe getrusage(RUSAGE_SELF, &usage) == 0 ? usage.ru_maxrss : 0
        #endif
    }
}

@MainActor
private final class MemoryPresenter: Presenter {
    func present(_ popup: Popup) async {}
    func dismiss(_ popup: Popup) async {}
}

/// A clock that is moved by its owner, who also wakes the engine.
private final class SteppingClock: MomentClock {
    private let moment = LockedValue(
        Moment(instant: .zero, date: Timestamp(seconds: 1_767_225_600)))

    var now: Moment { moment.withLock { $0 } }

    func advance(by duration: Duration) { moment.withLock { $0 = $0.advanced(by: duration) } }

    func sleep(until instant: Duration) async throws {
        // Until it is cancelled.
        let (never, continuation) = AsyncStream.makeStream(of: Void.self)
        for await _ in never {}
        continuation.finish()
    }
}
