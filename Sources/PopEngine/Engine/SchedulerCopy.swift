internal import PopCEL
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

/// An input of the core; inputs are processed in the order of the calls.
enum Input: Sendable {
    case event(Event)
    /// Creates a task for a popup that has a follower.
    case enqueue(String, Follower)
    case foreign(ForeignPopup, ForeignCondition, isTrue: Bool, Follower?)
    /// Changes content fields of a popup on a screen.
    case content(String, [String: Value])
    case setForeign(ForeignConditions.Entry, isTrue: Bool)
    case reload(RuleSet, context: [String: Value])
    /// `loaded` is the stored history of a user who wasn't in memory yet; `context` replaces all
    /// values.
    case switchUser(String, loaded: History, context: [String: Value]?)
    case forget(String, Answer)
    /// Nothing is to be known of a popup and the current user.
    case forgetPopup(String, Answer)
    /// Another writer has written to the store: the history is the user's new one.
    case historyChanged(History, user: String)
    case flush(Answer)
    case stop(dismissing: Bool)

    typealias Answer = CheckedContinuation<(any Error)?, Never>
}

extension Input {
    /// The rules that it brings.
    var rules: RuleSet? { if case .reload(let rules, _) = self { rules } else { nil } }

    /// Indicates whether it may take long, because it looks at every popup: it is processed on a
    /// copy, outside the lock.
    var isHeavy: Bool {
        switch self {
        case .reload, .switchUser, .forget, .forgetPopup, .historyChanged,
            .event(.started):
            true
        case .event, .enqueue, .foreign, .content, .setForeign, .flush, .stop: false
        }
    }

    /// Indicates whether an engine still accepts it while it dismisses its popups.
    var isReply: Bool {
        switch self {
        case .event(let event):
            switch event {
            case .answered, .didPresent, .presentFailed, .didDismiss, .userClosed, .acted,
                .didDisappear, .timePassed:
                true
            case .started, .update, .send, .enqueue, .force, .enqueueForeign, .setForeign, .dismiss,
                .remove, .removeAll, .suspend, .resume, .switchUser, .forget, .forgetPopup,
                .historyChanged, .reload, .zoneChanged, .forceArm, .beginSession, .background,
                .foreground, .poke:
                false
            }
        case .enqueue, .foreign, .content, .setForeign, .reload, .switchUser, .forget,
            .forgetPopup, .historyChanged, .flush, .stop:
            false
        }
    }
}

/// The histories of the users that an engine has left, the latest ones.
struct FormerUsers: Sendable {
    /// The maximum number of users; the histories of others are read from the store again.
    let limit: Int

    private var histories: [String: History] = [:]
    /// The earliest left first.
    private var order: [String] = []

    init(limit: Int) { self.limit = limit }

    subscript(user: String) -> History? { histories[user] }

    mutating func add(_ history: History, user: String) {
        remove(user)
        order.append(user)
        histories[user] = history
        if order.count > limit { histories[order.removeFirst()] = nil }
    }

    mutating func remove(_ user: String) {
        order.removeAll { $0 == user }
        histories[user] = nil
    }

    mutating func removeAll() {
        order = []
        histories = [:]
    }

    /// A popup of a user that was left may still be leaving the screen.
    mutating func apply(_ record: HistoryRecord, user: String) { histories[user]?.apply(record) }
}

/// The current contents of popups on a screen, for those that the app has changed.
struct ChangedContents: Sendable {
    private struct Change {
        var popup: Popup
        /// Indicates whether the presenter hasn't received the content yet.
        var waits: Bool
    }

    private var changes: [PresentationID: Change] = [:]

    var isEmpty: Bool { changes.isEmpty }

    subscript(id: PresentationID) -> Popup? { changes[id]?.popup }

    /// Stores a changed content. Returns true if no earlier change is on its way to the presenter.
    /// If one is, it delivers the newest content.
    mutating func set(_ popup: Popup) -> Bool {
        let waits = changes[popup.presentation]?.waits == true
        changes[popup.presentation] = Change(popup: popup, waits: true)
        return !waits
    }

    /// The newest, unless the presenter has it or the popup goes.
    mutating func take(_ id: PresentationID) -> Popup? {
        guard let change = changes[id], change.waits else { return nil }
        changes[id]?.waits = false
        return change.popup
    }

    /// Drops the contents of popups that leave the screen, because they aren't changed any more.
    mutating func drop(after effects: [Effect]) {
        for effect in effects {
            switch effect {
            case .dismiss(let id): changes[id] = nil
            case .emit(let event):
                guard event.ending != nil, let task = event.task else { continue }
                changes = changes.filter { $0.key.task != task }
            case .askWillShow, .present, .record: continue
            }
        }
    }
}
