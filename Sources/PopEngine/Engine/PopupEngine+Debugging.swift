package import PopScheduler

// What PopDebugging stands on.
extension PopupEngine {
    /// The scheduler as it is.
    package var schedulerNow: (scheduler: Scheduler, moment: Moment) {
        (core.scheduler, core.now)
    }

    /// What keeps the engine from showing anything at all, in words; nil when nothing does.
    package var standstill: String? { core.standstill }

    /// Shows a popup whatever its rule says.
    package func force(_ id: String) -> CallOutcome { core.handle(.force(id)) }

    /// Erases what is known of a popup and the current user, in memory and in the store. Throws
    /// what keeps the store from it.
    package func forgetPopup(_ id: String) async throws {
        let problem = await core.ask { .forgetPopup(id, $0) }
        if let problem, !(problem is EngineStopped) { throw problem }
    }

    /// Keeps what comes in from now on, in place of what was kept before.
    package func beginRecording() { core.beginRecording() }

    /// What was recorded so far, and is no longer if it `ends`; nil when nothing is.
    package func recording(ends: Bool) -> Recording? { core.recording(ends: ends) }
}
