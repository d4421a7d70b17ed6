internal import PopScheduler
internal import PopSource

extension EngineCore {
    /// Only an earlier waking takes the place of one that is set: a sleep that is cancelled may
    /// keep its memory until its time has come, and one that ends too early does nothing but set
    /// the next.
    func armWake(_ state: inout State) {
        guard let due = due(state) else { return }
        if let wake = state.wake, wake.instant <= due { return }
        state.wake?.task.cancel()
        let task = Task { [weak self, clock] in
            try? await clock.sleep(until: due)
            if !Task.isCancelled { self?.wakeUp(due) }
        }
        state.wake = (due, task)
    }

    private func due(_ state: borrowing State) -> Duration? {
        let patienceEnds = state.question.map { $0.moment.instant + limits.silence }
        // A stopped engine only waits for its store.
        guard state.life != .stopped else { return patienceEnds }
        let startDue = state.hasStarted ? nil : state.startDue
        return [state.scheduler.nextWake, patienceEnds, startDue, state.statusDue].compactMap { $0 }
            .min()
    }

    private func wakeUp(_ due: Duration) {
        state.withLock { if $0.wake?.instant == due { $0.wake = nil } }
        wakeUp()
    }

    /// Does what is due.
    func wakeUp() {
        let question = state.withLock { state in
            remarkIfNotStarted(&state)
            let question = questionGivenUp(&state)
            // No later input arms it any more.
            if state.life == .stopped { armWake(&state) }
            return question
        }
        question?.isAnswered.resume(returning: false)
        handle(.timePassed)
    }
}

// MARK: The start

extension Suspension {
    /// The suspension that blocks an engine before its start. No app has an owner of this name.
    package static let untilStart = Suspension(by: "\u{0}start")
}

extension EngineCore {
    /// Only the first call starts.
    func start() -> CallOutcome {
        let isFirst = state.withLock { state in
            defer { state.hasStarted = true }
            return !state.hasStarted
        }
        guard !isFirst else { return handle(.started) }
        return isStopped ? .stopped : .taken
    }

    /// From the first call on, an engine that is not started is waited for.
    func expectStart(_ state: inout State) {
        guard !state.hasStarted, state.startDue == nil else { return }
        state.startDue = clock.now.instant + limits.silence
        armWake(&state)
    }

    private func remarkIfNotStarted(_ state: inout State) {
        guard !state.hasStarted, let due = state.startDue, due <= clock.now.instant else { return }
        state.startDue = .seconds(Int64.max)
        remark([.notStarted], state: &state)
    }

    var isStopped: Bool { state.withLock { $0.life != .running } }
    var hasEnded: Bool { state.withLock { $0.life == .stopped } }

    /// The reason why the engine itself can't show anything, in words; nil if it can show popups.
    var standstill: String? {
        state.withLock { state in
            if let since = state.blockedSince {
                return "the main actor has not responded since \(since.date): the app does not run "
                    + "its main queue, or the queue is blocked"
            }
            switch state.life {
            case .running: return state.hasStarted ? nil : CallRemark.notStarted.description
            case .closing, .stopped: return "the engine was stopped"
            }
        }
    }
}
