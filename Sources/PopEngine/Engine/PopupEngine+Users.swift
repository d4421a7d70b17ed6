public import PopCEL
internal import PopScheduler
internal import PopSource

extension PopupEngine {
    /// Ends all tasks and continues with another user's history. Until that history is read, other
    /// calls apply to the previous user, whose popups continue.
    ///
    /// Switching to the current user is a switch too: popups on screen are dismissed, `start` fires
    /// again, and popups that then show count for the user's caps. Call it when the user changes,
    /// not whenever you learn who it is.
    ///
    /// If several calls are under way at a time, the last one counts, whichever user is read first;
    /// the outcome of the others is `superseded`. The context stays unchanged.
    @discardableResult
    public func switchUser(_ user: String) async -> CallOutcome {
        await switchUser(user) { core, ticket, loaded in
            core.switchUser(user, ticket: ticket, loaded: loaded, context: nil)
        }
    }

    /// Continues with another user and their context in one step: no popup is chosen by the values
    /// of one user and the history of the other.
    ///
    /// Keys that are neither in the new context nor among the kept keys are reset to their
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

    /// Erases all data of a user: in memory, in the records that wait to be written, and in the
    /// store. When this returns, the store has erased the data.
    ///
    /// The current user starts from scratch, like a user who comes for the first time; popups on
    /// screen are dismissed and leave no trace. Throws the store's error if it can't erase: the
    /// removal is then retried with every write, and until it succeeds, the stored data of that
    /// user isn't used. The retries end with the engine: data that the store still holds then is
    /// reported as `EngineEvent.Kind.removalsLost`; forget the user again after the next start. At
    /// most `EngineLimits.unsavedRemovals` users wait for the store; beyond them this throws
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
    /// Returns when the store has saved the effects of all earlier calls. Throws the store's error
    /// if it hasn't, or an error if it doesn't answer; saving is then retried with the next record.
    ///
    /// A call of the store itself must not wait for it.
    public func flush() async throws {
        if let problem = await core.flush() { throw problem }
    }

    /// Ends the engine. Returns when the effects of earlier calls are saved, or reported as lost,
    /// and the presenter is released. Later calls have no effect, and the sequences of events end.
    ///
    /// A popup that shows stays on the screen, unless `dismissing` is set: then the engine ends
    /// when the popup is dismissed, or the presenter's time for that is over. A store that does not
    /// answer is given up after `EngineLimits.silence`.
    ///
    /// Inside `present` and `dismiss`, and in a store, call `beginStop`: `stop` waits for them.
    public func stop(dismissing: Bool = false) async {
        beginStop(dismissing: dismissing)
        _ = await core.waitForEnd()
    }

    /// Does the same as `stop` but does not wait, for code that can't await.
    public func beginStop(dismissing: Bool = false) { leave(dismissing: dismissing) }
}
