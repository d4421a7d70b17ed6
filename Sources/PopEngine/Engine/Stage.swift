internal import PopScheduler

/// Performs the core's decisions, one after the other: calls the presenter, saves the history, and
/// sends events.
///
/// A record is saved before the effects that follow it are performed.
struct Stage {
    let core: EngineCore
    let context: ContextStore
    let presenter: any Presenter
    private let broadcast: EventBroadcast
    private let statuses: StatusBroadcast
    private let store: any HistoryStore
    var history: HistoryWriter
    /// The popups that the presenter received and hasn't been asked to dismiss.
    var presented: [PresentationID: Popup] = [:]
    /// The presentations whose end hasn't been reported to the presenter.
    var unended: [PresentationID: Popup] = [:]

    init(
        core: EngineCore, context: ContextStore, presenter: any Presenter,
        store: any HistoryStore, broadcast: EventBroadcast, statuses: StatusBroadcast
    ) {
        self.core = core
        self.context = context
        self.presenter = presenter
        self.broadcast = broadcast
        self.statuses = statuses
        self.store = store
        let calls = StoreCalls(store, silence: core.limits.silence) { await core.askStore($0) }
        history = HistoryWriter(calls, limits: core.limits)
    }

    /// Runs until the stream of work signals ends.
    mutating func run(_ signals: AsyncStream<Void>) async {
        for await _ in signals { await work() }
        await work()
        let end = core.now
        tell(await history.flush(at: end.instant), at: end)
        tell(history.giveUp(), at: end)
        broadcast.finish()
        tellStatuses()
        statuses.finish()
        core.stageEnded(history.problem)
    }

    private mutating func work() async {
        while let next = core.nextWork() {
            await keep(next)
            await perform(next.work)
            core.workEnded()
        }
    }

    private mutating func keep(_ next: WorkQueue.Next) async {
        if next.lostRecords > 0 {
            broadcast.send(.historyLost(records: next.lostRecords), at: core.now)
        }
        guard !next.records.isEmpty else { return }
        let moment = next.work.moment ?? core.now
        tell(await history.write(next.records, at: moment.instant), at: moment)
        // A process may run for months.
        guard let retention = history.duePruning(at: moment.date) else { return }
        tell(await history.prune(to: retention, at: moment.instant), at: moment)
    }

    private mutating func perform(_ work: Work) async {
        switch work {
        case .perform(let effects, let moment):
            for effect in effects { await perform(effect, at: moment) }
        case .tell(let kind, let moment):
            if case .historyUnavailable = kind { history.noteUnread() }
            broadcast.send(kind, at: moment)
        case .tellLeftOut(let count, let moment): broadcast.leaveOut(count, at: moment)
        case .askForeign: await askForeign()
        case .tellStatuses: tellStatuses()
        case .updateContent(let id): update(id)
        case .prune, .flush, .read, .wasRead, .storeAnswered, .forget,
            .forgetPopup:
            await performWithStore(work, now: core.now)
        }
    }

    private mutating func performWithStore(_ work: Work, now: Moment) async {
        switch work {
        case .prune(let retention):
            tell(await history.prune(to: retention, at: now.instant), at: now)
        case .flush(let answer):
            tell(await history.flush(at: now.instant), at: now)
            answer.resume(returning: history.problem)
        case .storeAnswered: tell(await history.flush(at: now.instant), at: now)
        case .read(let user, let answer):
            let (number, outcome) = await history.beginReading(
                user, answer: answer, at: now.instant)
            tell(outcome, at: now)
            read(user, number: number)
        case .wasRead(let number, let loaded):
            if let user = history.endReading(number, loaded: loaded) { read(user, number: number) }
        case .forget(let user, let answer):
            let (outcome, problem) = await history.forget(user, at: now.instant)
            tell(outcome, at: now)
            answer.resume(returning: problem)
        case .forgetPopup(let popup, let user, let answer):
            answer.resume(returning: await history.forget(popup, of: user, at: now.instant))
        case .perform, .tell, .tellLeftOut, .askForeign, .tellStatuses, .updateContent:
            break
        }
    }

    /// Reads a user's history without blocking the stage: a user whose read is slow may never
    /// become the current one.
    private func read(_ user: String, number: Int) {
        core.workBegan()
        Task { [core, store] in
            let loaded = await LoadedHistory.read(
                user, from: store, silence: core.limits.silence, clock: core.clock)
            core.put(.wasRead(number, loaded))
            core.workEnded()
        }
    }

    private mutating func perform(_ effect: Effect, at moment: Moment) async {
        switch effect {
        case .askWillShow(let presentation): await ask(Popup(presentation))
        case .present(let presentation): present(Popup(presentation))
        case .dismiss(let id): dismiss(id)
        case .record: break  // Kept before.
        case .emit(let event):
            forget(event)
            broadcast.send(.scheduler(event), at: moment)
            core.tellFollowers(of: event)
        }
    }

    private func tellStatuses() {
        let popups = statuses.popups
        guard !popups.isEmpty else { return core.endTellingStatuses(to: statuses) }
        statuses.send(core.statuses(of: popups))
    }

