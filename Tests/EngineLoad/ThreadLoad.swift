import Foundation
import PopEngine
import PopScheduler

/// Eight threads that write the context, send events, suspend, reload, close and dismiss, and users
/// who come and go: on the real clock, with a presenter that calls back, cancels, postpones and
/// throws.
@MainActor
struct ThreadLoad {
    static let threads = 8

    private let rules: [RuleSet]
    private let store = MemoryHistoryStore()
    private let ledger = Ledger()
    private let presenter = LoadPresenter()
    private let engine: PopupEngine
    /// The most rounds of calls until a popup is presented. If the main thread has much else to do,
    /// all calls may be over before the first popup is presented.
    private static let mostRounds = 20

    /// Returns a description of each requirement that doesn't hold; empty if all hold. The run is
    /// bounded by the number of calls, not by time.
    static func problems(callsPerThread calls: Int) async throws -> [String] {
        try await ThreadLoad().run(calls)
    }

    private init() async throws {
        rules = [try LoadRules.make(), try LoadRules.others()]
        var options = EngineOptions()
        options.seed = 1
        options.observer = { [ledger] event in ledger.add(event) }
        engine = await PopupEngine(
            rules: rules[0], presenter: presenter, user: "u0", history: store, options: options)
        presenter.engine = engine
    }

    private func run(_ calls: Int) async -> [String] {
        let all = engine.events(buffering: .max)
        let reader = Task { @concurrent in
            var numbers: [UInt64] = []
            for await event in all { numbers.append(event.number) }
            return numbers
        }
        engine.start()
        var rounds = 0
        repeat {
            await play(calls)
            rounds += 1
        } while presenter.presented == 0 && rounds < Self.mostRounds
        engine.suspend()
        while !engine.isEmpty || engine.openWork > 0 {
            // Callbacks may still have made tasks.
            engine.removeAll()
            await Task.yield()
        }
        presenter.engine = nil
        await engine.stop()
        let numbers = await reader.value
        print(
            "\(Self.threads) threads, \(Self.threads * calls * rounds) calls, \(numbers.count) events, "
                + "\(presenter.presented) popups presented")
        return problems(read: numbers, calls: calls, rounds: rounds)
    }

    private func play(_ calls: Int) async {
        let (users, next) = AsyncStream.makeStream(of: String.self)
        async let switching: Void = Self.follow(users, engine)
        await withTaskGroup { group in
            for number in 0..<Self.threads {
                group.addTask { [engine, rules] in
                    await withCheckedContinuation { continuation in
                        let thread = Thread {
                            for step in 0..<calls {
                                // Else all calls are made before the first popup is presented.
                                while engine.openWork > 10 { Thread.sleep(forTimeInterval: 1e-4) }
                                Self.call(Self.number(thread: number, step: step), engine, rules)
                                if step.isMultiple(of: 200) {
                                    next.yield("u\((number + step) % 3)")
                                }
                            }
                            continuation.resume()
                        }
                        thread.start()
                    }
                }
            }
        }
        next.finish()
        await switching
    }

    @concurrent
    private nonisolated static func follow(
        _ users: AsyncStream<String>, _ engine: PopupEngine
    ) async {
        for await user in users {
            async let superseded = engine.switchUser("u0")
            if user == "u1" {
                await engine.switchUser(user, context: ["n": 1], keeping: ["count", "ok"])
            } else {
                await engine.switchUser(user)
            }
            _ = await superseded
            try? await engine.forget(user: "gone")
            try? await engine.flush()
        }
    }

    /// Returns the number that decides which call a thread makes.
    private nonisolated static func number(thread: Int, step: Int) -> Int { thread * 31 + step * 7 }

    private nonisolated static func call(_ number: Int, _ engine: PopupEngine, _ rules: [RuleSet]) {
        let popup = ["a", "b", "c", "d", "e"][number % 5]
        switch number % 19 {
        case 0, 1: engine.context["n"] = number % 50
        case 2, 17:
            engine.context.update { context in
                context["count"] = (context["count"] ?? 0) + 1
                context["ok"] = number % 3 == 0
            }
        case 3, 4: engine.send("e", ["total": .double(Double(number % 10))])
        case 5: engine.enqueue(popup)
        case 6, 18: engine.enqueue("hand")
        case 7: engine.dismiss(popup)
        case 8: engine.remove(popup)
        case 9: engine.userClosed(popup)
        case 10: engine.suspend(scheduler: "toast")
        case 11, 12: engine.resume()
        case 13: engine.enqueue(ForeignPopup(id: "f\(number % 3)")) { $0["ok"] ?? true }
        case 14: _ = (engine.explain(popup), engine.showing, engine.waiting, engine.context.json)
        case 15 where number % 4 == 0: engine.reload(rules[number / 4 % 2])
        default: engine.poke()
        }
    }

    // MARK: Requirements

    private func problems(read numbers: [UInt64], calls: Int, rounds: Int) -> [String] {
        // Counted here and not by the threads: a shared counter would order the threads.
        let made = (0..<Self.threads).flatMap { thread in
            (0..<calls).map { Self.number(thread: thread, step: $0) % 19 }
        }
        let sent = rounds * made.count { $0 == 3 || $0 == 4 }
        let enqueued = rounds * made.count { $0 == 6 || $0 == 18 }
        let counted = rounds * made.count { $0 == 2 || $0 == 17 }
        let kept = (0..<3).map { store.history(of: "u\($0)").events["e"]?.count ?? 0 }
        let checks: [(isGood: Bool, problem: String)] = [
            (sent > 0 && enqueued > 0 && counted > 0, "the threads did not do everything"),
            (presenter.presented > 0, "no popup was presented"),
            (presenter.collisions == 0, "\(presenter.collisions) popups shown over another"),
            (ledger.open.isEmpty, "tasks that never ended: \(ledger.open)"),
            (ledger.endedTwice.isEmpty, "tasks that ended twice: \(ledger.endedTwice)"),
            (ledger.disorder == 0, "\(ledger.disorder) events out of order"),
            (numbers == Array(1...max(1, ledger.last)), "a subscriber missed or doubled events"),
            (
                engine.context["count"] == counted,
                "\(counted) updates of the context, \(engine.context["count"] ?? -1) of them kept"
            ),
            (
                ledger.triggered["tally"] == sent,
                "\(sent) events sent, \(ledger.triggered["tally"] ?? 0) of them fired"
            ),
            (
                ledger.triggered["hand"] == enqueued,
                "\(enqueued) calls of enqueue, \(ledger.triggered["hand"] ?? 0) of them answered"
            ),
            (kept.reduce(0, +) == sent, "\(sent) events sent, \(kept) in the users' histories"),
        ]
        return checks.filter { !$0.isGood }.map(\.problem)
    }
}
