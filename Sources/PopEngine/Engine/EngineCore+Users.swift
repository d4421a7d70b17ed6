internal import PopCEL
internal import PopScheduler
internal import PopSource

/// Who is to become the user.
struct NextUser {
    let name: String
    /// Of several that were called for, the last one counts.
    let ticket: Int
    /// Whether what the store says was erased meanwhile.
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
            // What the one who is there has done is taken from the scheduler itself.
            let known = user == state.user ? History() : state.formerUsers[user]
            return (ticket, known)
        }
    }

    /// Posts that the user is another one, unless a later call has been made; then nil. Whoever
    /// hears that there is work calls `workOff`.
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

    /// What the store says of a user, read once the stage has kept what waits to be.
    func load(_ user: String) async -> LoadedHistory {
        await withCheckedContinuation { answer in
            if !put(.read(user, answer)) { answer.resume(returning: LoadedHistory()) }
        }
    }

    /// What the store says of a user whom another process may have shown popups too. Whether that
    /// was of interest.
    func takeHistory(_ history: History, of user: String) -> Bool {
        let isCurrent = state.withLock { $0.user == user }
        guard isCurrent else { return false }
        handle(.historyChanged(history, user: user))
        return true
    }
}
