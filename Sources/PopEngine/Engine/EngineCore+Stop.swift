internal import PopScheduler
internal import PopSource

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
