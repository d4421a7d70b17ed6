package import PopCEL
package import PopScheduler
internal import PopSource

/// What came into an engine while somebody recorded it: as the same inputs at the same moments have
/// the same effects, all that happened.
package struct Recording: Sendable {
    package struct Entry: Sendable {
        package let input: Input
        package let moment: Moment
    }

    package enum Input: Sendable {
        /// What the scheduler was told.
        case event(Event)
        /// What the app had a popup say while it showed.
        case content(popup: String, [String: Value])
    }

    /// As it was when the recording began.
    package let scheduler: Scheduler
    /// When that was.
    package let moment: Moment
    package private(set) var entries: [Entry] = []
    /// How many inputs there were beyond those that are kept.
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

    /// What was recorded so far; nil when nobody does.
    func recording(ends: Bool) -> Recording? {
        state.withLock { state in
            defer { if ends { state.recording = nil } }
            return state.recording
        }
    }
}
