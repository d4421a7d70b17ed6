public import PopScheduler
internal import PopSource

/// A step of a task that its followers receive.
enum FollowedStep: Sendable {
    case shown
    case acted(String)
    case ended(PopupEnding)
}

/// A follower of a task.
enum Follower: Sendable {
    case waiting(EndingWaiter)
    case called(PopupCallbacks)

    /// Indicates whether the follower has stopped waiting.
    var isOver: Bool {
        switch self {
        case .waiting(let waiter): waiter.isOver
        case .called: false
        }
    }

    fileprivate func isWaiting(_ waiter: EndingWaiter) -> Bool {
        if case .waiting(let own) = self { own === waiter } else { false }
    }
}

/// A waiter for an ending, used once: the first result ends it.
final class EndingWaiter: Sendable {
    private struct State {
        var ending: PopupEnding?
        var continuation: CheckedContinuation<PopupEnding, Never>?
    }

    private let state = LockedValue(State())

    var isOver: Bool { state.withLock { $0.ending != nil } }

    func wait() async -> PopupEnding {
        await withCheckedContinuation { continuation in
            let ending = state.withLock { state in
                if state.ending == nil { state.continuation = continuation }
                return state.ending
            }
            if let ending { continuation.resume(returning: ending) }
        }
    }

    func end(_ ending: PopupEnding) {
        let continuation = state.withLock { state -> CheckedContinuation<PopupEnding, Never>? in
            guard state.ending == nil else { return nil }
            state.ending = ending
            defer { state.continuation = nil }
            return state.continuation
        }
        continuation?.resume(returning: ending)
    }
}

/// The followers of each task, until the task has ended.
struct Followers: Sendable {
    private struct FollowedTask {
        var followers: [Follower] = []
        var wasShown: Bool
        /// The last one that was used.
        var action: String?
    }

    /// By the number of the task.
    private var tasks: [Int: FollowedTask] = [:]
    /// The followers that wait for the next task of a popup that is leaving, by its ID.
    private var next: [String: [Follower]] = [:]

    /// `progress` is how far the task has come.
    mutating func add(
        _ follower: Follower, to task: TaskID, progress: (wasShown: Bool, action: String?)
    ) {
        guard !follower.isOver else { return }
        var followed =
            tasks[task.number]
            ?? FollowedTask(wasShown: progress.wasShown, action: progress.action)
        followed.followers.append(follower)
        tasks[task.number] = followed
    }

    /// Adds a follower of the next task of a popup: its trigger is remembered.
    mutating func add(_ follower: Follower, toNextTaskOf popup: String) {
        if !follower.isOver { next[popup, default: []].append(follower) }
    }

    /// Processes the effects on remembered triggers, at the moment of the decision. Returns the
    /// followers that must receive that no task was made.
    mutating func takeNext(_ effects: [Effect]) -> [(follower: Follower, reason: ReasonCode)] {
        if next.isEmpty { return [] }
        var told: [(follower: Follower, reason: ReasonCode)] = []
        for case .emit(let event) in effects {
            if case .queued(let task) = event {
                for follower in next.removeValue(forKey: task.popup) ?? [] {
                    add(follower, to: task, progress: (wasShown: false, action: nil))
                }
            } else if case .notMade(let popup, let reason) = event {
                told += (next.removeValue(forKey: popup) ?? []).map { ($0, reason) }
            }
        }
        return told
    }

    mutating func remove(_ waiter: EndingWaiter) {
        for (popup, followers) in next {
            let others = followers.filter { !$0.isWaiting(waiter) }
            next[popup] = others.isEmpty ? nil : others
        }
        for (number, task) in tasks {
            let others = task.followers.filter { !$0.isWaiting(waiter) }
            guard others.count < task.followers.count else { continue }
            tasks[number]?.followers = others
            if others.isEmpty { tasks[number] = nil }
        }
    }

    mutating func removeAll() -> [Follower] {
        defer { (tasks, next) = ([:], [:]) }
        return tasks.values.flatMap(\.followers) + next.values.flatMap { $0 }
    }

    func callbacks(of task: TaskID) -> [PopupCallbacks] {
        (tasks[task.number]?.followers ?? []).compactMap { follower in
            if case .called(let callbacks) = follower { callbacks } else { nil }
        }
    }

    /// Returns true if an event has followers.
    func need(_ event: HostEvent) -> Bool {
        guard !tasks.isEmpty, event.isStep, let task = event.task else { return false }
        return tasks[task.number] != nil
    }

