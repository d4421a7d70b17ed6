package import PopCEL
package import PopScheduler
internal import PopSource

/// The inputs of an engine during a recording. Because the same inputs at the same moments have the
/// same effects, they determine all that happened.
package struct Recording: Sendable {
    package struct Entry: Sendable {
        package let input: Input
        package let moment: Moment
    }

    package enum Input: Sendable {
        /// An event that the scheduler received.
        case event(Event)
        /// A content change that the app made while a popup showed.
        case content(popup: String, [String: Value])
    }

    /// As it was when the recording began.
    package let scheduler: Scheduler
    /// When that was.
    package let moment: Moment
    package private(set) var entries: [Entry] = []
    /// The number of inputs beyond those that are kept.
    package private(set) var leftOut = 0

    mutating func add(_ input: Input, at moment: Moment, limit: Int) {
        guard entries.count < limit else { return leftOut += 1 }
        entries.append(Entry(input: input, moment: moment))
    }
}

extension EngineCore {
    func record(_ event: Event, at moment: Moment, state: inout State) {
        record(.event(event), at: moment, state: &state)
    }

    func record(_ input: Recording.Input, at moment: Moment, state: inout State) {
        state.recording?.add(input, at: moment, limit: limits.recordedInputs)
    }

    func beginRecording() {
        state.withLock { state in
            state.recording = Recording(scheduler: state.scheduler, moment: clock.now)
        }
    }

    /// Returns the recording so far; nil if nothing is being recorded.
    func recording(ends: Bool) -> Recording? {
        state.withLock { state in
            defer { if ends { state.recording = nil } }
            return state.recording
        }
    }
}

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
