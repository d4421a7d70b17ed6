public import PopScheduler

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
