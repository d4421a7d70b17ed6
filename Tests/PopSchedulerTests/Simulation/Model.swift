import PopCEL
import PopScheduler

/// A second scheduler, written straight from the specification: it scans everything and evaluates
/// everything, every time. It is slow, short and without caches, so that the real one can be
/// checked against it.
final class Model {
    struct Task {
        let id: TaskID
        let made: Duration
        /// The number of the draw of its delay.
        var delayDraw = 0
        var postponedUntil: Duration?
        var turn = 0
        /// The arm that was fixed when the host was asked; empty if the user isn't in the
        /// experiment.
        var arm: String?
        var isExposed = false
        var wasShown = false
        /// True if an action was reported, or it was closed.
        var wasUsed = false
        /// True if one of the actions counted as closing.
        var wasRefused = false
        /// The values that its place counts for, and the one that closing it counts for.
        var counted: [KeyedValue] = []
        var closing: KeyedValue?
        var visibleTime = Duration.zero
        var errors: [ConditionRole: EvaluationError] = [:]
    }

    /// The task that comes next on a lane's screen.
    struct Next {
        enum Phase {
            case settling(since: Duration, grace: Duration)
            case asked
            case allowed(since: Timestamp)
        }

        var task: Task
        var phase: Phase
        /// When a place under the caps was reserved for it.
        var reserved: Timestamp?
    }

    struct Leaving {
        var reason: ReasonCode
        var isImmediate = false
        var requeues = false
        var isSwitch = false
    }

    /// The popup that is on a lane's screen.
    struct Holder {
        enum Phase {
            case presenting(timeout: Duration)
            case showing(since: Duration)
            case dismissing(timeout: Duration)
        }

        var task: Task
        var rule: PopupRule
        var rules: RuleSet
        var user: String
        var phase: Phase
        var reserved: Timestamp?
        var impression: Timestamp?
        /// The session in which it made its impression.
        var session = 0
        var isConfirmed = false
        var leaving: Leaving?
        /// The action by which it ends.
        var endingAction: String?
        var isDetached = false
        /// True if a trigger fired while it was leaving; the trigger is tried after it has left.
        var isAskedAgain = false
        var dismissWasTrue = false
    }

    struct Lane {
        var rule: SchedulerRule
        var waiting: [Task] = []
        var next: Next?
        var holder: Holder?
        /// Since when it rests, and for how long.
        var gap: (since: Duration, length: Duration)?
        /// The number of the task that was forced last.
        var forced: Int?
    }

    var rules: RuleSet
    var lanes: TypedArray<LaneIndex, Lane>
    var suspensions: Set<Suspension> = []
    var now: Moment
    var user: String
    var history: History
    var context: [String: Value] = [:]
    var hasStarted = false
    var payload: (event: EventIndex, values: [String: Value])?
    /// The popup whose `dismiss_when` is evaluated.
    var dismissing: PopupRule?
    var sessionStarted: Timestamp
    /// The number of sessions that began after the first, and the users that this session is
    /// counted for.
    var session = 0
    var countedUsers: Set<String> = []
    /// When the app was in the background; the last of them may not be over.
    var absences: [(from: Moment, until: Moment?)] = []
    var sessionCounts: [String: [String: Int]] = [:]
    /// Exposures of the session that are not followed by an impression.
    var unseenCounts: [String: [String: Int]] = [:]
    var forcedArms: [String: String] = [:]
    var taskCount = 0
    var hostZone = "UTC"
    /// The last value of the key `z` that named no zone.
    var reportedZone: String??
    /// The seed of the random choices.
    var seed: UInt64 = 1
    /// The number of random choices so far, by purpose and name.
    var draws: [String: Int] = [:]
    var output: [String] = []
    private(set) var sights: [Sight: Int] = [:]

    init(_ rules: RuleSet, user: String, at now: Moment) {
        self.rules = rules
        self.now = now
        self.user = user
        lanes = TypedArray(rules.schedulers.map { Lane(rule: $0) })
        history = History()
        sessionStarted = now.date
    }

