internal import PopCEL
internal import PopScheduler
internal import PopSource

/// The user that the engine is about to switch to.
struct NextUser {
    let name: String
    /// Identifies the call; of several calls, the last one counts.
    let ticket: Int
    /// Indicates whether the user's stored history was erased in the meantime.
    var isForgotten = false
}

extension EngineCore {
    var user: String { state.withLock { $0.user } }
    var switchesBegun: Int { state.withLock { $0.nextUser?.ticket ?? 0 } }

    /// Begins to go over to a user; any earlier such call that is still under way is superseded.
    func beginSwitch(to user: String) -> (ticket: Int, known: History?) {
        state.withLock { state in
            let ticket = (state.nextUser?.ticket ?? 0) + 1
            state.nextUser = NextUser(name: user, ticket: ticket)
            // The history of the current user comes from the scheduler itself.
            let known = user == state.user ? History() : state.formerUsers[user]
            return (ticket, known)
        }
    }

    /// Posts the switch to another user; nil if a later call has superseded it. If there is work,
    /// the caller has to call `workOff`.
    func switchUser(
        _ user: String, ticket: Int, loaded: History, context: [String: Value]?
    ) -> (outcome: CallOutcome, mustWork: Bool)? {
        while true {
            let posted = state.withLock { state -> PostedSwitch in
                guard let next = state.nextUser, next.ticket == ticket else { return .superseded }
                let history = next.isForgotten ? History() : loaded
                let input = Input.switchUser(user, loaded: history, context: context)
                return post(input, state: &state).map { .posted($0.outcome, $0.mustWork) }
                    ?? .tooMany
            }
            switch posted {
            case .superseded: return nil
            case .posted(let outcome, let mustWork): return (outcome, mustWork)
            case .tooMany: waitForWork()
            }
        }
    }

    private enum PostedSwitch {
        case superseded
        case tooMany
        case posted(CallOutcome, Bool)
    }

    /// Erases what is known of a user, here and in the store; gives what kept the store from it.
    func forget(_ user: String) async -> (any Error)? {
        state.withLock { if $0.nextUser?.name == user { $0.nextUser?.isForgotten = true } }
        return await ask { .forget(user, $0) }
    }

    /// Returns the stored history of a user, read once the stage has saved what waits to be saved.
    func load(_ user: String) async -> LoadedHistory {
        await withCheckedContinuation { answer in
            if !put(.read(user, answer)) { answer.resume(returning: LoadedHistory()) }
        }
    }

    /// Takes the stored history of a user; another process may have shown popups to that user too.
    /// Returns true if it is the current user.
    func takeHistory(_ history: History, of user: String) -> Bool {
        let isCurrent = state.withLock { $0.user == user }
        guard isCurrent else { return false }
        handle(.historyChanged(history, user: user))
        return true
    }
}
