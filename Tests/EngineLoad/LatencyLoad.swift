import Foundation
import PopEngine
import PopScheduler
import PopSource

/// Measures how long a write of the context waits while another thread reloads rules with many
/// popups or switches the user. Prints figures without comparing them with a limit.
@MainActor
struct LatencyLoad {
    private let engine: PopupEngine
    private let rules: RuleSet

    static func measure(popups: Int) async {
        let load = await LatencyLoad(popups: popups)
        await load.report("reload") { engine, rules in
            engine.reload(rules)
        }
        await load.report("switchUser") { engine, _ in
            await engine.switchUser("u\(UInt64.random(in: 0...9))")
        }
        await load.engine.stop()
    }

    private init(popups: Int) async {
        rules = RuleSet(
            keys: [ContextKey(name: "n", type: .int, defaultValue: 0, at: Self.nowhere)],
            popups: (0..<popups).map { PopupRule(id: "popup\($0)", at: Self.nowhere) })
        engine = await PopupEngine(
            rules: rules, presenter: SilentPresenter(), user: "u0", history: MemoryHistoryStore())
        engine.start()
    }

    private static let nowhere = SourceRange(file: FileID(index: 0), 0..<0)

    /// Calls ten times from another thread, and meanwhile writes on this one.
    private func report(
        _ name: String,
        _ call: @escaping @Sendable (PopupEngine, RuleSet) async -> Void
    ) async {
        let longest = LongestTime()
        await withTaskGroup { group in
            group.addTask { @concurrent [engine, rules] in
                for _ in 0..<10 { await longest.call.note { await call(engine, rules) } }
                longest.finish()
            }
            var number = 0
            while !longest.isFinished {
                number += 1
                let start = ContinuousClock.now
                engine.context["n"] = number
                longest.write.note(start.duration(to: .now))
                // As an app does, which writes now and then.
                try? await Task.sleep(for: .milliseconds(1))
            }
        }
        print("\(name): the call took up to \(longest.call), a write up to \(longest.write)")
    }
}

private final class LongestTime: Sendable {
    final class Part: Sendable, CustomStringConvertible {
        private let longest = LockedValue(Duration.zero)
        func note(_ time: Duration) { longest.withLock { $0 = max($0, time) } }
        func note(_ body: () async -> Void) async {
            let start = ContinuousClock.now
            await body()
            note(start.duration(to: .now))
        }
        var description: String {
            longest.withLock { "\($0)" }
        }
    }
    let call = Part()
    let write = Part()
    private let done = LockedValue(false)
    var isFinished: Bool { done.withLock { $0 } }
    func finish() { done.withLock { $0 = true } }
}

@MainActor
private final class SilentPresenter: Presenter {
    func present(_ popup: Popup) async {}
    func dismiss(_ popup: Popup) async {}
}