    func tell(_ outcome: HistoryWriter.Outcome, at moment: Moment) {
        switch outcome.change {
        case .asBefore: break
        case .failed(let error):
            broadcast.send(.historyUnavailable(error), at: moment)
        case .restored: broadcast.send(.historyRestored, at: moment)
        }
        if outcome.lost > 0 { broadcast.send(.historyLost(records: outcome.lost), at: moment) }
        if outcome.lostRemovals > 0 {
            broadcast.send(.removalsLost(users: outcome.lostRemovals), at: moment)
        }
    }
}

extension Work {
    /// When the scheduler decided it.
    fileprivate var moment: Moment? {
        switch self {
        case .perform(_, let moment), .tell(_, let moment), .tellLeftOut(_, let moment): moment
        case .prune, .askForeign, .tellStatuses, .updateContent, .flush, .read, .wasRead,
            .storeAnswered, .forget, .forgetPopup:
            nil
        }
    }
}

// Calls of the presenter, and the engine's requests for them.
extension Stage {
    mutating func ask(_ popup: Popup) async {
        guard !core.isStopped else { return }
        // Another process may have shown it in the meantime: then the choice is made again.
        guard await !takeForeignHistory() else { return }
        let foreign = core.foreignCondition(of: popup.id)
        if let foreign, case .anywhere(let condition) = foreign.condition,
            !core.holds(condition(context.snapshot), foreign, of: popup)
        {
            return
        }
        // One that is silent for too long holds up nothing but its own popup.
        _ = await core.askMainActor { [core, context, presenter] in
            if let foreign, case .onMainActor(let condition) = foreign.condition,
                !core.holds(condition(context.snapshot), foreign, of: popup)
            {
                return
            }
            let answer = core.objection(to: popup) ?? presenter.willShow(popup)
            core.handle(
                .answered(
                    popup.presentation,
                    answer.postponing(atLeast: core.limits.shortestPostponement)))
        }
    }

    private mutating func takeForeignHistory() async -> Bool {
        let user = core.user
        let now = core.now
        let (read, outcome) = await history.readIfForeign(user, at: now.instant)
        tell(outcome, at: now)
        return read.map { core.takeHistory($0, of: user) } ?? false
    }

    /// Shows a popup, unless the engine has ended: nothing may come to the screen that is never
    /// dismissed.
    mutating func present(_ popup: Popup) {
        guard !core.hasEnded else { return }
        presented[popup.presentation] = popup
        unended[popup.presentation] = popup
        core.workBegan()
        Task { @MainActor [core, presenter] in
            do {
                try await presenter.present(popup)
                core.handle(.didPresent(popup.presentation))
            } catch {
                core.handle(.presentFailed(popup.presentation, message: "\(error)"))
            }
            core.workEnded()
        }
    }

    /// The content is taken when the main actor has time, so that it is the newest.
    func update(_ id: PresentationID) {
        guard presented[id] != nil else { return }
        core.workBegan()
        Task { @MainActor [core, presenter] in
            if let popup = core.takeContent(id) { presenter.update(popup) }
            core.workEnded()
        }
    }

    mutating func dismiss(_ id: PresentationID) {
        guard let popup = presented.removeValue(forKey: id) else {
            core.handle(.didDismiss(id))
            return
        }
        core.workBegan()
        Task { @MainActor [core, presenter] in
            await presenter.dismiss(popup)
            core.handle(.didDismiss(id))
            core.workEnded()
        }
    }

    /// Removes an ended presentation without dismissing it, and notifies the presenter that it
    /// ended.
    mutating func forget(_ event: HostEvent) {
        guard event.endsPresentation, let task = event.task, !unended.isEmpty else { return }
        for (id, popup) in unended where id.task == task {
            presented[id] = nil
            unended[id] = nil
            core.workBegan()
            Task { @MainActor [core, presenter] in
                presenter.ended(popup)
                core.workEnded()
            }
        }
    }

    func askForeign() async {
        var ofMainActor: [ForeignConditions.Entry] = []
        for entry in core.foreignConditions {
            switch entry.condition {
            case .anywhere(let condition):
                core.setForeign(entry, isTrue: condition(context.snapshot))
            case .onMainActor: ofMainActor.append(entry)
            }
        }
        guard !ofMainActor.isEmpty else { return }
        _ = await core.askMainActor { [core, context, ofMainActor] in
            for entry in ofMainActor {
                guard case .onMainActor(let condition) = entry.condition else { continue }
                core.setForeign(entry, isTrue: condition(context.snapshot))
            }
        }
    }
}

extension HostEvent {
    /// True for events after which the task's presentation is off the screen.
    fileprivate var endsPresentation: Bool {
        if case .requeued = self { true } else { ending != nil }
    }
}

extension WillShowAnswer {
    fileprivate func postponing(atLeast shortest: Duration) -> WillShowAnswer {
        if case .postpone(let duration) = self { .postpone(max(duration, shortest)) } else { self }
    }
}
