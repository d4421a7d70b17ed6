internal import PopScheduler

/// The work that waits for the stage. It never exceeds its limits, however slow the store and the
/// observer are.
///
/// Records are held separately, so that all waiting records are saved together, before later
/// decisions are performed.
struct WorkQueue {
    typealias Record = (user: String, record: HistoryRecord)

    /// One thing to do and what is to be kept before.
    struct Next: Sendable {
        var work: Work
        var records: [Record]
        /// The number of records that were given up.
        var lostRecords: Int
    }

    /// An item of the list, or a marker for work whose newest form is kept next to the list.
    private enum Item {
        case work(Work)
        case leftOut(Moment)
        case prune(HistoryRetention)
        case askForeign
        case tellStatuses
    }

    private let limits: EngineLimits
    private var items = Fifo<Item>()
    /// Effects of the items, and one for each other item.
    private var weight = 0
    private var records: [Record] = []
    /// For each erasure of a popup in the list, how many of the records are kept before it.
    private var erasures: [Int] = []
    private var lostRecords = 0
    private var leftOut = 0
    private var prunes = false
    /// Takes the place of the one in the list.
    private var newerRetention: HistoryRetention?
    private var asksForeign = false
    private var tellsStatuses = false
    private(set) var isClosed = false

    init(limits: EngineLimits) { self.limits = limits }

    var count: Int { items.count }
    var isEmpty: Bool { items.isEmpty }
    private var isFull: Bool { weight >= limits.waitingWork }

    /// Nothing is added from now on.
    mutating func close() { isClosed = true }

    /// The records of a user that nothing has been done about yet.
    func records(of user: String) -> [HistoryRecord] {
        records.filter { $0.user == user }.map(\.record)
    }

    /// Adds a batch. Events that a follower has to receive are not left out.
    mutating func add(_ batch: EffectBatch, at moment: Moment, for followers: Followers) {
        records += batch.records
        giveUpRecords()
        var others = batch.others
        if isFull {
            others.removeAll { effect in
                guard case .emit(let event) = effect else { return false }
                return event.mayBeLeftOut && !followers.need(event)
            }
            leaveOut(batch.others.count - others.count, at: moment)
        }
        // An empty batch makes the stage save the records, including those that follow an erasure.
        guard !others.isEmpty || items.isEmpty || !erasures.isEmpty else { return }
        push(.work(.perform(others, moment)), weight: max(1, others.count))
    }

    mutating func add(_ work: Work) {
        switch work {
        case .tell(let kind, let moment) where isFull && kind.mayBeLeftOut: leaveOut(1, at: moment)
        case .prune(let retention):
            if prunes { newerRetention = retention } else { push(.prune(retention)) }
            prunes = true
        case .askForeign:
            if !asksForeign { push(.askForeign) }
            asksForeign = true
        case .tellStatuses:
            if !tellsStatuses { push(.tellStatuses) }
            tellsStatuses = true
        case .perform, .tell, .tellLeftOut, .updateContent, .flush, .read, .wasRead,
            .storeAnswered, .forget:
            push(.work(work))
        case .forgetPopup:
            erasures.append(records.count)
            push(.work(work))
        }
    }

    /// The next thing to do, with every record that waits and comes before an erasure.
    mutating func next() -> Next? {
        guard let item = items.popFirst() else { return nil }
        var before: [Record] = []
        if let count = erasures.first {
            before = Array(records.prefix(count))
            dropRecords(count)
        } else {
            swap(&before, &records)
        }
        defer { lostRecords = 0 }
        let work = take(item)
        if case .forgetPopup = work { erasures.removeFirst() }
        return Next(work: work, records: before, lostRecords: lostRecords)
    }

    private mutating func dropRecords(_ count: Int) {
        records.removeFirst(count)
        erasures = erasures.map { max(0, $0 - count) }
    }

    private mutating func take(_ item: Item) -> Work {
        switch item {
        case .work(let work):
            if case .perform(let effects, _) = work {
                weight -= max(1, effects.count)
            } else {
                weight -= 1
            }
            return work
        case .leftOut(let moment):
            weight -= 1
            defer { leftOut = 0 }
            return .tellLeftOut(leftOut, moment)
        case .prune(let retention):
            weight -= 1
            defer { (prunes, newerRetention) = (false, nil) }
            return .prune(newerRetention ?? retention)
        case .askForeign:
            weight -= 1
            asksForeign = false
            return .askForeign
        case .tellStatuses:
            weight -= 1
            tellsStatuses = false
            return .tellStatuses
        }
    }

