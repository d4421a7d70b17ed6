internal import PopCEL
internal import PopScheduler

/// What the core takes in, in the order of the calls.
enum Input: Sendable {
    case event(Event)
    /// Makes a task of a popup that somebody follows.
    case enqueue(String, Follower)
    case foreign(ForeignPopup, ForeignCondition, isTrue: Bool, Follower?)
    /// Changes fields of what a popup on a screen says.
    case content(String, [String: Value])
    case setForeign(ForeignConditions.Entry, isTrue: Bool)
    case reload(RuleSet, context: [String: Value])
    /// `loaded` is what the store said about a user that was not there yet; `context` takes the
    /// place of all values.
    case switchUser(String, loaded: History, context: [String: Value]?)
    case forget(String, Answer)
    /// Nothing is to be known of a popup and the current user.
    case forgetPopup(String, Answer)
    /// Somebody else has written to the store: what it says now of a user.
    case historyChanged(History, user: String)
    case flush(Answer)
    case stop(dismissing: Bool)

    typealias Answer = CheckedContinuation<(any Error)?, Never>
}

extension Input {
    /// The rules that it brings.
    var rules: RuleSet? { if case .reload(let rules, _) = self { rules } else { nil } }

    /// Whether it may take long, because it looks at every popup: it is worked out on a copy,
    /// outside the lock.
    var isHeavy: Bool {
        switch self {
        case .reload, .switchUser, .forget, .forgetPopup, .historyChanged,
            .event(.started):
            true
        case .event, .enqueue, .foreign, .content, .setForeign, .flush, .stop: false
        }
    }

    /// Whether an engine that is taking down its popups still hears it.
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
