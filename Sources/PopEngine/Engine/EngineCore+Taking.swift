internal import PopScheduler

extension EngineCore {
    /// Takes a light input in.
    func take(_ timed: TimedInput, state: inout State) -> CallOutcome {
        switch timed.input {
        case .event(let event):
            let remarks = state.scheduler.remarks(on: event)
            remark(remarks, state: &state)
            let effects = handle(event, at: timed.moment, state: &state)
            let repeated = event.reportsRepeats ? CallRemark.repeated(effects) : []
            return CallOutcome(of: effects).with(remarks + repeated)
        case .enqueue(let id, let follower):
            let effects = enqueue(
                .enqueue(id), follower: follower, at: timed.moment, state: &state)
            return CallOutcome(of: effects).with(CallRemark.repeated(effects))
        case .foreign(let popup, let condition, let isTrue, let follower):
            let effects = enqueue(
                popup, condition: condition, isTrue: isTrue, follower: follower,
                at: timed.moment, state: &state)
            return CallOutcome(of: effects).with(CallRemark.repeated(effects))
        case .content(let id, let values):
            return change(id, by: values, at: timed.moment, state: &state)
        case .setForeign(let entry, let isTrue):
            if state.foreign.set(entry, isTrue: isTrue) {
                _ = handle(.setForeign(entry.id, isTrue: isTrue), at: timed.moment, state: &state)
            }
        case .flush(let answer):
            pass(.flush(answer), answer: answer, state: &state)
        case .stop(let dismissing):
            stop(dismissing, at: timed.moment, state: &state)
        case .reload, .switchUser, .forget, .forgetPopup, .historyChanged: break
        }
        return .taken
    }

    func handle(_ event: Event, at moment: Moment, state: inout State) -> [Effect] {
        record(event, at: moment, state: &state)
        let effects = state.scheduler.handle(event, at: moment)
        perform(EffectBatch(effects), at: moment, state: &state)
        return effects
    }

    /// Passes a scheduler's decisions to the stage, and keeps the data that the core itself needs.
    func perform(_ batch: EffectBatch, at moment: Moment, state: inout State) {
        for (user, record) in batch.records where user != state.user {
            state.formerUsers.apply(record, user: user)
        }
        if !state.foreign.isEmpty {
            for popup in batch.ended where !state.scheduler.isHandMade(popup) {
                state.foreign.remove(popup)
            }
        }
        for (follower, reason) in state.followers.takeNext(batch.others) {
            tell(follower, .ended(.neverShown(reason)), state: &state)
        }
        if !state.contents.isEmpty { state.contents.drop(after: batch.others) }
        if !batch.isEmpty {
            let followers = state.followers
            change(&state) { $0.add(batch, at: moment, for: followers) }
        }
        tellStatuses(&state)
        armWake(&state)
        endIfDone(&state)
    }

    /// Passes work to the store that has to precede the records of the scheduler's decision, so
    /// that a popup that comes up at that moment is recorded after it.
    func begin(_ timed: TimedInput, state: inout State) {
        if case .forgetPopup(let popup, let answer) = timed.input {
            pass(.forgetPopup(popup, user: state.user, answer), answer: answer, state: &state)
        }
    }

    func finish(
        _ timed: TimedInput, retention: HistoryRetention?, state: inout State
    ) {
        if let retention {
            put(.tell(.rulesReloaded, timed.moment), state: &state)
            put(.prune(retention), state: &state)
        }
        switch timed.input {
        case .forget(let user, let answer):
            pass(.forget(user, answer), answer: answer, state: &state)
        case .switchUser where !state.foreign.isEmpty: put(.askForeign, state: &state)
        case .switchUser, .event, .enqueue, .foreign, .content, .setForeign, .reload,
            .forgetPopup, .historyChanged, .flush, .stop:
            break
        }
    }

    /// Passes a question to the stage, or answers it if the stage has ended.
    func pass(_ work: Work, answer: Input.Answer, state: inout State) {
        if !put(work, state: &state) { answer.resume(returning: EngineStopped()) }
    }
}
