internal import PopScheduler

/// What the main actor was asked and has not answered.
struct Question {
    /// Tells it apart from an earlier one.
    let number: Int
    let moment: Moment
    /// Hears whether the answer came before the time was over.
    let isAnswered: CheckedContinuation<Bool, Never>
}

extension EngineCore {
    /// Only an earlier waking takes the place of one that is set: a sleep that is cancelled may
    /// keep its memory until its time has come, and one that ends too early does nothing but set
    /// the next.
    func armWake(_ state: inout State) {
        guard state.life != .stopped, let due = due(state) else { return }
        if let wake = state.wake, wake.instant <= due { return }
        state.wake?.task.cancel()
        let task = Task { [weak self, clock] in
            try? await clock.sleep(until: due)
            if !Task.isCancelled { self?.wakeUp(due) }
        }
        state.wake = (due, task)
    }

    private func due(_ state: borrowing State) -> Duration? {
        [state.scheduler.nextWake, nextSilence(state), state.hasStarted ? nil : state.startDue]
            .compactMap { $0 }.min()
    }

    private func nextSilence(_ state: borrowing State) -> Duration? {
        state.question.map { $0.moment.instant + limits.silence }
    }

    var nextSilence: Duration? { state.withLock { nextSilence($0) } }

    private func wakeUp(_ due: Duration) {
        state.withLock { if $0.wake?.instant == due { $0.wake = nil } }
        wakeUp()
    }

    /// Does what is due.
    func wakeUp() {
        let question = state.withLock { state in
            remarkIfNotStarted(&state)
            return questionGivenUp(&state)
        }
        question?.isAnswered.resume(returning: false)
        handle(.timePassed)
    }
}

// MARK: The main actor

extension EngineCore {
    /// Has the main actor do something, and returns when it has, or when it was silent for too
    /// long: then false.
    func askMainActor(_ question: @escaping @MainActor @Sendable () -> Void) async -> Bool {
        await withCheckedContinuation { isAnswered in
            let (number, isBlocked) = state.withLock { state -> (Int, Bool) in
                state.questions += 1
                state.underWay += 1
                let isBlocked = state.blockedSince != nil || state.life == .stopped
                if !isBlocked {
                    state.question = Question(
                        number: state.questions, moment: clock.now, isAnswered: isAnswered)
                    armWake(&state)
                }
                return (state.questions, isBlocked)
            }
            Task { @MainActor in
                question()
                answered(number)
            }
            // It has been waited for before, in vain.
            if isBlocked { isAnswered.resume(returning: false) }
        }
    }

    private func answered(_ number: Int) {
        let question = state.withLock { state -> Question? in
            state.underWay -= 1
            if state.blockedSince != nil {
                state.blockedSince = nil
                put(.tell(.mainActorFree, clock.now), &state)
            }
            guard state.question?.number == number else { return nil }
            defer { state.question = nil }
            return state.question
        }
        question?.isAnswered.resume(returning: true)
    }

    private func questionGivenUp(_ state: inout State) -> Question? {
        guard let question = state.question,
            question.moment.instant + limits.silence <= clock.now.instant
        else { return nil }
        state.question = nil
        state.blockedSince = question.moment
        put(.tell(.mainActorBlocked(since: question.moment), clock.now), &state)
        return question
    }
}

// MARK: The start

extension Suspension {
    /// What an engine holds back before its start. No app has an owner of this name.
    static let untilStart = Suspension(by: "\u{0}start")
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
        remark([.notStarted], &state)
    }

    var isStopped: Bool { state.withLock { $0.life != .running } }
    var hasEnded: Bool { state.withLock { $0.life == .stopped } }

    /// What keeps the engine itself from showing anything.
    var standstill: String? {
        state.withLock { state in
            if let since = state.blockedSince {
                return "the main actor has not answered since \(since.date): the app does not run "
                    + "its main queue, or something blocks it"
            }
            switch state.life {
            case .running: return state.hasStarted ? nil : CallRemark.notStarted.description
            case .closing, .stopped: return "the engine was stopped"
            }
        }
    }
}
