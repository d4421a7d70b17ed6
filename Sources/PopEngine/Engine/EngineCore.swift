internal import PopCEL
internal import PopScheduler

/// The scheduler behind a lock: takes events in from any thread and puts what follows from them on the stage's list.
///
/// Nothing of the app runs while it is locked, apart from the clock, so it cannot deadlock; it is never held for longer
/// than one event takes.
final class EngineCore: Sendable {
    private struct State {
        var scheduler: Scheduler
        var user: String
        /// The histories of users that were left, for when they come back: the store may not have them all yet.
        var formerUsers = FormerUsers()
        var foreign = ForeignConditions()
        var declaredKeys: Set<String>
        /// Keys that were reported not to be declared.
        var unknownKeys: Set<String> = []
        var hasStarted = false
        var isStopped = false
        var wake: (instant: Duration, task: Task<Void, Never>)?
        /// What the stage has yet to do, calls of the presenter that run included.
        var openWork = 0
    }

    private let state: Guarded<State>
    private let clock: any MomentClock
    private let work: AsyncStream<Work>.Continuation
    private let limits: SchedulerLimits

    init(
        rules: RuleSet, user: String, history: History, options: EngineOptions,
        work: AsyncStream<Work>.Continuation
    ) {
        clock = options.clock
        self.work = work
        limits = options.limits
        let scheduler = Scheduler(
            rules: rules, seed: options.seed, user: user, history: history,
            at: options.clock.now, timeZones: options.timeZones, limits: options.limits)
        state = Guarded(
            State(
                scheduler: scheduler, user: user,
                declaredKeys: Set(rules.keys.map(\.name))))
        state.withLock { prune(rules, &$0) }
    }

    /// What it says is true as long as nothing else comes in.
    func read<Result: Sendable>(_ read: (Scheduler, Moment) -> Result) -> Result {
        state.withLock { read($0.scheduler, clock.now) }
    }

    var now: Moment { clock.now }

    func handle(_ event: Event) {
        _ = state.withLock { handle(event, &$0) }
    }

    /// Only the first call starts.
    func start() {
        state.withLock { state in
            guard !state.hasStarted else { return }
            state.hasStarted = true
            _ = handle(.started, &state)
        }
    }

    func stop() {
        let wake = state.withLock { state in
            state.isStopped = true
            defer { state.wake = nil }
            return state.wake?.task
        }
        wake?.cancel()
        work.finish()
    }

    func tell(_ kind: EngineEvent.Kind) {
        state.withLock { put(.tell(kind, clock.now), &$0) }
    }

    private func handle(_ event: Event, _ state: inout State) -> [Effect] {
        guard !state.isStopped else { return [] }
        let now = clock.now
        let effects = state.scheduler.handle(event, at: now)
        for effect in effects { note(effect, &state) }
        if !effects.isEmpty { put(.perform(effects, now), &state) }
        armWake(&state)
        return effects
    }

    /// Keeps what the core itself has to know.
    private func note(_ effect: Effect, _ state: inout State) {
        switch effect {
        case .record(let record, let user) where user != state.user:
            state.formerUsers.apply(record, user: user)
        case .emit(let event) where event.ending != nil:
            if let popup = event.popup { state.foreign.remove(popup) }
        default: break
        }
    }

    private func put(_ item: Work, _ state: inout State) {
        state.openWork += 1
        work.yield(item)
    }

    private func prune(_ rules: RuleSet, _ state: inout State) {
        put(.prune(HistoryRetention(rules, at: clock.now.date, limits: limits)), &state)
    }

    /// Only an earlier waking takes the place of one that is set: a sleep that is cancelled may keep its memory until its
    /// time has come, and one that ends too early does nothing but set the next.
    private func armWake(_ state: inout State) {
        guard let due = state.scheduler.nextWake else { return }
        if let wake = state.wake, wake.instant <= due { return }
        state.wake?.task.cancel()
        let task = Task { [weak self, clock] in
            try? await clock.sleep(until: due)
            if !Task.isCancelled { self?.wakeUp(due) }
        }
        state.wake = (due, task)
    }