    func see(_ sight: Sight, when isSeen: Bool = true) {
        if isSeen { sights[sight, default: 0] += 1 }
    }

    func emit(_ event: HostEvent) { output.append(describe(event)) }

    func record(_ record: HistoryRecord, user: String? = nil) {
        if user == nil || user == self.user { history.apply(record) }
        if let user, user != self.user {
            switch record {
            case .impression: see(.impressionOfFormerUser)
            case .dismissal: see(.dismissalOfFormerUser)
            case .reservationTakenBack: see(.reservationOfFormerUser)
            case .endedByAction: see(.endByActionOfFormerUser)
            default: break
            }
        }
        output.append("record \(user ?? self.user) \(describe(record))")
    }

    func isSuspended(_ lane: LaneIndex) -> Bool {
        suspensions.contains { $0.scheduler == nil || $0.scheduler == lanes[lane].rule.name }
    }

    func popup(_ id: String) -> PopupRule? { rules.popups.first { $0.id == id } }

    // MARK: Values for conditions

    private func slotValues(of program: Program) -> SlotValues {
        var values = SlotValues(count: rules.slots.count)
        var isDone = Set<SlotIndex>()
        for slot in program.slots { fill(slot, &values, &isDone) }
        return values
    }

    private func fill(_ slot: SlotIndex, _ values: inout SlotValues, _ isDone: inout Set<SlotIndex>)
    {
        guard isDone.insert(slot).inserted else { return }
        func set(_ value: Value?) { values[slot] = value.map { .value($0) } ?? .missing }
        switch rules.slots[slot] {
        case .key(let key): set(value(ofKey: key))
        case .now: set(.timestamp(now.date))
        case .session(.started): set(.timestamp(sessionStarted))
        case .session(.count): set(.int(Int64(history.sessions.count)))
        case .session(.previousEnd): set(history.sessions.previousEnd.map { .timestamp($0) })
        case .session(.firstSeen): set(.timestamp(history.sessions.first ?? sessionStarted))
        case .shownCount(let popup): set(.int(Int64(seen(popup)?.shownCount ?? 0)))
        case .lastShown(let popup): set(seen(popup)?.lastShown.map { .timestamp($0) })
        case .lastReason(let popup): set(seen(popup)?.lastReason.map { .string($0.rawValue) })
        case .variant(let popup): set(.string(seen(popup)?.exposures.variant ?? ""))
        case .exposedCount(let popup): set(.int(Int64(seen(popup)?.exposures.count ?? 0)))
        case .lastAction(let popup): set(.string(seen(popup)?.lastAction ?? ""))
        case .closedCount(let popup): set(.int(Int64(seen(popup)?.closedCount ?? 0)))
        case .converted(let popup):
            let goal = rules.popups[popup].goals.first?.name ?? ""
            set(.bool(seen(popup)?.goals[goal]?.converted != nil))
        case .acted(let popup, let action):
            set(.int(Int64(seen(popup)?.actions[action]?.count ?? 0)))
        case .lastActed(let popup, let action):
            set(seen(popup)?.actions[action].map { .timestamp($0.last) })
        case .eventCount(let event, nil): set(.int(Int64(history.events[event]?.count ?? 0)))
        case .eventCount(let event, let within?):
            let dates = history.events[event]?.dates ?? []
            set(.int(Int64(dates.count { $0.adding(within) ?? .max > now.date })))
        case .lastEvent(let event): set(history.events[event]?.last.map { .timestamp($0) })
        case .sinceEvent(let event):
            let last = history.events[event]?.last
            set(.duration(last.map { now.date.duration(since: $0) } ?? .endless))
        case .eventSum(let asked):
            let sums = sum(asked)
            if let sums {
                set(sums)
            } else {
                values[slot] = .error(EvaluationError("the sum is out of range"))
            }
        case .scheduleOpen: set(dismissing.map { .bool(isOpen($0)) })
        case .payload: set(nil)
        case .payloadField(let event, let field):
            let name = rules.events[event].fields[field].name
            set(payload?.event == event ? payload?.values[name] : nil)
        case .condition(let condition):
            let program = rules.conditions[condition].condition.program
            for input in program.slots { fill(input, &values, &isDone) }
            switch program.isTrue(values) {
            case .yes: set(.bool(true))
            case .no: set(.bool(false))
            case .error(let error): values[slot] = .error(error)
            }
        }
    }

