package import PopScheduler

// The basis of PopDebugging.
extension PopupEngine {
    /// A copy of the scheduler, and the current moment.
    package var schedulerNow: (scheduler: Scheduler, moment: Moment) {
        (core.scheduler, core.now)
    }

    /// The reason why the engine can't show anything at all, in words; nil if it can show popups.
    package var standstill: String? { core.standstill }

    /// Shows a popup regardless of its rule.
    package func force(_ id: String) -> CallOutcome { core.handle(.force(id)) }

    /// Erases what is known of a popup and the current user, in memory and in the store. Throws
    /// what keeps the store from it.
    package func forgetPopup(_ id: String) async throws {
        let problem = await core.ask { .forgetPopup(id, $0) }
        if let problem, !(problem is EngineStopped) { throw problem }
    }

    /// Keeps what comes in from now on, in place of what was kept before.
    package func beginRecording() { core.beginRecording() }

    /// Returns the recording so far, and ends it if `ends` is set; nil if nothing is being
    /// recorded.
    package func recording(ends: Bool) -> Recording? { core.recording(ends: ends) }
}
