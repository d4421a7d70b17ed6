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