    /// Returns the sum of the amounts of an event in a time before now, added from the oldest on;
    /// nil if the sum is too large.
    private func sum(_ asked: EventSum) -> Value? {
        let kept = history.events[asked.event]?.amounts[asked.field] ?? Amounts()
        let recent = zip(kept.dates, kept.values)
            .filter { $0.0.adding(asked.within) ?? .max > now.date }.map(\.1)
        var whole: Int64 = 0
        var number = 0.0
        for value in recent {
            switch value {
            case .int(let added):
                let (sum, isOver) = whole.addingReportingOverflow(added)
                if isOver { return nil }
                whole = sum
            case .double(let added): number += added
            default: break
            }
        }
        return asked.type == .int ? .int(whole) : .double(number)
    }

    func seen(_ popup: PopupIndex) -> History.Popup? {
        history.popups[rules.popups[popup].id]
    }

    func value(ofKey key: KeyIndex) -> Value? {
        context[rules.keys[key].name] ?? rules.keys[key].defaultValue
    }

    func truth(_ condition: Condition) -> Truth {
        condition.program.isTrue(slotValues(of: condition.program))
    }

    /// Returns the truth of the `dismiss_when` of a popup; nil if it has none.
    func dismissal(_ rule: PopupRule) -> Truth? {
        dismissing = rule
        defer { dismissing = nil }
        return rule.dismissWhen.map { truth($0) }
    }

    // MARK: Order

    func order(_ lane: Lane, _ priority: Int, _ number: Int) -> (Int, Int) {
        if lane.forced == number { return (.min, number) }
        return switch lane.rule.strategy {
        case .fifo: (0, number)
        case .lifo: (0, -number)
        case .priority: (-priority, lane.rule.tieBreak == .fifo ? number : -number)
        }
    }

    func order(_ lane: LaneIndex, _ task: Task) -> (Int, Int) {
        order(lanes[lane], popup(task.id.popup)?.priority ?? 0, task.id.number)
    }

    func queue(_ lane: LaneIndex) -> [Task] {
        lanes[lane].waiting.sorted { order(lane, $0) < order(lane, $1) }
    }

    func drop(_ lane: LaneIndex, _ task: Task, _ reason: ReasonCode) {
        lanes[lane].waiting.removeAll { $0.id == task.id }
        gone(task, reason)
    }

    /// Ends the task that was to come next.
    func dropNext(_ lane: LaneIndex, _ reason: ReasonCode) {
        guard let task = takeNext(lane) else { return }
        gone(task, reason)
    }

    /// Returns the task that was to come next and removes it, giving back its place under the caps.
    func takeNext(_ lane: LaneIndex) -> Task? {
        guard var next = lanes[lane].next else { return nil }
        lanes[lane].next = nil
        if let date = next.reserved {
            record(
                .reservationTakenBack(
                    popup: next.task.id.popup, date: date, isExposed: next.task.isExposed))
            takeBack(&next.task, user: user)
        }
        return next.task
    }

    /// A task that is not on the screen has ended.
    func gone(_ task: Task, _ reason: ReasonCode) {
        guard task.wasShown else { return emit(.discarded(task.id, reason)) }
        record(.dismissal(popup: task.id.popup, reason: reason, date: now.date))
        emit(.dismissed(task.id, reason))
    }
}
