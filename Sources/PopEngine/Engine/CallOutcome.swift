public import PopScheduler
internal import PopSource

/// The result of a call, known when it returns; problems are reported as events too.
public struct CallOutcome: Sendable, Hashable {
    /// The state of a call: whether and when it takes effect.
    public enum State: Sendable, Hashable {
        /// The call takes effect, unless a remark reports that there was nothing to do.
        case taken
        /// It did not fit the rules and changed nothing.
        case refused
        /// Rules are being loaded, or the user is being switched, on another thread: the call takes
        /// effect as soon as that is done. If it doesn't fit, only an event reports that.
        case waits
        /// A later call took its place: it changed nothing.
        case superseded
        /// The engine was stopped: it changed nothing.
        case stopped
    }

    /// The state of the call; `rejections` and `remarks` give the reasons.
    public let state: State
    /// The parts of the call that didn't fit the rules.
    public let rejections: [Rejection]
    /// Remarks on parts that were accepted although they don't fit the rules.
    public let remarks: [CallRemark]

    init(_ state: State, rejections: [Rejection] = [], remarks: [CallRemark] = []) {
        self.state = state
        self.rejections = rejections
        self.remarks = remarks
    }

    /// Indicates whether the call takes effect without any rejection or remark.
    public var isTaken: Bool { state == .taken && rejections.isEmpty && remarks.isEmpty }
}

extension CallOutcome {
    static let stopped = CallOutcome(.stopped)
    static let taken = CallOutcome(.taken)

    static func refused(_ rejections: [Rejection]) -> CallOutcome {
        CallOutcome(.refused, rejections: rejections)
    }

    /// Creates the outcome of a call from the effects that the scheduler returned.
    init(of effects: [Effect]) {
        var rejections: [Rejection] = []
        for case .emit(.rejected(let rejection)) in effects { rejections.append(rejection) }
        self.init(rejections.isEmpty ? .taken : .refused, rejections: rejections)
    }

    func with(_ remarks: [CallRemark]) -> CallOutcome {
        CallOutcome(state, rejections: rejections, remarks: self.remarks + remarks)
    }
}

/// A remark on a call that was accepted.
public enum CallRemark: Sendable, Hashable {
    /// The rules declare no such context key. The value is kept for rules that do.
    case unknownKey(String, similar: [String])
    /// The rules declare no such field of the event's payload.
    case unknownField(String, event: String, similar: [String])
    /// The rules declare the field and the payload does not have it.
    case missingField(String, event: String)
    /// The Swift type of a `TypedKey` is not the declared type of its key.
    case typedKey(String, declared: String, typed: String)
    /// A change of the context was given up: at each attempt, the context was changed concurrently.
    case contextBusy(attempts: Int)
    /// The engine was called and never started: nothing shows before `start()`.
    case notStarted
    /// Another engine uses the same object as its history store: each of them takes what the other
    /// writes for its own, so that caps do not hold for both together.
    case sharedStore
    /// The popup waits or shows already, so that its trigger made no second task: what this call
    /// carried for it isn't shown.
    case alreadyThere(String)
    /// The popup is neither waiting nor showing, so there was nothing to end.
    case notThere(String)
    /// The popup isn't on a screen, so it can't have been closed, and its content can't be changed.
    case notOnScreen(String)
    /// The owner has not suspended that scheduler, or all, so that there was nothing to resume.
    case notSuspended(Suspension)
}

extension CallRemark {
    /// Returns remarks on popups that a call triggered although they already have a task.
    static func repeated(_ effects: [Effect]) -> [CallRemark] {
        effects.compactMap { effect in
            if case .emit(.coalesced(let task)) = effect { .alreadyThere(task.popup) } else { nil }
        }
    }
}

extension Event {
    /// True for calls that report a popup which waits or shows already.
    var reportsRepeats: Bool {
        if case .send = self { return true }
        if case .enqueue = self { return true }
        return false
    }
}

extension Scheduler {
    /// Returns the remarks on a call that has nothing to do. Unknown names are refused instead.
    func remarks(on event: Event) -> [CallRemark] {
        switch event {
        case .dismiss(let id), .remove(let id): isAbsent(id) ? [.notThere(id)] : []
        case .userClosed(let id), .didDisappear(let id):
            isOffScreen(id) ? [.notOnScreen(id)] : []
        case .resume(let owner, let scheduler):
            remarks(onResuming: Suspension(by: owner, scheduler: scheduler))
        case .started, .update, .send, .enqueue, .force, .enqueueForeign, .setForeign, .removeAll,
            .suspend,
            .switchUser, .forget, .forgetPopup, .historyChanged, .reload, .zoneChanged, .forceArm,
            .acted,
            .beginSession,
            .background, .foreground, .poke, .timePassed, .answered, .didPresent, .presentFailed,
            .didDismiss:
            []
        }
    }

    private func remarks(onResuming suspension: Suspension) -> [CallRemark] {
        let isKnown = suspension.scheduler.map { waiting[$0] != nil } ?? true
        return isKnown && !suspensions.contains(suspension) ? [.notSuspended(suspension)] : []
    }
}

extension CallRemark: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unknownKey(let name, let similar):
            "the rules declare no context key `\(name)`" + Self.hint("key", similar: similar)
        case .unknownField(let name, let event, let similar):
            "the event `\(event)` has no field `\(name)`" + Self.hint("field", similar: similar)
        case .missingField(let name, let event):
            "the payload of the event `\(event)` lacks the declared field `\(name)`"
        case .typedKey(let name, let declared, let typed):
            "the key `\(name)` is declared as \(declared), but its `TypedKey` has type \(typed)"
        case .contextBusy(let attempts):
            "a change of the context was abandoned after \(attempts) attempts: each time the "
                + "context had changed in the meantime"
        case .notStarted:
            "the engine was not started: call `start()` to show popups"
        case .sharedStore:
            "another engine uses the same history store object, so caps are not shared correctly; "
                + "create one store object per engine (both may use the same file)"
        case .alreadyThere(let popup):
            "the popup `\(popup)` already waits or shows: nothing was added"
        case .notThere(let popup):
            "the popup `\(popup)` neither waits nor shows: nothing was ended"
        case .notOnScreen(let popup):
            "the popup `\(popup)` is not on a screen: nothing was done"
        case .notSuspended(let suspension):
            (suspension.owner.map { "`\($0)`" } ?? "the unnamed owner")
                + " has not suspended "
                + (suspension.scheduler.map { "the scheduler `\($0)`" } ?? "all schedulers")
                + ": nothing was resumed"
        }
    }

    private static func hint(_ kind: String, similar: [String]) -> String {
        similar.isEmpty
            ? "" : "; did you mean \(alternatives(similar))?"
    }
}
