import PopCEL
import PopScheduler
import Testing

/// A host without a screen: it answers immediately, or when a test requests it, and records the
/// events.
final class Stage {
    private(set) var scheduler: Scheduler
    private(set) var now: Moment
    /// The events since the last look, as `shown a`, `dismissed a TIMED_OUT`.
    private(set) var log: [String] = []
    private(set) var records: [HistoryRecord] = []
    /// Everything that was done, in order, records and presenter calls too.
    private(set) var effects: [Effect] = []
    /// The answers to willShow, by popup.
    var answers: [String: WillShowAnswer] = [:]
    /// True if the test answers the requests to the presenter.
    var isManual = false
    /// The last request to the presenter, by popup.
    private(set) var asked: [String: PresentationID] = [:]

    static let start = Moment(instant: .zero, date: date("2026-11-20T09:00:00Z"))

    init(
        _ rules: Rules, history: History = History(), seed: UInt64 = 1, user: String = "ada",
        at moment: Moment = Stage.start, limits: SchedulerLimits = .standard
    ) {
        now = moment
        scheduler = Scheduler(
            rules: rules.built(), seed: seed, user: user, history: history, at: moment,
            limits: limits)
    }

    /// Gives the host's events since the last look.
    func take() -> [String] {
        defer { log = [] }
        return log
    }

    /// Performs an event and returns its results.
    @discardableResult
    func callAsFunction(_ event: Event) -> [String] {
        _ = take()
        perform(event)
        return take()
    }

    /// Lets time pass, waking the scheduler whenever it asks for it.
    @discardableResult
    func after(_ duration: Duration) -> [String] {
        _ = take()
        let end = now.advanced(by: duration)
        var turns = 0
        while let wake = scheduler.nextWake, wake <= end.instant {
            now = now.advanced(by: max(wake - now.instant, .zero))
            perform(.timePassed)
            turns += 1
            if turns > 10_000 {
                Issue.record("the scheduler wants to be woken without end")
                break
            }
        }
        now = end
        return take()
    }

    /// Sets the calendar without letting time pass.
    func setCalendar(_ text: String) { now.date = date(text) }

    func reason(_ id: String) -> ReasonCode? { scheduler.reason(id, at: now) }

    var showing: String? { scheduler.showing["main"] }
    var waiting: [String] { scheduler.waiting["main"] ?? [] }

    private func perform(_ event: Event) {
        var pending = [event]
        var next = 0
        while next < pending.count {
            for effect in scheduler.handle(pending[next], at: now) {
                effects.append(effect)
                if let reply = react(to: effect) { pending.append(reply) }
            }
            next += 1
        }
    }

    private func react(to effect: Effect) -> Event? {
        switch effect {
        case .emit(let event):
            log.append(describe(event))
            return nil
        case .record(let record, _):
            records.append(record)
            return nil
        case .askWillShow(let presentation):
            asked[presentation.popup.id] = presentation.id
            if isManual, answers[presentation.popup.id] == nil { return nil }
            return .answered(presentation.id, answers[presentation.popup.id] ?? .show)
        case .present(let presentation):
            asked[presentation.popup.id] = presentation.id
            return isManual ? nil : .didPresent(presentation.id)
        case .dismiss(let id):
            asked[id.task.popup] = id
            return isManual ? nil : .didDismiss(id)
        }
    }
}

func date(_ text: String) -> Timestamp {
    guard let date = Timestamp(parsing: text) else { preconditionFailure("\(text) is no date") }
    return date
}

/// A record, the numbers in it in the order of their names.
func describe(_ record: HistoryRecord) -> String {
    guard case .event(let name, let date, let amounts) = record else { return "\(record)" }
    return "event \(name) \(date) \(amounts.sorted { $0.key < $1.key })"
}

/// A host event in a few words.
func describe(_ event: HostEvent) -> String {
    switch event {
    case .queued(let task): "queued \(task.popup)"
    case .coalesced(let task): "coalesced \(task.popup)"
    case .remembered(let task): "remembered \(task.popup)"
    case .notMade(let popup, let reason): "notMade \(popup) \(reason.rawValue)"
    case .willShow(let task): "willShow \(task.popup)"
    case .postponed(let task, _): "postponed \(task.popup)"
    case .exposed(let task, let variant, let isFirst):
        "exposed \(task.popup) \(variant)\(isFirst ? " first" : "")"
    case .shown(let task): "shown \(task.popup)"
    case .acted(let task, let action): "acted \(task.popup) \(action)"
    case .converted(let popup, let goal, let variant):
        "converted \(popup) \(goal) \(variant ?? "-")"
    case .willDismiss(let task, let reason): "willDismiss \(task.popup) \(reason.rawValue)"
    case .requeued(let task): "requeued \(task.popup)"
    case .dismissed(let task, let reason): "dismissed \(task.popup) \(reason.rawValue)"
    case .discarded(let task, let reason): "discarded \(task.popup) \(reason.rawValue)"
    case .cancelled(let task): "cancelled \(task.popup)"
    case .failed(let task, _): "failed \(task.popup)"
    case .conditionError(let popup, let role, _): "conditionError \(popup) \(role.rawValue)"
    case .zoneUnknown(let key, let text): "zoneUnknown \(key) \(text ?? "-")"
    case .emptyPlaceholder(let popup, let name): "empty \(popup) \(name)"
    case .animationTimeout(let task, let animation): "timeout \(task.popup) \(animation.rawValue)"
    case .rejected(let rejection): "rejected \(rejection)"
    }
}

extension Stage {
    /// Reports to the scheduler that its request was carried out.
    @discardableResult
    func didPresent(_ id: String) -> [String] { reply(id) { .didPresent($0) } }
    @discardableResult
    func didDismiss(_ id: String) -> [String] { reply(id) { .didDismiss($0) } }
    @discardableResult
    func fail(_ id: String) -> [String] { reply(id) { .presentFailed($0, message: "no window") } }
    @discardableResult
    func answer(_ id: String, _ answer: WillShowAnswer) -> [String] {
        reply(id) { .answered($0, answer) }
    }

    private func reply(_ id: String, _ event: (PresentationID) -> Event) -> [String] {
        guard let presentation = asked[id] else {
            Issue.record("nothing was asked about \(id)")
            return []
        }
        return self(event(presentation))
    }
}
