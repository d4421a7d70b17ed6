internal import PopCEL
internal import PopScheduler

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
