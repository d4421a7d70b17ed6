internal import PopScheduler
internal import PopSource

extension EngineCore {
    /// Enqueues a popup and returns when its task has ended, or when the waiting is cancelled.
    func show(_ input: (Follower) -> Input) async -> PopupEnding {
        let waiter = EndingWaiter()
        // Immediately, in its order among the calls of the caller.
        enqueue(input, follower: .waiting(waiter))
        return await withTaskCancellationHandler {
            await waiter.wait()
        } onCancel: {
            waiter.end(.waitCancelled)
            state.withLock { $0.followers.remove(waiter) }
        }
    }

    /// Enqueues a popup and reports the steps of its task to a follower.
    @discardableResult
    func enqueue(_ input: (Follower) -> Input, follower: Follower) -> CallOutcome {
        let outcome = handle(input(follower))
        if outcome.state == .stopped { tell(follower, .ended(.stopped)) }
        return outcome
    }

    /// Creates a task, or finds the live one, and adds its follower before any effect of the event
    /// is performed.
    func enqueue(
        _ event: Event, follower: Follower?, at moment: Moment, state: inout State
    ) -> [Effect] {
        record(event, at: moment, state: &state)
        let effects = state.scheduler.handle(event, at: moment)
        if let follower, let popup = event.enqueued {
            follow(popup, follower, after: effects, state: &state)
        }
        perform(EffectBatch(effects), at: moment, state: &state)
        return effects
    }

    private func follow(
        _ popup: String, _ follower: Follower, after effects: [Effect], state: inout State
    ) {
        for case .emit(let event) in effects {
            switch event {
            case .queued(let task), .coalesced(let task):
                guard task.popup == popup else { continue }
                let progress = state.scheduler.progress(of: popup)
                return state.followers.add(follower, to: task, progress: progress)
            case .remembered(let task):
                guard task.popup == popup else { continue }
                return state.followers.add(follower, toNextTaskOf: popup)
            case .notMade(popup, let reason):
                return tell(follower, .ended(.neverShown(reason)), state: &state)
            case .rejected(let rejection):
                return tell(follower, .ended(.refused(rejection)), state: &state)
            case .notMade, .willShow, .postponed, .exposed, .shown, .acted, .converted,
                .willDismiss, .requeued, .dismissed, .discarded, .cancelled, .failed,
                .conditionError, .zoneUnknown, .emptyPlaceholder, .animationTimeout:
                continue
            }
        }
        // No task was made and no reason was reported: nothing must wait for it.
        tell(follower, .ended(.neverShown(.notTriggered)), state: &state)
    }
}

extension Event {
    /// The popup of which it makes a task.
    fileprivate var enqueued: String? {
        switch self {
        case .enqueue(let id): id
        case .enqueueForeign(let popup, _): popup.id
        case .started, .update, .send, .force, .setForeign, .dismiss, .remove, .removeAll,
            .suspend, .resume, .switchUser, .forget, .forgetPopup, .historyChanged, .reload,
            .zoneChanged, .forceArm, .beginSession, .background, .foreground, .poke, .timePassed,
            .answered, .didPresent, .presentFailed, .didDismiss, .userClosed, .acted,
            .didDisappear:
            nil
        }
    }
}

// MARK: Telling

extension EngineCore {
    /// Reports an event to the followers of its task, after all earlier decisions were performed.
    func tellFollowers(of event: HostEvent) {
        guard let told = state.withLock({ $0.followers.take(event) }) else { return }
        for follower in told.followers { tell(follower, told.step) }
    }

    /// Returns the first answer of the task's followers that isn't `show`; nil if they all agree.
    @MainActor
    func objection(to popup: Popup) -> WillShowAnswer? {
        let asked = state.withLock { $0.followers.callbacks(of: popup.presentation.task) }
        for callbacks in asked {
            if let answer = callbacks.willShow?(popup), answer != .show { return answer }
        }
        return nil
    }

    /// Ends all followers, because no task makes progress any more.
    func endFollowing() {
        let left = state.withLock { $0.followers.removeAll() }
        for follower in left { tell(follower, .ended(.stopped)) }
    }

    private func tell(_ follower: Follower, _ step: FollowedStep) {
        state.withLock { tell(follower, step, state: &$0) }
    }

    func tell(_ follower: Follower, _ step: FollowedStep, state: inout State) {
        switch follower {
        case .waiting(let waiter): if case .ended(let ending) = step { waiter.end(ending) }
        case .called(let callbacks):
            guard let call = callbacks.call(for: step) else { return }
            state.underWay += 1
            Task { @MainActor [self] in
                call()
                workEnded()
            }
        }
    }
}
