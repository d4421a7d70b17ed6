import PopEngine
import PopScheduler
import PopSource

/// A ledger of the tasks that were made and have ended, and of the result of each trigger that
/// fired.
final class Ledger: Sendable {
    private struct State {
        var open: Set<TaskID> = []
        var ended: Set<TaskID> = []
        var endedTwice: [TaskID] = []
        var triggered: [String: Int] = [:]
        var last: UInt64 = 0
        var disorder = 0
    }

    private let state = LockedValue(State())

    var open: Set<TaskID> { state.withLock(\.open) }
    var endedTwice: [TaskID] { state.withLock(\.endedTwice) }
    /// The number of times that a trigger of each popup was answered: by a new task, by an existing
    /// task, or by a reason against a task.
    var triggered: [String: Int] { state.withLock(\.triggered) }
    var last: UInt64 { state.withLock(\.last) }
    var disorder: Int { state.withLock(\.disorder) }

    func add(_ event: EngineEvent) {
        state.withLock { state in
            if event.number != state.last + 1 { state.disorder += 1 }
            state.last = event.number
            guard case .scheduler(let event) = event.kind else { return }
            switch event {
            // One that is remembered is answered later.
            case .queued, .coalesced, .notMade:
                if let popup = event.popup { state.triggered[popup, default: 0] += 1 }
            default: break
            }
            guard let task = event.task else { return }
            if case .queued = event { state.open.insert(task) }
            guard event.ending != nil else { return }
            state.open.remove(task)
            if !state.ended.insert(task).inserted { state.endedTwice.append(task) }
        }
    }
}
