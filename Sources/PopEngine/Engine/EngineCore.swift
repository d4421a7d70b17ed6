internal import PopCEL
internal import PopScheduler
internal import PopSource

/// The scheduler, protected by a lock: takes inputs from any thread and adds their effects to the
/// stage's queue.
///
/// No app code runs while it is locked, apart from the clock, so it can't deadlock. It is never
/// held for longer than one light input takes: a heavy input is processed on a copy, and later
/// inputs wait for it in their order.
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
        /// Indicates whether the status of a popup has a subscriber.
        var tellsStatuses = false
        /// When one of these ends by itself; nil when that is not known.
        var statusDue: Duration?
        /// The user that the last call switches to, until the switch is done.
        var nextUser: NextUser?
        /// The payloads of the rules in force, or of the rules that will be in force once the
        /// waiting inputs are processed.
        var payloads: PayloadTable
        /// The rules that wait for the next session.
        var nextRules: RuleSet?
        /// The inputs that wait for a heavy input, which is the first of them; nil without a heavy
        /// input.
        var inputs: Fifo<TimedInput>?
        var queue: WorkQueue
        var life = Life.running
        var hasStarted = false
        /// The instant at which a missing start is reported; nil while nothing was called.
        var startDue: Duration?
        var question: PendingQuestion?
        var questions = 0
        /// Since when the main actor has not answered.
        var blockedSince: Moment?
        var wake: (instant: Duration, task: Task<Void, Never>)?
        /// The number of items that the stage is working on, including running calls of the
        /// presenter.
        var underWay = 0
        var reported: Set<CallRemark> = []
        var ending = Ending()
        /// The recording of all inputs; nil if nothing is being recorded.
        var recording: Recording?
    }

    struct TimedInput: Sendable {
        var input: Input
        var moment: Moment
    }

    enum Life {
        case running
        /// Later calls are refused; popups are being dismissed, or earlier inputs processed.
        case closing
        case stopped
    }

    let state: LockedValue<State>
    let clock: any MomentClock
    let limits: EngineLimits
    private let schedulerLimits: SchedulerLimits
    let signal: AsyncStream<Void>.Continuation
    /// Held while a heavy input is processed, so that callers can wait for that.
    private let isWorking = LockedValue(())

    /// `signal` notifies the stage that its queue has work.
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
        // Nothing shows before the start, whatever calls come.
        _ = scheduler.handle(.suspend(by: Suspension.untilStart.owner), at: options.clock.now)
        state = LockedValue(
            State(
                scheduler: scheduler, user: user,
                formerUsers: FormerUsers(limit: options.engineLimits.formerUsers),
                payloads: PayloadTable(rules), queue: WorkQueue(limits: options.engineLimits)))
        put(.prune(retention(rules)))
    }

    /// Reads the scheduler. The result is valid as long as no other input comes in.
    func read<Result: Sendable>(_ read: (Scheduler) -> Result) -> Result {
        state.withLock { read($0.scheduler) }
    }

    /// A copy of the scheduler, for readers that look at every popup: it blocks nobody.
    var scheduler: Scheduler { state.withLock { $0.scheduler } }

    var now: Moment { clock.now }

    func retention(_ rules: RuleSet) -> HistoryRetention {
        HistoryRetention(rules, at: clock.now.date, limits: schedulerLimits)
    }
}

// MARK: Inputs

extension EngineCore {
    /// Takes an input; a heavy input has been processed when this returns.
    @discardableResult
    func handle(_ input: Input) -> CallOutcome {
        let (outcome, mustWork) = post(input)
        guard mustWork else { return outcome }
        workOff()
        return .taken
    }

    @discardableResult
    func handle(_ event: Event) -> CallOutcome { handle(.event(event)) }

    /// Takes an input. If there is work, the caller has to call `workOff` immediately, without
    /// holding a lock.
    func post(_ input: Input) -> (outcome: CallOutcome, mustWork: Bool) {
        while true {
            let posted = state.withLock { post(input, state: &$0) }
            if let posted { return posted }
            waitForWork()
        }
    }

    /// Returns when no heavy input is being processed.
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

    /// Processes the waiting inputs until none is left. Called by the caller that posted the first
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
                // The former state, which `copy` contains now, is released here, not under the
                // lock.
            }
        }
    }

    var isWorkingIn: Bool { state.withLock { $0.inputs != nil } }

    /// Takes the light inputs that precede the next heavy input, and returns that input. If no
    /// heavy input waits, returns nil, and nothing waits any more.
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

extension EngineCore {
    /// Adds work for the stage. Returns true if the stage will perform it.
    @discardableResult
    func put(_ work: Work) -> Bool { state.withLock { put(work, state: &$0) } }

    @discardableResult
    func put(_ work: Work, state: inout State) -> Bool {
        guard !state.queue.isClosed else { return false }
        change(&state) { $0.add(work) }
        return true
    }

    func tell(_ kind: EngineEvent.Kind) { put(.tell(kind, clock.now)) }

    /// Wakes the stage when it has nothing else to do.
    func change(_ state: inout State, change: (inout WorkQueue) -> Void) {
        let wasEmpty = state.queue.isEmpty
        change(&state.queue)
        if wasEmpty { signal.yield() }
    }

    /// Nothing is put on the list any more.
    func close(_ state: inout State) {
        state.life = .stopped
        state.queue.close()
        signal.finish()
        state.wake?.task.cancel()
        state.wake = nil
        // The store still gets its time; the main actor's answer isn't needed any more.
        if state.question?.asked == .mainActor {
            state.question?.isAnswered.resume(returning: false)
            state.question = nil
        }
        armWake(&state)
    }

