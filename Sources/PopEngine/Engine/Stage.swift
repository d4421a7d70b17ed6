internal import PopScheduler

/// Performs what the core decided, one item after the other: asks the presenter, keeps the history, tells events.
///
/// A record is kept before the effects behind it are performed.
struct Stage {
    private let core: EngineCore
    private let context: ContextStore
    private let presenter: any Presenter
    private let broadcast: EventBroadcast
    private var history: HistoryWriter
    /// What the presenter was given and has not been asked to take back.
    private var presented: [PresentationID: Popup] = [:]

    init(
        core: EngineCore, context: ContextStore, presenter: any Presenter,
        store: any HistoryStore, broadcast: EventBroadcast
    ) {
        self.core = core
        self.context = context
        self.presenter = presenter
        self.broadcast = broadcast
        history = HistoryWriter(store: store)
    }

    /// Until the list of work is finished.
    mutating func run(_ work: AsyncStream<Work>) async {
        for await item in work {
            switch item {
            case .perform(let effects, let moment): await perform(effects, moment)
            case .tell(let kind, let moment): broadcast.send(kind, at: moment)
            case .prune(let retention): await history.prune(to: retention)
            case .askForeign: askForeign()
            }
            core.workEnded()
        }
        let end = core.now
        tell(await history.flush(at: end.instant), end)
        broadcast.finish()
    }

    private mutating func perform(_ effects: [Effect], _ moment: Moment) async {
        var records: [(user: String, record: HistoryRecord)] = []
        for effect in effects {
            if case .record(let record, let user) = effect {
                records.append((user, record))
                continue
            }
            await write(&records, moment)
            await perform(effect, moment)
        }
        await write(&records, moment)
    }

    private mutating func perform(_ effect: Effect, _ moment: Moment) async {
        switch effect {
        case .askWillShow(let presentation): await ask(Popup(presentation))
        case .present(let presentation): present(Popup(presentation))
        case .dismiss(let id): dismiss(id)
        case .record: break  // Written together with its neighbours.
        case .emit(let event):
            forget(event)
            broadcast.send(.scheduler(event), at: moment)
        }
    }

    private mutating func write(
        _ records: inout [(user: String, record: HistoryRecord)], _ moment: Moment
    ) async {
        guard !records.isEmpty else { return }
        tell(await history.write(records, at: moment.instant), moment)
        records = []
    }

    private func tell(_ outcome: HistoryWriter.Outcome, _ moment: Moment) {
        switch outcome {
        case .asBefore: break
        case .failed(let message):
            broadcast.send(.historyUnavailable(message: message), at: moment)
        case .restored: broadcast.send(.historyRestored, at: moment)
        }
    }
}

// MARK: The presenter

extension Stage {
    private func ask(_ popup: Popup) async {
        guard await mayShow(popup) else {
            // Its condition has just become false: it waits again, for that.
            return core.handle(.answered(popup.presentation, .postpone(.zero)))
        }
        core.handle(.answered(popup.presentation, await presenter.willShow(popup)))
    }

    /// The condition of a foreign popup may have changed since it was asked last.
    private func mayShow(_ popup: Popup) async -> Bool {
        guard let entry = core.foreignCondition(of: popup.id) else { return true }
        let isTrue = entry.condition(context.snapshot)
        core.setForeign(entry, isTrue: isTrue)
        return isTrue
    }

    private mutating func present(_ popup: Popup) {
        presented[popup.presentation] = popup
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

    private mutating func dismiss(_ id: PresentationID) {
        guard let popup = presented.removeValue(forKey: id) else {
            return core.handle(.didDismiss(id))
        }
        core.workBegan()
        Task { @MainActor [core, presenter] in
            await presenter.dismiss(popup)
            core.handle(.didDismiss(id))
            core.workEnded()
        }
    }

    /// What ended by itself is not dismissed.
    private mutating func forget(_ event: HostEvent) {
        guard event.ending != nil, let task = event.task else { return }
        presented = presented.filter { $0.key.task != task }
    }

    private func askForeign() {
        for entry in core.foreignConditions {
            core.setForeign(entry, isTrue: entry.condition(context.snapshot))
        }
    }
}
