internal import PopScheduler

/// A copy of the state that a heavy input changes. It is processed outside the lock while no other
/// input is taken.
struct SchedulerCopy: Sendable {
    private var scheduler: Scheduler
    private var user: String
    private var formerUsers: FormerUsers
    /// The records of decisions that were made after the store was read and aren't saved yet.
    private let unkept: [HistoryRecord]
    /// The events that the scheduler received, for a recording.
    private(set) var told: [Event] = []

    init(_ state: borrowing EngineCore.State, for input: Input) {
        scheduler = state.scheduler
        user = state.user
        formerUsers = state.formerUsers
        unkept =
            if case .historyChanged(_, let user) = input {
                state.queue.records(of: user)
            } else {
                []
            }
    }

    /// Swaps the copy with the state, and keeps the former state.
    mutating func swap(_ state: inout EngineCore.State) {
        Swift.swap(&scheduler, &state.scheduler)
        Swift.swap(&user, &state.user)
        Swift.swap(&formerUsers, &state.formerUsers)
    }

    mutating func take(_ timed: EngineCore.TimedInput) -> [Effect] {
        let moment = timed.moment
        switch timed.input {
        case .event(.started):
            // Earlier calls have made tasks: all of them exist before one is chosen.
            return tell(.started, at: moment)
                + tell(.resume(by: Suspension.untilStart.owner), at: moment)
        case .event(let event): return tell(event, at: moment)
        case .reload(let rules, let context):
            return tell(.reload(rules, context: context), at: moment)
        case .switchUser(let next, let loaded, let context):
            return switchUser(next, loaded: loaded, context: context, at: moment)
        case .forget(let erased, _): return forget(erased, at: moment)
        case .forgetPopup(let popup, _): return tell(.forgetPopup(popup), at: moment)
        case .historyChanged(var history, let changed):
            guard changed == user else { return [] }
            // The histories of former users may have changed too.
            formerUsers.removeAll()
            for record in unkept { history.apply(record) }
            return tell(.historyChanged(history), at: moment)
        case .enqueue, .foreign, .content, .setForeign, .flush, .stop: return []
        }
    }

    private mutating func tell(_ event: Event, at moment: Moment) -> [Effect] {
        told.append(event)
        return scheduler.handle(event, at: moment)
    }

    private mutating func switchUser(
        _ next: String, loaded: History, context: [String: Value]?, at moment: Moment
    ) -> [Effect] {
        let former = scheduler.history
        let history = next == user ? former : formerUsers[next] ?? loaded
        formerUsers.add(former, user: user)
        user = next
        return tell(.switchUser(next, history, context: context), at: moment)
    }

    /// Forgets a user. Records of the ends of the user's tasks are dropped too.
    private mutating func forget(_ erased: String, at moment: Moment) -> [Effect] {
        formerUsers.remove(erased)
        return tell(.forget(erased), at: moment).filter { effect in
            if case .record(_, erased) = effect { false } else { true }
        }
    }
}
