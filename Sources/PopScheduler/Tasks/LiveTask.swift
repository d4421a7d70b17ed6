internal import PopCEL

/// A task that waits or is chosen, and what is known about whether it may show.
struct LiveTask: Sendable {
    enum Status: Sendable, Hashable {
        /// Something that it depends on has changed since it was examined.
        case unknown
        case eligible
        case blocked(ReasonCode)
    }

    /// What eligibility hangs on besides the rule of the popup.
    struct Claim: Sendable {
        let made: Duration
        var postponedUntil: Duration?
        /// Whether its impression is made; it makes no second one, so caps do not hold it back any more.
        var wasShown = false
    }

    private(set) var id: TaskID
    private(set) var claim: Claim
    /// Where it stands in the queue of its scheduler.
    private(set) var order: TaskOrder
    /// How often it was chosen.
    var turn = 0
    /// How long it was visible before it was switched out.
    var visibleTime = Duration.zero

    private(set) var status = Status.unknown
    /// What wakes it when it changes.
    var watched: [Int] = []
    /// When the status may change by itself.
    private(set) var statusEnds = Deadline.never
    /// The errors of its conditions that are reported already.
    var errors: [ConditionRole: EvaluationError] = [:]

    init(
        number: Int, popup: String, priority: Int, scheduler: SchedulerRule, made: Duration
    ) {
        claim = Claim(made: made)
        id = TaskID(popup: popup, scheduler: scheduler.name, number: number)
        order = TaskOrder(scheduler, priority: priority, number: number)
    }

    /// Stands where a popup has no task.
    static let none = LiveTask(
        number: 0, popup: "", priority: 0, scheduler: SchedulerRule(name: ""), made: .zero)

    /// Tasks are counted from 1.
    var isLive: Bool { id.number > 0 }

    var made: Duration { claim.made }

    var postponedUntil: Duration? {
        get { claim.postponedUntil }
        set { claim.postponedUntil = newValue }
    }

    var wasShown: Bool {
        get { claim.wasShown }
        set { claim.wasShown = newValue }
    }

    /// Takes over what was found out.
    mutating func know(_ status: Status, until ends: Deadline) {
        self.status = status
        statusEnds = ends
    }

    /// Something that it depends on has changed.
    mutating func forget() { know(.unknown, until: .never) }

    /// Takes over another definition, of its popup or its scheduler; nothing is known about it any more.
    mutating func adopt(_ popup: PopupRule, on scheduler: SchedulerRule) {
        id = TaskID(popup: popup.id, scheduler: scheduler.name, number: id.number)
        order = TaskOrder(scheduler, priority: popup.priority, number: id.number)
        forget()
        watched = []
    }
}

/// When something is due: on the clock of timers, by the calendar, or both, whatever comes first.
struct Deadline: Sendable, Hashable {
    var instant: Duration?
    var date: Timestamp?

    static let never = Deadline()

    static func at(_ instant: Duration) -> Deadline { Deadline(instant: instant) }
    static func at(_ date: Timestamp?) -> Deadline { Deadline(date: date) }

    func isDue(at now: Moment) -> Bool {
        if let instant, instant <= now.instant { return true }
        if let date, date <= now.date { return true }
        return false
    }

    /// Due when either is.
    func or(_ other: Deadline) -> Deadline {
        Deadline(
            instant: earlier(instant, other.instant), date: earlier(date, other.date))
    }
}

/// The smaller one, where nil is never.
func earlier<Time: Comparable>(_ left: Time?, _ right: Time?) -> Time? {
    guard let left else { return right }
    guard let right else { return left }
    return min(left, right)
}
