public import PopCEL
public import PopScheduler
internal import PopSource

extension PopupEngine {
    /// Fires `trigger: start` and lets popups show; only the first call has an effect. The first
    /// popup is chosen by the current values of the context.
    ///
    /// Calls from before take effect immediately, except that nothing shows: popups that they put
    /// into a queue wait there, after started popups with a higher priority.
    @discardableResult
    public func start() -> CallOutcome { core.start() }

    /// Reports an app event to the engine: popups with this trigger get a task, and the history
    /// counts it.
    ///
    /// The outcome names fields that the rules do not declare, and declared fields that are
    /// missing. A value of the wrong type is refused.
    @discardableResult
    public func send(_ event: String, _ payload: [String: Value] = [:]) -> CallOutcome {
        core.send(event, payload: payload)
    }

    /// Takes the popup down, once it has been visible for its `min_show`; one that waits ends.
    @discardableResult
    public func dismiss(_ id: String) -> CallOutcome { core.handle(.dismiss(id)) }

    /// Ends the popup's task immediately, and takes it off the screen first if it shows.
    @discardableResult
    public func remove(_ id: String) -> CallOutcome { core.handle(.remove(id)) }

    /// Empties the queues and dismisses what shows.
    @discardableResult
    public func removeAll() -> CallOutcome { core.handle(.removeAll) }

    /// Reports the device's time zone to the engine. Call it at the start and after each change,
    /// with an IANA name such as `Europe/Berlin`, or an offset such as `+02:00`. Times that the
    /// rules mark with `zone: local` are read in this zone; UTC until the first call.
    @discardableResult
    public func zoneChanged(_ zone: String) -> CallOutcome { core.handle(.zoneChanged(zone)) }

    /// Forces the user's arm of a popup's experiment, from its next task on: the name of a variant,
    /// or `control`; nil returns to the normal assignment. For tests and debugging.
    @discardableResult
    public func forceArm(_ arm: String?, of popup: String) -> CallOutcome {
        core.handle(.forceArm(popup: popup, arm: arm))
    }

    /// Reports that the app goes to the background. Nothing new is shown until `foreground`, and no
    /// time is visible time: `hide_after`, `min_show`, `grace`, `delay` and `gap` are paused.
    @discardableResult
    public func background() -> CallOutcome { core.handle(.background) }

    /// Reports that the app is back. After the `session.timeout` of the rules, measured by the
    /// calendar, a session begins.
    @discardableResult
    public func foreground() -> CallOutcome {
        if core.isNextSessionDue { reloadForSession() }
        return core.handle(.foreground)
    }

    /// Begins a session for all users, such as after a sign-in: the session counts of caps start
    /// from zero, and `trigger: session` fires. The first session begins with `start`.
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

    /// Looks again for something to show, and evaluates the conditions of hand-made popups. Call it
    /// if these read data that the engine doesn't know, and when the system reports that the
    /// calendar was set, because the engine's own waking counts the time that passes.
    @discardableResult
    public func poke() -> CallOutcome {
        core.askForeign()
        return core.handle(.poke)
    }

    /// Reports that the user closed the popup. It is taken down immediately.
    @discardableResult
    public func userClosed(_ id: String) -> CallOutcome { core.handle(.userClosed(id)) }

    /// Reports that the user used a button of the popup, by the name of the action that its
    /// template declares. It is taken down immediately, unless it stays: for example, if a link
    /// opens above it.
    ///
    /// Refused if the template declares no such action, and if the popup isn't on a screen.
    @discardableResult
    public func acted(_ id: String, _ action: String, stays: Bool = false) -> CallOutcome {
        core.handle(.acted(id, action: action, stays: stays))
    }

    /// Reports that the popup went off the screen without having been asked to.
    @discardableResult
    public func didDisappear(_ id: String) -> CallOutcome { core.handle(.didDisappear(id)) }

    /// Reports that rules were found to be wrong, and that the last good ones stay in force.
    public func refuseRules(_ message: String) { core.tell(.rulesRefused(message: message)) }
}

// MARK: Rules

extension PopupEngine {
    /// Continues with other rules: waiting tasks take their new definitions; popups that show keep
    /// their old ones until they end.
    ///
    /// The rules are loaded on the caller's thread, and other callers aren't blocked: their calls
    /// are handled afterward. With thousands of popups, call it off the main actor, as `follow`
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
