internal import PopScheduler
internal import PopSource

/// A party that may leave a question unanswered.
enum Asked: Sendable { case mainActor, store }

/// A question that hasn't been answered yet.
struct PendingQuestion {
    let asked: Asked
    /// Distinguishes it from an earlier question.
    let number: Int
    let moment: Moment
    /// Receives whether the answer came in time.
    let isAnswered: CheckedContinuation<Bool, Never>
}

extension EngineCore {
    /// Has the main actor do something, and returns when it has, or when it was silent for too
    /// long: then false.
    func askMainActor(_ question: @escaping @MainActor @Sendable () -> Void) async -> Bool {
        await ask(.mainActor) { await question() }
    }

    /// Does the same with a call of the store.
    func askStore(_ call: @escaping @Sendable () async -> Void) async -> Bool {
        await ask(.store, question: call)
    }

    private func ask(
        _ asked: Asked, question: @escaping @Sendable () async -> Void
    ) async -> Bool {
        await withCheckedContinuation { isAnswered in
            let (number, isWaitedFor) = state.withLock { state -> (Int, Bool) in
                state.questions += 1
                state.underWay += 1
                // A main actor that has been waited for in vain is not waited for again.
                let isWaitedFor =
                    asked == .store || state.blockedSince == nil && state.life != .stopped
                if isWaitedFor {
                    state.question = PendingQuestion(
                        asked: asked, number: state.questions, moment: clock.now,
                        isAnswered: isAnswered)
                    armWake(&state)
                }
                return (state.questions, isWaitedFor)
            }
            Task {
                await question()
                answered(number, asked: asked)
            }
            if !isWaitedFor { isAnswered.resume(returning: false) }
        }
    }

    private func answered(_ number: Int, asked: Asked) {
        let question = state.withLock { state -> PendingQuestion? in
            state.underWay -= 1
            if asked == .mainActor, state.blockedSince != nil {
                state.blockedSince = nil
                put(.tell(.mainActorFree, clock.now), state: &state)
            }
            guard state.question?.number == number else {
                if asked == .store { put(.storeAnswered, state: &state) }
                return nil
            }
            defer { state.question = nil }
            return state.question
        }
        question?.isAnswered.resume(returning: true)
    }

    /// The question whose answer is not waited for any longer.
    func questionGivenUp(_ state: inout State) -> PendingQuestion? {
        guard let question = state.question,
            question.moment.instant + limits.silence <= clock.now.instant
        else { return nil }
        state.question = nil
        if question.asked == .mainActor {
            state.blockedSince = question.moment
            put(.tell(.mainActorBlocked(since: question.moment), clock.now), state: &state)
        }
        return question
    }

    /// When the main actor will have been silent for too long; nil while it owes no answer.
    var nextSilence: Duration? {
        state.withLock { state in
            guard let question = state.question, question.asked == .mainActor else { return nil }
            return question.moment.instant + limits.silence
        }
    }
}
