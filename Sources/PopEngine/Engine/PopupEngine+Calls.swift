public import PopCEL
public import PopScheduler
internal import PopSource

extension PopupEngine {
    /// Fires `trigger: start`, once, whoever calls it how often, and lets popups show. What the
    /// context holds by then is what the first popup is chosen by.
    ///
    /// Calls from before have their effect at once, but for showing: what they put into a queue
    /// waits there, behind what starts when that is more important.
    @discardableResult
    public func start() -> CallOutcome { core.start() }

    /// Tells the engine of something that happened: popups whose trigger it is get a task, and the
    /// history counts it.
    ///
    /// The outcome names fields that the rules do not declare, and declared ones that are missing.
    /// A value of the wrong type is refused.
    @discardableResult
    public func send(_ event: String, _ payload: [String: Value] = [:]) -> CallOutcome {
        core.send(event, payload: payload)
    }

    /// Takes the popup down, once it has been visible for its `min_show`; one that waits ends.
    @discardableResult
    public func dismiss(_ id: String) -> CallOutcome { core.handle(.dismiss(id)) }

    /// Ends the popup's task at once, taking it off the screen first if it is there.
    @discardableResult
    public func remove(_ id: String) -> CallOutcome { core.handle(.remove(id)) }

    /// Empties the queues and dismisses what shows.
    @discardableResult
    public func removeAll() -> CallOutcome { core.handle(.removeAll) }

    /// Tells the engine of the time zone that the device is in, at the start and whenever it
    /// becomes another: an IANA name such as `Europe/Berlin`, or an offset such as `+02:00`. Rules
    /// read by its clocks what they mark with `zone: local`; UTC until the first call.
    @discardableResult
    public func zoneChanged(_ zone: String) -> CallOutcome { core.handle(.zoneChanged(zone)) }

    /// Puts the user into an arm of a popup's experiment, whatever is drawn, from its next task on:
    /// the name of a variant, or `control`; nil lets it be drawn again. For tests and debugging.
    @discardableResult
    public func forceArm(_ arm: String?, of popup: String) -> CallOutcome {
        core.handle(.forceArm(popup: popup, arm: arm))
    }

    /// Tells the engine that the app goes to the background. Nothing new is shown until
    /// `foreground`, and no time is visible time: `hide_after`, `min_show`, `grace`, `delay` and
    /// `gap` stand still.
    @discardableResult
    public func background() -> CallOutcome { core.handle(.background) }

    /// Tells the engine that the app is back. After the `session.timeout` of the rules, by the
    /// calendar, a session begins.
    @discardableResult
    public func foreground() -> CallOutcome {
        if core.isNextSessionDue { reloadForSession() }
        return core.handle(.foreground)
    }

    /// Begins a session for all users, such as after a sign-in: what caps count of a session begins
    /// anew, and `trigger: session` fires. The first session begins with `start`.
    @discardableResult
    public func beginSession() -> CallOutcome {
        reloadForSession()
        return core.handle(.beginSession)
    }

    /// Shows nothing new on the scheduler, or on any, until `resume`; what shows stays.
    ///
    /// Parts of an app that do not know of each other give their names: neither lifts what the
    /// other suspended.
    @discardableResult
    public func suspend(by owner: String? = nil, scheduler: String? = nil) -> CallOutcome {
        core.handle(.suspend(by: owner, scheduler: scheduler))
    }

    /// Undoes the `suspend` of the same owner for the same scheduler, or the one for all, and no
    /// other.
    @discardableResult
    public func resume(by owner: String? = nil, scheduler: String? = nil) -> CallOutcome {
        core.handle(.resume(by: owner, scheduler: scheduler))
    }

    /// Looks again for something to show, and asks the conditions of hand-made popups. Worth a call
    /// when these read what the engine does not know of, and when the system says that somebody has
    /// set the calendar, because the engine's own waking counts the time that passes.
    @discardableResult
    public func poke() -> CallOutcome {
        core.askForeign()
        return core.handle(.poke)
    }

    /// Reports that a person closed the popup. It is taken down at once.
    @discardableResult
    public func userClosed(_ id: String) -> CallOutcome { core.handle(.userClosed(id)) }

    /// Reports that a person used a button of the popup, by the name of the action that its
    /// template declares. It is taken down at once, unless it stays: a link that opens above it,
    /// say.
    ///
    /// Refused where the template declares no such action, and when the popup is on no screen.
    @discardableResult
    public func acted(_ id: String, _ action: String, stays: Bool = false) -> CallOutcome {
        core.handle(.acted(id, action: action, stays: stays))
    }

    /// Reports that the popup went off the screen without having been asked to.
    @discardableResult
    public func didDisappear(_ id: String) -> CallOutcome { core.handle(.didDisappear(id)) }

    /// Tells that rules were found to be wrong, and that the last good ones stay in force.
    public func refuseRules(_ message: String) { core.tell(.rulesRefused(message: message)) }
}

// MARK: Rules

extension PopupEngine {
    /// Goes on with other rules: waiting tasks take their new definitions, what shows keeps its own
    /// until it ends.
    ///
    /// Works them in on the thread of the caller and holds up no other: what others call meanwhile
    /// is handled afterwards. With thousands of popups call it off the main actor, as `follow`
    /// does.
    public func reload(_ rules: RuleSet) {
        if post(rules) { core.workOff() }
    }

    /// Works other rules in off the caller's actor.
    func reloadElsewhere(_ rules: RuleSet) async {
        if post(rules) { await core.workOffElsewhere() }
    }

    private func post(_ rules: RuleSet) -> Bool {
        let payloads = PayloadTable(rules)
        return context.state.withLock { state in
            state.declare(rules.keys, for: core) { context in
                core.reload(rules, payloads: payloads, context: context)
            }
        }
    }
}

extension EngineCore {
    @concurrent func workOffElsewhere() async { workOff() }
}
