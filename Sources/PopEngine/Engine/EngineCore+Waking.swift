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

/// The end of an engine: whether it has come, its result, and the calls that wait for it.
struct Ending {
    var hasCome = false
    /// The problem that prevented the store from saving everything.
    var problem: (any Error)?
    var waiting: [CheckedContinuation<(any Error)?, Never>] = []
}

extension EngineCore {
    /// Refuses all later calls. The stage ends once the earlier calls have had their effect and, if
    /// requested, the popups on screen are dismissed. If the stop waits for popups to be dismissed,
    /// a second call can end that waiting.
    func stop(dismissing: Bool) {
        state.withLock { state in
            guard state.life == .running || state.life == .closing && !dismissing else { return }
            state.life = .closing
            endFollowingRules(&state)
            if state.inputs == nil {
                stop(dismissing, at: clock.now, state: &state)
            } else {
                state.inputs?.append(
                    TimedInput(input: .stop(dismissing: dismissing), moment: clock.now))
            }
        }
    }

    func stop(_ dismissing: Bool, at moment: Moment, state: inout State) {
        guard dismissing else { return close(&state) }
        record(.removeAll, at: moment, state: &state)
        var effects = state.scheduler.handle(.removeAll, at: moment)
        for popup in state.scheduler.showing.values.ordered() {
            effects += state.scheduler.handle(.remove(popup), at: moment)
        }
        perform(EffectBatch(effects), at: moment, state: &state)
    }

    /// Closes a stopped engine once all of its popups are dismissed.
    func endIfDone(_ state: inout State) {
        guard state.life == .closing, state.inputs == nil, state.scheduler.isEmpty else { return }
        close(&state)
    }

    /// The stage has done everything and ends.
    func stageEnded(_ problem: (any Error)?) {
        let waiting = state.withLock { state in
            state.ending.hasCome = true
            state.ending.problem = problem
            state.wake?.task.cancel()
            state.wake = nil
            defer { state.ending.waiting = [] }
            return state.ending.waiting
        }
        endFollowing()
        for continuation in waiting { continuation.resume(returning: problem) }
    }

    /// Returns when the stage has ended, with what kept the store from taking everything.
    func waitForEnd() async -> (any Error)? {
        await withCheckedContinuation { continuation in
            let (hasCome, problem) = state.withLock { state -> (Bool, (any Error)?) in
                if !state.ending.hasCome { state.ending.waiting.append(continuation) }
                return (state.ending.hasCome, state.ending.problem)
            }
            if hasCome { continuation.resume(returning: problem) }
        }
    }

    /// Returns when everything that was called before is kept, with what prevented that.
    func flush() async -> (any Error)? {
        let problem = await ask { .flush($0) }
        return problem is EngineStopped ? await waitForEnd() : problem
    }

    /// Returns the stage's answer to an input; `EngineStopped` if the stage has ended.
    func ask(_ input: (Input.Answer) -> Input) async -> (any Error)? {
        await withCheckedContinuation { answer in
            if handle(input(answer)).state == .stopped { answer.resume(returning: EngineStopped()) }
        }
    }
}

/// The stage has ended.
struct EngineStopped: Error {}
