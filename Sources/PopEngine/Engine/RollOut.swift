public import PopScheduler
internal import PopSource

/// The time when new rules replace the rules in force while the app runs.
public enum RollOut: Sendable, Hashable, CaseIterable {
    /// As soon as they come.
    case atOnce
    /// When the next session begins: until then, the user of the app keeps the current rules. An
    /// engine that wasn't started takes the new rules immediately.
    case betweenSessions
}

extension PopupEngine {
    /// Continues with other rules, immediately or from the next session on. If several rule sets
    /// wait for the session, or others are loaded in the meantime, the last one counts.
    ///
    /// They are loaded on the thread that calls `beginSession`, or the `foreground` that begins a
    /// session.
    public func reload(_ rules: RuleSet, rollOut: RollOut) {
        if !core.keepsForLater(rules, rollOut) { reload(rules) }
    }

    /// Goes on with the rules that wait for a session.
    func reloadForSession() {
        if let rules = core.takeNextRules() { reload(rules) }
    }
}

extension EngineCore {
    func keepsForLater(_ rules: RuleSet, _ rollOut: RollOut) -> Bool {
        state.withLock { state in
            guard rollOut == .betweenSessions, state.hasStarted, state.life == .running else {
                return false
            }
            state.nextRules = rules
            return true
        }
    }

    func takeNextRules() -> RuleSet? {
        state.withLock { state in
            defer { state.nextRules = nil }
            return state.nextRules
        }
    }

    /// Indicates whether a session begins if the app comes back to the foreground now.
    var isNextSessionDue: Bool {
        state.withLock { state in
            state.nextRules != nil && state.scheduler.beginsSession(comingBackAt: clock.now.date)
        }
    }
}

extension PopupEngine {
    /// Loads the rules of a source, each time it provides some, until the source ends, the task is
    /// cancelled or the engine is stopped. The rules apply immediately, or from the next session
    /// on.
    ///
    /// If the source provides an error instead, the last good rules stay in force and an event
    /// reports the error. The task that awaits this keeps the engine alive; `startFollowing`
    /// doesn't.
    public func follow<Updates: AsyncSequence & Sendable>(
        _ updates: Updates, rollOut: RollOut = .atOnce
    ) async where Updates.Element == Result<RuleSet, any Error> {
        let following = startFollowing(updates, rollOut: rollOut)
        await withTaskCancellationHandler {
            await following.value
        } onCancel: {
            following.cancel()
        }
    }

    /// Does the same in a task of the engine, which ends with the engine and doesn't keep it alive.
    ///
    /// Cancel the task that this returns to stop following earlier.
    @discardableResult
    public func startFollowing<Updates: AsyncSequence & Sendable>(
        _ updates: Updates, rollOut: RollOut = .atOnce
    ) -> Task<Void, Never> where Updates.Element == Result<RuleSet, any Error> {
        core.startFollowing { [weak self] in
            do {
                for try await update in updates {
                    guard let self, !Task.isCancelled else { return }
                    await self.take(update, rollOut: rollOut)
                }
            } catch {
                if !Task.isCancelled { self?.refuseRules("\(error)") }
            }
        }
    }

    private func take(_ update: Result<RuleSet, any Error>, rollOut: RollOut) async {
        switch update {
        case .success(let rules):
            if !core.keepsForLater(rules, rollOut) { await reloadElsewhere(rules) }
        case .failure(let error): refuseRules("\(error)")
        }
    }
}

extension EngineCore {
    /// Begins to follow a source of rules, in a task that `stop` cancels.
    func startFollowing(_ follow: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        state.withLock { state in
            state.followingCount += 1
            let number = state.followingCount
            let task = Task { [self] in
                await follow()
                self.state.withLock { $0.following.removeAll { $0.number == number } }
            }
            if state.life == .running {
                state.following.append((number: number, task: task))
            } else {
                task.cancel()
            }
            return task
        }
    }

    /// Nobody follows a source of rules any more.
    func endFollowingRules(_ state: inout State) {
        for (_, task) in state.following { task.cancel() }
        state.following = []
    }
}