    /// Returns the followers of an event, and the step that they receive.
    mutating func take(_ event: HostEvent) -> (followers: [Follower], step: FollowedStep)? {
        guard !tasks.isEmpty, event.isStep, let number = event.task?.number,
            let task = tasks[number]
        else { return nil }
        if case .shown = event {
            tasks[number]?.wasShown = true
            return (task.followers, .shown)
        }
        if case .acted(_, let action) = event {
            tasks[number]?.action = action
            return (task.followers, .acted(action))
        }
        tasks[number] = nil
        return PopupEnding(event, action: task.action, wasShown: task.wasShown)
            .map { (task.followers, .ended($0)) }
    }
}

extension HostEvent {
    /// Indicates whether the followers of the event's task receive it.
    fileprivate var isStep: Bool {
        switch self {
        case .shown, .acted, .dismissed, .discarded, .cancelled, .failed: true
        case .queued, .coalesced, .remembered, .notMade, .willShow, .postponed, .exposed,
            .converted, .willDismiss, .requeued, .conditionError, .zoneUnknown, .emptyPlaceholder,
            .animationTimeout, .rejected:
            false
        }
    }
}

/// The callbacks of an app for one popup that it enqueues.
///
/// Each is called on the main actor, in its order among the calls of the presenter. The callbacks
/// cover what happens to the popup's task from the call on, and are released when the task has
/// ended. If the popup already waits or shows, it has a task, and the callbacks cover that task. If
/// the popup is leaving, they cover its next task. The engine keeps the callbacks until then: a
/// callback that needs the engine must capture it weakly.
public struct PopupCallbacks: Sendable {
    /// Asked right before each presentation, ahead of the presenter, which is asked only about what
    /// is let through here.
    public var willShow: (@MainActor @Sendable (Popup) -> WillShowAnswer)?
    /// It is visible, its animation over; again when it was switched out and has come back.
    public var shown: (@MainActor @Sendable () -> Void)?
    /// The user used this action; the popup is dismissed by it, unless it stays.
    public var acted: (@MainActor @Sendable (String) -> Void)?
    /// Called once, and last, whatever the result is.
    public var ended: (@MainActor @Sendable (PopupEnding) -> Void)?

    /// Calls what is given.
    public init(
        willShow: (@MainActor @Sendable (Popup) -> WillShowAnswer)? = nil,
        shown: (@MainActor @Sendable () -> Void)? = nil,
        acted: (@MainActor @Sendable (String) -> Void)? = nil,
        ended: (@MainActor @Sendable (PopupEnding) -> Void)? = nil
    ) {
        self.willShow = willShow
        self.shown = shown
        self.acted = acted
        self.ended = ended
    }
}

extension PopupCallbacks {
    /// Returns the call for a step; nil if the app gave no callback for it.
    func call(for step: FollowedStep) -> (@MainActor @Sendable () -> Void)? {
        switch step {
        case .shown: return shown
        case .acted(let action):
            guard let acted else { return nil }
            return { acted(action) }
        case .ended(let ending):
            guard let ended else { return nil }
            return { ended(ending) }
        }
    }
}

/// The result of a popup that the app asked to be shown.
public enum PopupEnding: Sendable, Hashable {
    /// The user used this action, and it dismissed the popup.
    case acted(String)
    /// The user closed the popup.
    case closed
    /// It was visible and went for another reason, such as `dismissed`, `timedOut` or `preempted`.
    case gone(ReasonCode)
    /// It was never visible: why it was dropped, or why no task was made of it.
    case neverShown(ReasonCode)
    /// The presenter could not show it; what `present` threw.
    case failed(message: String)
    /// The call did not fit the rules.
    case refused(Rejection)
    /// The engine was stopped first. The popup may still be on the screen.
    case stopped
    /// The Swift task that waited was cancelled first. The popup continues.
    case waitCancelled
}

extension PopupEnding {
    /// Creates the ending of a terminal event; nil for every other event. `action` is the last one
    /// that was used.
    init?(_ event: HostEvent, action: String?, wasShown: Bool) {
        guard let reason = event.ending else { return nil }
        switch event {
        case .failed(_, let message): self = .failed(message: message)
        case .dismissed where reason == .userClosed: self = .closed
        case .dismissed where reason == .acted: self = action.map { .acted($0) } ?? .gone(reason)
        case .dismissed: self = .gone(reason)
        case .cancelled where wasShown: self = .gone(reason)
        case .cancelled, .discarded, .queued, .coalesced, .remembered, .notMade, .willShow,
            .postponed, .exposed, .shown, .acted, .converted, .willDismiss, .requeued,
            .conditionError,
            .zoneUnknown, .emptyPlaceholder, .animationTimeout, .rejected:
            self = .neverShown(reason)
        }
    }
}
