public import PopScheduler
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

extension PopupEngine {
    /// Creates a task for the popup, as `enqueue` does, and returns how it ended.
    ///
    /// If the popup already waits or shows, this waits for its task; if the popup is leaving, for
    /// its next task. Events of the task, its end included, are reported before this returns.
    /// Cancelling the Swift task that waits only ends the waiting. A Swift task that awaits this
    /// keeps the engine alive; `enqueue` with callbacks doesn't. Neither a store nor `willShow`,
    /// `present` and `dismiss` may wait for it: the engine waits for them.
    @discardableResult
    public func show(_ id: String) async -> PopupEnding {
        await core.show { .enqueue(id, $0) }
    }

    /// Does the same with a popup that the app makes by hand.
    @discardableResult
    public func show(
        _ popup: ForeignPopup,
        when condition: @escaping @Sendable (ContextValues) -> Bool = { _ in true }
    ) async -> PopupEnding {
        let isTrue = condition(context.snapshot)
        return await core.show { .foreign(popup, .anywhere(condition), isTrue: isTrue, $0) }
    }

    /// Creates a task for the popup, regardless of its triggers. The callbacks report what happens
    /// to the task; `ended` is called even if no task is made.
    @discardableResult
    public func enqueue(_ id: String, calling callbacks: PopupCallbacks? = nil) -> CallOutcome {
        guard let callbacks else { return core.handle(.enqueue(id)) }
        return core.enqueue({ .enqueue(id, $0) }, follower: .called(callbacks))
    }

    /// Gives a popup that the app makes by hand a place in the queue of its scheduler.
    ///
    /// The condition is evaluated whenever the context changes, and right before the popup shows;
    /// it runs on any thread. The presenter is asked to show the popup; the app reports its end by
    /// `didDisappear` or `userClosed`. The callbacks report what happens to the task.
    @discardableResult
    public func enqueue(
        _ popup: ForeignPopup, calling callbacks: PopupCallbacks? = nil,
        when condition: @escaping @Sendable (ContextValues) -> Bool = { _ in true }
    ) -> CallOutcome {
        let isTrue = condition(context.snapshot)
        return enqueue(popup, calling: callbacks, condition: .anywhere(condition), isTrue: isTrue)
    }

    /// Does the same with a condition that reads what belongs to the main actor, such as the state
    /// of a view.
    ///
    /// It is asked when the context changes and right before the popup shows, and may not be asked
    /// at other times: after a change of what else it reads, call `poke`.
    @MainActor
    @discardableResult
    public func enqueue(
        _ popup: ForeignPopup, calling callbacks: PopupCallbacks? = nil,
        whenOnMain condition: @escaping @MainActor @Sendable (ContextValues) -> Bool
    ) -> CallOutcome {
        let isTrue = condition(context.snapshot)
        return enqueue(
            popup, calling: callbacks, condition: .onMainActor(condition), isTrue: isTrue)
    }

    private func enqueue(
        _ popup: ForeignPopup, calling callbacks: PopupCallbacks?, condition: ForeignCondition,
        isTrue: Bool
    ) -> CallOutcome {
        guard let callbacks else {
            return core.handle(.foreign(popup, condition, isTrue: isTrue, nil))
        }
        return core.enqueue(
            { .foreign(popup, condition, isTrue: isTrue, $0) }, follower: .called(callbacks))
    }
}