    /// Returns the next work for the stage, which calls `workEnded` when it is done.
    func nextWork() -> WorkQueue.Next? {
        state.withLock { state in
            guard let next = state.queue.next() else { return nil }
            state.underWay += 1
            return next
        }
    }

    func workBegan() { state.withLock { $0.underWay += 1 } }
    func workEnded() { state.withLock { $0.underWay -= 1 } }
    /// The number of items that the stage has yet to do, together with unprocessed inputs.
    var openWork: Int {
        state.withLock { $0.queue.count + $0.underWay + ($0.inputs.map { $0.count + 1 } ?? 0) }
    }
}

extension EngineCore {
    /// Takes a light input in.
    func take(_ timed: TimedInput, state: inout State) -> CallOutcome {
        switch timed.input {
        case .event(let event):
            let remarks = state.scheduler.remarks(on: event)
            remark(remarks, state: &state)
            let effects = handle(event, at: timed.moment, state: &state)
            let repeated = event.reportsRepeats ? CallRemark.repeated(effects) : []
            return CallOutcome(of: effects).with(remarks + repeated)
        case .enqueue(let id, let follower):
            let effects = enqueue(
                .enqueue(id), follower: follower, at: timed.moment, state: &state)
            return CallOutcome(of: effects).with(CallRemark.repeated(effects))
        case .foreign(let popup, let condition, let isTrue, let follower):
            let effects = enqueue(
                popup, condition: condition, isTrue: isTrue, follower: follower,
                at: timed.moment, state: &state)
            return CallOutcome(of: effects).with(CallRemark.repeated(effects))
        case .content(let id, let values):
            return change(id, by: values, at: timed.moment, state: &state)
        case .setForeign(let entry, let isTrue):
            if state.foreign.set(entry, isTrue: isTrue) {
                _ = handle(.setForeign(entry.id, isTrue: isTrue), at: timed.moment, state: &state)
            }
        case .flush(let answer):
            pass(.flush(answer), answer: answer, state: &state)
        case .stop(let dismissing):
            stop(dismissing, at: timed.moment, state: &state)
        case .reload, .switchUser, .forget, .forgetPopup, .historyChanged: break
        }
        return .taken
    }

    func handle(_ event: Event, at moment: Moment, state: inout State) -> [Effect] {
        record(event, at: moment, state: &state)
        let effects = state.scheduler.handle(event, at: moment)
        perform(EffectBatch(effects), at: moment, state: &state)
        return effects
    }

    /// Passes a scheduler's decisions to the stage, and keeps the data that the core itself needs.
    func perform(_ batch: EffectBatch, at moment: Moment, state: inout State) {
        for (user, record) in batch.records where user != state.user {
            state.formerUsers.apply(record, user: user)
        }
        if !state.foreign.isEmpty {
            for popup in batch.ended where !state.scheduler.isHandMade(popup) {
                state.foreign.remove(popup)
            }
        }
        for (follower, reason) in state.followers.takeNext(batch.others) {
            tell(follower, .ended(.neverShown(reason)), state: &state)
        }
        if !state.contents.isEmpty { state.contents.drop(after: batch.others) }
        if !batch.isEmpty {
            let followers = state.followers
            change(&state) { $0.add(batch, at: moment, for: followers) }
        }
        tellStatuses(&state)
        armWake(&state)
        endIfDone(&state)
    }

    /// Passes work to the store that has to precede the records of the scheduler's decision, so
    /// that a popup that comes up at that moment is recorded after it.
    func begin(_ timed: TimedInput, state: inout State) {
        if case .forgetPopup(let popup, let answer) = timed.input {
            pass(.forgetPopup(popup, user: state.user, answer), answer: answer, state: &state)
        }
    }

    func finish(
        _ timed: TimedInput, retention: HistoryRetention?, state: inout State
    ) {
        if let retention {
            put(.tell(.rulesReloaded, timed.moment), state: &state)
            put(.prune(retention), state: &state)
        }
        switch timed.input {
        case .forget(let user, let answer):
            pass(.forget(user, answer), answer: answer, state: &state)
        case .switchUser where !state.foreign.isEmpty: put(.askForeign, state: &state)
        case .switchUser, .event, .enqueue, .foreign, .content, .setForeign, .reload,
            .forgetPopup, .historyChanged, .flush, .stop:
            break
        }
    }

    /// Passes a question to the stage, or answers it if the stage has ended.
    func pass(_ work: Work, answer: Input.Answer, state: inout State) {
        if !put(work, state: &state) { answer.resume(returning: EngineStopped()) }
    }
}

extension EngineCore: ContextSink {
    func take(_ changes: [String: Value?]) {
        var values: [String: Value] = [:]
        var unset: [String] = []
        for (name, value) in changes {
            if let value { values[name] = value } else { unset.append(name) }
        }
        handle(.update(values, unset: unset.ordered()))
        askForeign()
    }

    func refuse(_ rejections: [Rejection]) {
        for rejection in rejections { tell(.scheduler(.rejected(rejection))) }
    }

    func remark(_ remarks: [CallRemark]) {
        state.withLock { remark(remarks, state: &$0) }
    }

    /// Posts new rules. If there is work, the caller has to call `workOff`.
    func reload(_ rules: RuleSet, payloads: PayloadTable, context: [String: Value]) -> Bool {
        state.withLock { state in
            state.payloads = payloads
            state.nextRules = nil
        }
        return post(.reload(rules, context: context)).mustWork
    }
}
