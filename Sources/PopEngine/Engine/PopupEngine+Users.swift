public import PopCEL
internal import PopScheduler
internal import PopSource

extension PopupEngine {
    /// Ends all tasks and goes on with another user's history. Until that is read the calls of
    /// others go to the user before, whose popups go on.
    ///
    /// To the user who is there already it is a switch too: what shows goes, `start` fires again,
    /// and what then shows counts for its caps. Call it when the user changes, not whenever you
    /// learn who it is.
    ///
    /// Of several calls that are under way at a time the last one counts, whichever user is read
    /// first; the outcome of the others is `superseded`. The context stays as it is.
    @discardableResult
    public func switchUser(_ user: String) async -> CallOutcome {
        await switchUser(user) { core, ticket, loaded in
            core.switchUser(user, ticket: ticket, loaded: loaded, context: nil)
        }
    }

    /// Goes on with another user and their context in one step: no popup is chosen by the values of
    /// one and the history of the other.
    ///
    /// Keys that are neither in the new context nor among those to be kept go back to their
    /// defaults. Values that the rules refuse are left out.
    @discardableResult
    public func switchUser(
        _ user: String, context values: [String: Value], keeping kept: Set<String> = []
    ) async -> CallOutcome {
        await switchUser(user) { [context] core, ticket, loaded in
            var mustWork = false
            let outcome = context.state.withLock { state in
                state.replace(with: values, keeping: kept, for: core) { values in
                    let posted = core.switchUser(
                        user, ticket: ticket, loaded: loaded, context: values)
                    mustWork = posted?.mustWork == true
                    return posted?.outcome
                }
            }
            return outcome.map { ($0, mustWork) }
        }
    }

    private func switchUser(
        _ user: String,
        post: (EngineCore, Int, History) -> (outcome: CallOutcome, mustWork: Bool)?
    ) async -> CallOutcome {
        let (ticket, known) = core.beginSwitch(to: user)
        var loaded = LoadedHistory()
        if let known { loaded.history = known } else { loaded = await core.load(user) }
        core.tell(loaded.problem)
        guard let (outcome, mustWork) = post(core, ticket, loaded.history) else {
            return CallOutcome(core.isStopped ? .stopped : .superseded)
        }
        guard mustWork else { return outcome }
        await core.workOffElsewhere()
        return CallOutcome(
            outcome.state == .waits ? .taken : outcome.state, rejections: outcome.rejections,
            remarks: outcome.remarks)
    }

    /// Erases what is known of a user: in memory, what waits to be written, and in the store, which
    /// has done so when this returns.
    ///
    /// For the current user everything begins anew, as though they came for the first time; what
    /// shows is taken down and leaves no trace. Throws what the store says when it cannot erase: it
    /// is then asked again with every write, and until it can, nothing of what it holds of that
    /// user is used. That ends with the engine: what the store still holds then is told as
    /// `EngineEvent.Kind.removalsLost`, and is to be forgotten again after the next start. At most
    /// `EngineLimits.unsavedRemovals` users wait for the store; of one more this throws
    /// `TooManyRemovals`.
    public func forget(user: String) async throws {
        guard let problem = await core.forget(user) else { return }
        guard problem is EngineStopped else { throw problem }
        _ = await core.waitForEnd()
        try await store.remove(user: user)
    }
}

// MARK: The end

extension PopupEngine {
    /// Returns when everything that was called before is kept by the store. Throws what the store
    /// says when it is not, or that it does not answer; it is then asked again with the next
    /// record.
    ///
    /// A call of the store itself must not wait for it.
    public func flush() async throws {
        if let problem = await core.flush() { throw problem }
    }

    /// Ends everything, and returns when what was called before is kept, or told to be lost, and
    /// the presenter is released. No call has any effect from now on, and the sequences of events
    /// end.
    ///
    /// A popup that shows stays on the screen, unless it is to be dismissed: then the engine ends
    /// when it is gone, or the presenter's time for that is over. A store that does not answer is
    /// given up after `EngineLimits.silence`.
    ///
    /// Where `present` and `dismiss` run, and in a store, call `beginStop`: `stop` waits for them.
    public func stop(dismissing: Bool = false) async {
        beginStop(dismissing: dismissing)
        _ = await core.waitForEnd()
    }

    /// Does what `stop` does and does not wait, where nothing can be awaited.
    public func beginStop(dismissing: Bool = false) { leave(dismissing: dismissing) }
}