    private func wakeUp(_ due: Duration) {
        state.withLock { state in
            if state.wake?.instant == due { state.wake = nil }
            _ = handle(.timePassed, &state)
        }
    }
}

// MARK: Open work

extension EngineCore {
    func workBegan() { state.withLock { $0.openWork += 1 } }
    func workEnded() { state.withLock { $0.openWork -= 1 } }
    var openWork: Int { state.withLock { $0.openWork } }
}

// MARK: Context

extension EngineCore: ContextSink {
    func take(_ changes: [String: Value?]) -> Bool {
        state.withLock { state in
            var values: [String: Value] = [:]
            var unset: [String] = []
            for (name, value) in changes.sorted(by: { $0.key < $1.key }) {
                guard state.declaredKeys.contains(name) else {
                    reportUnknown(name, &state)
                    continue
                }
                if let value { values[name] = value } else { unset.append(name) }
            }
            let isTaken =
                values.isEmpty && unset.isEmpty
                || handle(.update(values, unset: unset), &state).rejectedKeys.isEmpty
            if isTaken, !state.foreign.isEmpty { put(.askForeign, &state) }
            return isTaken
        }
    }

    private func reportUnknown(_ name: String, _ state: inout State) {
        guard state.unknownKeys.insert(name).inserted else { return }
        put(.tell(.scheduler(.rejected(.unknownKey(name))), clock.now), &state)
    }

    /// Gives back the keys whose values the rules do not allow.
    func reload(_ rules: RuleSet, context: [String: Value]) -> Set<String> {
        state.withLock { state in
            state.declaredKeys = Set(rules.keys.map(\.name))
            let refused = handle(.reload(rules, context: context), &state).rejectedKeys
            put(.tell(.rulesReloaded, clock.now), &state)
            prune(rules, &state)
            return refused
        }
    }
}

extension [Effect] {
    /// The keys whose values were refused.
    fileprivate var rejectedKeys: Set<String> {
        var keys: Set<String> = []
        for case .emit(.rejected(.badValue(let key, _))) in self { keys.insert(key) }
        return keys
    }
}

// MARK: Users

extension EngineCore {
    /// What is known of a user without asking the store.
    func knownHistory(of user: String) -> History? {
        state.withLock { state in
            user == state.user ? state.scheduler.history : state.formerUsers[user]
        }
    }

    /// Goes on with another user; `loaded` is what the store said about one that was not there yet.
    func switchUser(_ user: String, loaded: History) {
        state.withLock { state in
            let former = (user: state.user, history: state.scheduler.history)
            let history =
                user == state.user ? former.history : state.formerUsers[user] ?? loaded
            state.formerUsers.add(former.history, user: former.user)
            state.user = user
            _ = handle(.switchUser(user, history), &state)
        }
    }
}

// MARK: Foreign popups

extension EngineCore {
    func enqueue(
        _ popup: ForeignPopup, condition: @escaping ForeignConditions.Condition, isTrue: Bool
    ) {
        state.withLock { state in
            let effects = handle(.enqueueForeign(popup, isTrue: isTrue), &state)
            let isRefused = effects.contains { effect in
                if case .emit(.rejected) = effect { true } else { false }
            }
            let isOver = effects.contains { effect in
                if case .emit(let event) = effect {
                    event.ending != nil && event.popup == popup.id
                } else {
                    false
                }
            }
            guard !isRefused, !isOver else { return }
            state.foreign.add(popup.id, condition: condition, isTrue: isTrue)
        }
    }

    var foreignConditions: [ForeignConditions.Entry] { state.withLock { $0.foreign.all } }

    func foreignCondition(of id: String) -> ForeignConditions.Entry? {
        state.withLock { $0.foreign[id] }
    }

    func setForeign(_ entry: ForeignConditions.Entry, isTrue: Bool) {
        state.withLock { state in
            guard state.foreign.set(entry, isTrue: isTrue) else { return }
            _ = handle(.setForeign(entry.id, isTrue: isTrue), &state)
        }
    }
}
