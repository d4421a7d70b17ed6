public import PopCEL

/// An input of a scheduler: a call of the app, a reply of the presenter, or the passing of time.
///
/// Everything that doesn't fit the rules (an unknown popup, a value of the wrong type) is reported
/// and changes nothing.
public enum Event: Sendable {
    /// The app has started: fires `trigger: start`. Expected once, after the context is filled.
    case started
    /// Changes context keys together: no condition sees half of the changes. All changes are
    /// applied, or none if one is invalid.
    case update([String: Value], unset: [String] = [])
    /// The app sends an event; it is counted in the history before any trigger looks at it.
    case send(String, payload: [String: Value] = [:])
    /// Makes a task of a popup, regardless of its triggers.
    case enqueue(String)
    /// Shows a popup regardless of its rule, before all others of its scheduler. For debugging and
    /// for tests.
    case force(String)
    /// Puts a popup that isn't in the rules into a queue. `isTrue` is its condition.
    indirect case enqueueForeign(ForeignPopup, isTrue: Bool)
    /// Changes the condition of a foreign popup.
    case setForeign(String, isTrue: Bool)
    /// Takes a popup down, after its `min_show`; a waiting one ends.
    case dismiss(String)
    /// Ends a popup's task now, taking it off the screen first.
    case remove(String)
    /// Empties the queues and dismisses the popups that show.
    case removeAll
    /// Keeps the scheduler, or all schedulers if nil, from showing anything new until the same
    /// owner resumes the same.
    case suspend(by: String? = nil, scheduler: String? = nil)
    /// Lifts the suspension of the same owner and the same scheduler, and no other. The pass then
    /// runs.
    case resume(by: String? = nil, scheduler: String? = nil)
    /// Ends all tasks, continues with another user's history and fires `start` again. The same
    /// happens for the current user, whose history stays. `context` replaces all values in the same
    /// step; values that don't fit are left out.
    indirect case switchUser(String, History, context: [String: Value]? = nil)
    /// Erases the data of a user. For the current user everything starts from scratch; popups on a
    /// screen leave no trace.
    case forget(String)
    /// Erases the data of a popup for the current user, in this session too. Tasks keep their
    /// place. For debugging.
    case forgetPopup(String)
    /// Continues with a history of the current user that the host provides. Tasks keep their place.
    indirect case historyChanged(History)
    /// Continues with another rule set. `context` has the values of keys that the new rules are the
    /// first to declare. These values hold from the start, as if set before `started`, and so fire
    /// no `changed`.
    indirect case reload(RuleSet, context: [String: Value] = [:])
    /// The host is in another time zone: an IANA name or an offset such as `+02:00`. UTC until the
    /// first.
    case zoneChanged(String)
    /// Forces the user into an arm of a popup's experiment, regardless of the assignment, starting
    /// with the next task whose arm isn't fixed; nil restores the assignment. For tests and for
    /// debugging.
    case forceArm(popup: String, arm: String?)
    /// A session begins, for all users: caps per session count from zero, and `trigger: session`
    /// fires. Does nothing before `started`, with which the first session begins.
    case beginSession
    /// The app goes to the background: nothing is chosen, and the time there doesn't count as
    /// visible.
    case background
    /// The app is back: a session begins if the app was away for the session timeout of the rules.
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
    /// The user closed the popup: it is taken down immediately.
    case userClosed(String)
    /// The user used a button of the popup, which its template declares as an action. It is taken
    /// down immediately, unless it `stays`.
    indirect case acted(String, action: String, stays: Bool = false)
    /// The popup is gone from the screen without having been asked to go.
    case didDisappear(String)
}

extension Event {
    /// True if nothing has happened except that time has passed.
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

/// The host's decision whether a popup is presented now.
public enum WillShowAnswer: Sendable, Hashable {
    /// The popup is presented.
    case show
    /// The task ends.
    case cancel
    /// The task waits again and isn't eligible until the time is over. An engine raises a time
    /// below `EngineLimits.shortestPostponement` to that minimum.
    case postpone(Duration)
}

/// A popup that the app shows by itself, such as a system alert, and that takes a place in a queue
/// of this scheduler.
///
/// It has no rule; its condition is a flag that the host sets.
public struct ForeignPopup: Sendable, Hashable {
    /// Different from the id of every popup in the rules.
    public var id: String
    /// The name of the scheduler.
    public var scheduler: String
    /// Higher priority shows first, as with a popup of the rules; `PopupRule.normalPriority` is
    /// 100.
    public var priority: Int
    /// The handling if it is passed over because its flag doesn't let it show.
    public var untriggered = PopupRule.Untriggered.await
    /// The handling if a popup that outranks it comes while it shows.
    public var `switch` = PopupRule.Switch.await
    /// The time that it waits before it may show.
    public var delay = Duration.zero
    /// The time that it stays chosen before anything is on the screen.
    public var grace = Duration.zero
    /// The minimum time that it stays visible, unless the user closes it.
    public var minShow = Duration.zero
    /// The visible time after which it is taken down; nil for never.
    public var hideAfter: Duration?
    /// The waiting time after which it is dropped; nil for never.
    public var maxWait: Duration?
    /// True if the app shows it itself, such as a system alert: the popup only holds its place in
    /// the queue, and `PopupScreen` draws nothing for it.
    public var isShownByApp = false
    /// Passed to the presenter unchanged.
    public var content: Value

    /// A hand-made popup that waits for nothing: all times are zero or absent until they are set.
    public init(
        id: String, scheduler: String = "main", priority: Int = PopupRule.normalPriority,
        content: Value = .map([:])
    ) {
        self.id = id
        self.scheduler = scheduler
        self.priority = priority
        self.content = content
    }
}

/// A request that nothing new is shown: by one scheduler, or by any.
///
/// An owner lifts only its own suspensions: two owners don't undo each other, and lifting a
/// suspension of everything leaves the suspension of one scheduler in force.
public struct Suspension: Sendable, Hashable {
    /// The owner of the suspension; nil is an owner of its own, the unnamed one.
    public let owner: String?
    /// The name of the scheduler; nil for all.
    public let scheduler: String?

    /// Creates the pair that also lifts the suspension: without an owner for the unnamed owner,
    /// without a scheduler for all schedulers.
    public init(by owner: String? = nil, scheduler: String? = nil) {
        self.owner = owner
        self.scheduler = scheduler
    }
}