    private mutating func push(_ item: Item, weight: Int = 1) {
        items.append(item)
        self.weight += weight
    }

    private mutating func leaveOut(_ count: Int, at moment: Moment) {
        guard count > 0 else { return }
        if leftOut == 0 { push(.leftOut(moment)) }
        leftOut += count
    }

    /// In one go of an eighth, so that moving up the others is spread over many.
    private mutating func giveUpRecords() {
        let limit = max(1, limits.unsavedRecords)
        guard records.count > limit + limit / 8 else { return }
        lostRecords += records.count - limit
        dropRecords(records.count - limit)
    }
}

/// The effects of one decision of a scheduler, split into records and others.
struct EffectBatch: Sendable {
    private(set) var records: [WorkQueue.Record] = []
    /// The effects that are performed once the records are saved.
    private(set) var others: [Effect] = []
    /// The popups whose tasks ended.
    private(set) var ended: [String] = []

    init(_ effects: [Effect]) {
        others.reserveCapacity(effects.count)
        for effect in effects {
            if case .record(let record, let user) = effect {
                records.append((user, record))
                continue
            }
            others.append(effect)
            guard case .emit(let event) = effect, event.ending != nil else { continue }
            if let popup = event.popup { ended.append(popup) }
        }
    }

    var isEmpty: Bool { records.isEmpty && others.isEmpty }
}

extension HostEvent {
    /// Indicates whether any number of these events may occur while the stage is blocked. Popups on
    /// a screen were requested by the stage, so their events are few; the stage has to know of
    /// their end.
    fileprivate var mayBeLeftOut: Bool {
        switch self {
        case .queued, .coalesced, .remembered, .notMade, .acted, .discarded, .conditionError,
            .zoneUnknown, .emptyPlaceholder, .rejected:
            true
        case .willShow, .postponed, .exposed, .shown, .converted, .willDismiss, .requeued,
            .dismissed,
            .cancelled,
            .failed, .animationTimeout:
            false
        }
    }
}

extension EngineEvent.Kind {
    /// Indicates whether an app can cause any number of these events.
    fileprivate var mayBeLeftOut: Bool {
        switch self {
        case .scheduler(let event): event.mayBeLeftOut
        case .rulesRefused, .rulesReloaded, .remark: true
        case .historyUnavailable, .historyRestored, .historyLost, .removalsLost, .eventsLeftOut,
            .mainActorBlocked, .mainActorFree:
            false
        }
    }
}

/// Work of the stage, in this order.
enum Work: Sendable {
    /// Perform what the scheduler decided at that moment; its records are kept before.
    case perform([Effect], Moment)
    /// Send an event that the scheduler doesn't know about.
    case tell(EngineEvent.Kind, Moment)
    /// Report the number of events that were left out here.
    case tellLeftOut(Int, Moment)
    /// Forget history that the rules can't ask for any more.
    case prune(HistoryRetention)
    /// Ask the conditions of foreign popups again.
    case askForeign
    /// Send popup statuses to their subscribers.
    case tellStatuses
    /// Have the presenter show the newest content.
    case updateContent(PresentationID)
    /// Say what kept the store from taking everything.
    case flush(CheckedContinuation<(any Error)?, Never>)
    /// Begin to read what is kept of a user.
    case read(String, CheckedContinuation<LoadedHistory, Never>)
    /// Take what was read.
    case wasRead(Int, LoadedHistory)
    /// Go on with a store that has answered after all.
    case storeAnswered
    /// Erase what is kept of a user.
    case forget(String, CheckedContinuation<(any Error)?, Never>)
    /// Erase what is kept of a popup and a user.
    case forgetPopup(String, user: String, CheckedContinuation<(any Error)?, Never>)
}

/// A list that is taken from at its front.
struct Fifo<Element> {
    private var elements: [Element] = []
    /// The number of elements that were taken and still occupy their places.
    private var taken = 0

    var count: Int { elements.count - taken }
    var isEmpty: Bool { count == 0 }
    var first: Element? { isEmpty ? nil : elements[taken] }

    mutating func append(_ element: consuming Element) { elements.append(element) }

    /// Takes the first one. Moving up the others is spread over as many takings.
    mutating func popFirst() -> Element? {
        guard taken < elements.count else { return nil }
        let first = elements[taken]
        taken += 1
        if taken == elements.count {
            elements.removeAll(keepingCapacity: taken <= 64)
            taken = 0
        } else if taken > 64, taken * 2 > elements.count {
            elements.removeFirst(taken)
            taken = 0
        }
        return first
    }
}
