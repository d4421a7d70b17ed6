internal import PopCEL
internal import PopScheduler
internal import PopSource

/// The scheduler behind a lock: takes inputs in from any thread and puts what follows from them on
/// the stage's list.
///
/// Nothing of the app runs while it is locked, apart from the clock, so it cannot deadlock. It is
/// never held for longer than one light input takes: a heavy one is worked out on a copy, and what
/// comes in meanwhile waits for it in its order.
final class EngineCore: Sendable {
    struct State: ~Copyable {
        var scheduler: Scheduler
        var user: String
        /// The histories of users that were left, for when they come back: the store may not have
        /// them all yet.
        var formerUsers: FormerUsers
        var foreign = ForeignConditions()
        var followers = Followers()
        var contents = ChangedContents()
        /// The tasks that follow sources of rules, and how many there ever were.
        var following: [(number: Int, task: Task<Void, Never>)] = []
        var followingCount = 0
        /// Whether somebody follows the status of a popup.
        var tellsStatuses = false
        /// When one of these ends by itself; nil when that is not known.
        var statusDue: Duration?
        /// What wishes to become the user, the last one.
        var nextUser: NextUser?
        /// The payloads of the rules that are in force, or will be once the inputs that wait are
        /// worked off.
        var payloads: PayloadTable
        /// The rules that wait for the next session.
        var nextRules: RuleSet?
        /// What waits for a heavy input, that itself first; nil while there is none.
        var inputs: Fifo<TimedInput>?
        var queue: WorkQueue
        var life = Life.running
        var hasStarted = false
        /// When it is told that the engine was not started; nil while nothing was called.
        var startDue: Duration?
        var question: PendingQuestion?
        var questions = 0
        /// Since when the main actor has not answered.
        var blockedSince: Moment?
        var wake: (instant: Duration, task: Task<Void, Never>)?
        /// What the stage is doing, calls of the presenter that run included.
        var underWay = 0
        var reported: Set<CallRemark> = []
        var ending = Ending()
        /// What comes in, for who records it; nil when nobody does.
        var recording: Recording?
    }

    struct TimedInput: Sendable {
        var input: Input
        var moment: Moment
    }

    enum Life {
        case running
        /// No call is heard any more; what shows is being taken down, or inputs from before are
        /// worked off.
        case closing
        case stopped
    }

    let state: Guarded<State>
    let clock: any MomentClock
    let limits: EngineLimits
    private let schedulerLimits: SchedulerLimits
    let signal: AsyncStream<Void>.Continuation
    /// Held while a heavy input is worked out, for those who have to wait for that.
    private let isWorking = Guarded(())

    /// `signal` tells the stage that there is something in the queue.
    init(
        rules: RuleSet, user: String, history: History, options: EngineOptions,
        signal: AsyncStream<Void>.Continuation
    ) {
        clock = options.clock
        limits = options.engineLimits
        schedulerLimits = options.limits
        self.signal = signal
        var scheduler = Scheduler(
            rules: rules, seed: options.seed, user: user, history: history,
            at: options.clock.now, timeZones: options.timeZones, limits: options.limits)
        // Nothing shows before the start, whatever is called.
        _ = scheduler.handle(.suspend(by: Suspension.untilStart.owner), at: options.clock.now)
        state = Guarded(
            State(
                scheduler: scheduler, user: user,
                formerUsers: FormerUsers(limit: options.engineLimits.formerUsers),
                payloads: PayloadTable(rules), queue: WorkQueue(limits: options.engineLimits)))
        put(.prune(retention(rules)))
    }

    /// What it says is true as long as nothing else comes in.
    func read<Result: Sendable>(_ read: (Scheduler) -> Result) -> Result {
        state.withLock { read($0.scheduler) }
    }

    /// The scheduler as it is, for what looks at every popup: nobody waits for that.
    var scheduler: Scheduler { state.withLock { $0.scheduler } }

    var now: Moment { clock.now }

    func retention(_ rules: RuleSet) -> HistoryRetention {
        HistoryRetention(rules, at: clock.now.date, limits: schedulerLimits)
    }
}

// MARK: Inputs

extension EngineCore {
    /// Takes an input in; a heavy one has been worked out when this returns.
    @discardableResult
    func handle(_ input: Input) -> CallOutcome {
        let (outcome, mustWork) = post(input)
        guard mustWork else { return outcome }
        workOff()
        return .taken
    }

    @discardableResult
    func handle(_ event: Event) -> CallOutcome { handle(.event(event)) }

    /// Takes an input in. Whoever hears that there is work calls `workOff` at once, without holding
    /// a lock.
    func post(_ input: Input) -> (outcome: CallOutcome, mustWork: Bool) {
        while true {
            let posted = state.withLock { post(input, state: &$0) }
            if let posted { return posted }
            waitForWork()
        }
    }

    /// Returns when no heavy input is being worked out.
    func waitForWork() { isWorking.withLock { _ in } }

    /// Nil when too many calls wait already.
    func post(
        _ input: Input, state: inout State
    ) -> (outcome: CallOutcome, mustWork: Bool)? {
        switch state.life {
        case .running: break
        case .closing: guard input.isReply else { return (.stopped, false) }
        case .stopped: return (.stopped, false)
        }
        let timed = TimedInput(input: input, moment: clock.now)
        expectStart(&state)
        if let waiting = state.inputs?.count {
            guard waiting < limits.waitingCalls else { return nil }
            state.inputs?.append(timed)
            return (CallOutcome(.waits), false)
        }
        guard input.isHeavy else {
            return (take(timed, state: &state), false)
        }
        state.inputs = Fifo()
        state.inputs?.append(timed)
        return (CallOutcome(.waits), true)
    }

    /// Works off the inputs that wait, until there are none. Called by the one who posted the first
    /// of them.
    func workOff() {
        isWorking.withLock { _ in
            while let heavy = nextHeavy() {
                var copy = heavy.copy
                let batch = EffectBatch(copy.take(heavy.input))
                let retention = heavy.input.input.rules.map(retention)
                state.withLock { state in
                    copy.swap(&state)
                    for event in copy.told { record(event, at: heavy.input.moment, state: &state) }
                    begin(heavy.input, state: &state)
                    perform(batch, at: heavy.input.moment, state: &state)
                    finish(heavy.input, retention: retention, state: &state)
                }
                // What `copy` holds now is released here, not under the lock.
            }
        }
    }

    var isWorkingIn: Bool { state.withLock { $0.inputs != nil } }

    /// Takes the light inputs in front and gives the heavy one behind them; nil, and nothing waits
    /// any more, without one.
    private func nextHeavy() -> (input: TimedInput, copy: SchedulerCopy)? {
        while true {
            let (timed, copy) = state.withLock { state -> (TimedInput?, SchedulerCopy?) in
                guard let timed = state.inputs?.popFirst() else {
                    state.inputs = nil
                    endIfDone(&state)
                    return (nil, nil)
                }
                if timed.input.isHeavy { return (timed, SchedulerCopy(state, for: timed.input)) }
                _ = take(timed, state: &state)
                return (timed, nil)
            }
            guard let timed else { return nil }
            if let copy { return (timed, copy) }
        }
    }
}
