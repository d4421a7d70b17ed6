public import PopCEL

/// What happens to a scheduler: a call of the app, a reply of the presenter, or the passing of
/// time.
///
/// Whatever does not fit the rules (an unknown popup, a value of the wrong type) is reported and
/// changes nothing.
public enum Event: Sendable {
    /// The app has started: fires `trigger: start`. Expected once, after the context is filled.
    case started
    /// Changes context keys together: no condition sees half of it. All changes are taken, or none
    /// when one is wrong.
    case update([String: Value], unset: [String] = [])
    /// The app sends an event; it is counted in the history before any trigger looks at it.
    case send(String, payload: [String: Value] = [:])
    /// Makes a task of a popup, whatever its triggers are.
    case enqueue(String)
    /// Shows a popup whatever its rule says, before all others of its scheduler. For debugging and
    /// for tests.
    case force(String)
    /// Gives a popup that no rule file knows a place in a queue. `isTrue` is its condition.
    indirect case enqueueForeign(ForeignPopup, isTrue: Bool)
    /// Changes the condition of a foreign popup.
    case setForeign(String, isTrue: Bool)
    /// Takes a popup down, after its `min_show`; a waiting one ends.
    case dismiss(String)
    /// Ends a popup's task now, taking it off the screen first.
    case remove(String)
    /// Empties the queues and dismisses what shows.
    case removeAll
    /// Nothing new is shown by the scheduler, or by any when nil, until the same owner resumes the
    /// same.
    case suspend(by: String? = nil, scheduler: String? = nil)
    /// Lifts the suspension of the same owner and the same scheduler; of any other nothing changes.
    /// The pass then runs.
    case resume(by: String? = nil, scheduler: String? = nil)
    /// Ends all tasks and goes on with another user's history; fires `start` again. So it does for
    /// the user who is there already, whose history stays. `context` takes the place of all values
    /// in the same step; values that do not fit are left out.
    indirect case switchUser(String, History, context: [String: Value]? = nil)
    /// Erases what is known of a user. For the one who is there everything begins anew; what shows
    /// leaves no trace.
    case forget(String)
    /// Erases what is known of a popup and the current user, in this session too. Tasks keep their
    /// place. For debugging.
    case forgetPopup(String)
    /// Goes on with what the host has found the current user's history to be. Tasks keep their
    /// place.
    indirect case historyChanged(History)
    /// Goes on with another rule set. `context` has the values of keys that it is the first to
    /// declare: they hold from the beginning, as those that were set before `started`, and so fire
    /// no `changed`.
    indirect case reload(RuleSet, context: [String: Value] = [:])
    /// The host is in another time zone: an IANA name or an offset such as `+02:00`. UTC until the
    /// first.
    case zoneChanged(String)
    /// Puts the user into an arm of a popup's experiment, whatever is drawn, from the next task on
    /// whose arm is not fixed; nil lets it be drawn again. For tests and for debugging.
    case forceArm(popup: String, arm: String?)
    /// A session begins, for all users: what caps count of a session begins anew, and `trigger:
    /// session` fires. Does nothing before `started`, with which the first session begins.
    case beginSession
    /// The app goes to the background: nothing is chosen, and time is no visible time there.
    case background
    /// The app is back: a session begins if it was away for the time-out of the rules.
    case foreground
    /// Looks again for something to show.
    case poke
    /// Expected at `nextWake`; harmless at any other time.
    case timePassed

    /// The host's answer to `askWillShow`.
    case answered(PresentationID, WillShowAnswer)
    /// The popup is on the screen, its animation over.
    case didPresent(PresentationID)
    /// The popup could not be put on the screen.
    indirect case presentFailed(PresentationID, message: String)
    /// The popup is gone from the screen, its animation over.
    case didDismiss(PresentationID)
    /// A person closed the popup: it is taken down at once.
    case userClosed(String)
    /// A person used a button of the popup, which its template declares as an action. It is taken
    /// down at once, unless it `stays`.
    indirect case acted(String, action: String, stays: Bool = false)
    /// The popup is gone from the screen without having been asked to go.
    case didDisappear(String)
}

extension Event {
    /// Whether nothing has happened but that time has passed.
    var isMereTime: Bool {
        switch self {
        case .poke, .timePassed: true
        case .started, .update, .send, .enqueue, .force, .enqueueForeign, .setForeign, .dismiss,
            .remove,
            .removeAll, .suspend, .resume, .switchUser, .forget, .forgetPopup, .historyChanged,
            .reload,
            .zoneChanged, .forceArm, .beginSession, .background, .foreground, .answered,
            .didPresent,
            .presentFailed, .didDismiss, .userClosed, .acted,
            .didDisappear:
            false
        }
    }
}

/// Whether the host lets a popup be presented now.
public enum WillShowAnswer: Sendable, Hashable {
    /// The popup is presented.
    case show
    /// The task ends.
    case cancel
    /// The task waits again and is not eligible until the time is over. An engine takes a time
    /// below `EngineLimits.shortestPostponement` for that one.
    case postpone(Duration)
}
