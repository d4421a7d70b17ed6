public import PopScheduler
internal import PopSource

/// The time when new rules replace the rules in force while the app runs.
public enum RollOut: Sendable, Hashable, CaseIterable {
    /// As soon as they come.
    case atOnce
    /// When the next session begins: until then, the user of the app keeps the current rules. An
    /// engine that wasn't started takes the new rules immediately.
    case betweenSessions
}

extension PopupEngine {
    /// Continues with other rules, immediately or from the next session on. If several rule sets
    /// wait for the session, or others are loaded in the meantime, the last one counts.
    ///
    /// They are loaded on the thread that calls `beginSession`, or the `foreground` that begins a
    /// session.
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

    /// Indicates whether a session begins if the app comes back to the foreground now.
    var isNextSessionDue: Bool {
        state.withLock { state in
            state.nextRules != nil && state.scheduler.beginsSession(comingBackAt: clock.now.date)
        }
    }
}
