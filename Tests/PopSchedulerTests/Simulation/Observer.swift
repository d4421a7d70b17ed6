import PopCEL
import PopScheduler

/// Observes a scheduler from outside and knows the properties that hold for every sequence of
/// inputs.
struct Observer {
    private var living: Set<Int> = []
    private var ended: Set<Int> = []
    /// Tasks that were presented: one that comes back makes no other impression, so no cap is asked
    /// again.
    private var presented: Set<Int> = []
    /// Tasks about which the host was asked, and of which nothing was heard since.
    private var asked: Set<Int> = []
    /// The tasks that show regardless of the caps.
    private var forced: Set<Int> = []
    /// The task on each screen.
    private var onScreen: [String: Int] = [:]
    private var impressions: [String: [Timestamp]] = [:]
    private var session: [String: Int] = [:]
    /// Places that are reserved, also those that the app died with.
    private var reserved: [String: Int] = [:]

    /// Past impressions stay known; tasks and the session start from scratch.
    mutating func restart() {
        living = []
        ended = []
        presented = []
        asked = []
        forced = []
        onScreen = [:]
        session = [:]
    }

    mutating func observe(
        _ effects: [Effect], user: String, _ properties: Set<Property>
    ) -> String? {
        for effect in effects {
            switch effect {
            case .emit(let event):
                if let problem = observe(event), properties.contains(.oneEnding) { return problem }
            case .present(let presentation):
                if let problem = takeScreen(presentation), properties.contains(.oneOnScreen) {
                    return problem
                }
                if properties.contains(.capsKept), let problem = checkCaps(presentation, of: user) {
                    return problem
                }
            case .record(let record, let user): observe(record, of: user)
            case .askWillShow, .dismiss: break
            }
        }
        return nil
    }

    /// A popup was forced: its task was there, or has just been made.
    mutating func force(_ id: String, _ effects: [Effect]) {
        for case .emit(let event) in effects where event.popup == id {
            if let task = event.task { forced.insert(task.number) }
        }
    }

    /// Nothing is known of a popup and a user any more.
    mutating func forget(_ popup: String, of user: String) {
        let name = "\(user)/\(popup)"
        (impressions[name], session[name], reserved[name]) = (nil, nil, nil)
    }

    private mutating func observe(_ event: HostEvent) -> String? {
        guard let task = event.task else { return nil }
        if case .queued = event {
            living.insert(task.number)
        } else if ended.contains(task.number) {
            return "\(task) is over and goes on: \(event)"
        } else if !living.contains(task.number) {
            return "\(task) was never made: \(event)"
        }
        if let problem = observeQuestion(event, task) { return problem }
        if case .requeued = event { leaveScreen(task.number) }
        guard event.ending != nil else { return nil }
        leaveScreen(task.number)
        living.remove(task.number)
        ended.insert(task.number)
        return nil
    }

    /// Checks that `willShow` is followed by one of the events that answer it, before any other
    /// event of the task.
    private mutating func observeQuestion(_ event: HostEvent, _ task: TaskID) -> String? {
        switch event {
        case .willShow:
            let isNew = asked.insert(task.number).inserted
            return isNew ? nil : "the host was asked about \(task) twice"
        case .shown, .postponed, .cancelled, .failed:
            // Only a presentation that took too long may fail when it was shown already.
            let wasAsked = asked.remove(task.number) != nil
            if case .failed = event { return nil }
            return wasAsked ? nil : "the host was not asked about \(task): \(event)"
        case .requeued, .dismissed, .discarded:
            asked.remove(task.number)
            return nil
        case .willDismiss:
            return asked.contains(task.number) ? "\(task) goes before it was there" : nil
        default: return nil
        }
    }

    private mutating func leaveScreen(_ number: Int) {
        onScreen = onScreen.filter { $0.value != number }
    }

    private mutating func takeScreen(_ presentation: Presentation) -> String? {
        let task = presentation.task
        defer { onScreen[task.scheduler] = task.number }
        if !living.contains(task.number) { return "\(task) does not live and is presented" }
        if let other = onScreen[task.scheduler], other != task.number {
            return "\(task) is presented over \(other)"
        }
        return nil
    }

    private mutating func checkCaps(_ presentation: Presentation, of user: String) -> String? {
        guard presented.insert(presentation.task.number).inserted else { return nil }
        if forced.contains(presentation.task.number) { return nil }
        let caps = presentation.popup.caps
        let name = "\(user)/\(presentation.popup.id)"
        let places = reserved[name] ?? 0
        if let most = caps.lifetime, (impressions[name]?.count ?? 0) + places > most {
            return "\(name) exceeds its lifetime cap"
        }
        if let most = caps.perSession, session[name] ?? 0 >= most {
            return "\(name) exceeds its session cap"
        }
        return nil
    }

    private mutating func observe(_ record: HistoryRecord, of user: String) {
        switch record {
        case .reservation(let popup, _): reserved["\(user)/\(popup)", default: 0] += 1
        case .reservationTakenBack(let popup, _, _): reserved["\(user)/\(popup)", default: 0] -= 1
        case .impression(let popup, let date, let reservation, _):
            if reservation != nil { reserved["\(user)/\(popup)", default: 0] -= 1 }
            impressions["\(user)/\(popup)", default: []].append(date)
            session["\(user)/\(popup)", default: 0] += 1
        case .impressionTakenBack(let popup, let date, _):
            let name = "\(user)/\(popup)"
            if let index = impressions[name]?.lastIndex(of: date) {
                impressions[name]?.remove(at: index)
            }
            // It may have been made in the session before.
            session[name] = max(session[name, default: 1] - 1, 0)
        case .session: session = session.filter { !$0.key.hasPrefix("\(user)/") }
        case .dismissal, .acted, .endedByAction, .goalMatched, .event, .sessionLeft, .occurrence,
            .exposure, .counted:
            break
        }
    }
}
