public import PopScheduler
internal import PopSource

/// When rules that come while the app runs take the place of those in force.
public enum RollOut: Sendable, Hashable, CaseIterable {
    /// As soon as they come.
    case atOnce
    /// When the next session begins: whoever uses the app now goes on with the rules they have. An
    /// engine that was not started takes them at once.
    case betweenSessions
}

extension PopupEngine {
    /// Goes on with other rules, at once or from the next session on. Of several that wait for it,
    /// and of those that are loaded meanwhile, the last count.
    ///
    /// They are worked in on the thread that calls `beginSession`, or the `foreground` that begins
    /// one.
    public func reload(_ rules: RuleSet, rollOut: RollOut) {
        if !core.keepsForLater(rules, rollOut) { reload(rules) }
    }

    /// Goes on with the rules that wait for a session.
    func reloadForSession() {
        if let rules = core.takeNextRules() { reload(rules) }
    }
}

extension EngineCore {
    func keepsForLater(_ rules: RuleSet, _ rollOut: RollOut) -> Bool {
        state.withLock { state in
            guard rollOut == .betweenSessions, state.hasStarted, state.life == .running else {
                return false
            }
            state.nextRules = rules
            return true
        }
    }

    func takeNextRules() -> RuleSet? {
        state.withLock { state in
            defer { state.nextRules = nil }
            return state.nextRules
        }
    }

    /// Whether coming back to the foreground begins a session.
    var isNextSessionDue: Bool {
        state.withLock { state in
            state.nextRules != nil && state.scheduler.beginsSession(comingBackAt: clock.now.date)
        }
    }
}
