internal import PopCEL

/// One request to show a popup: what of it is kept wherever it stands, in a queue or on a screen.
struct LiveTask: Sendable {
    enum Status: Sendable, Hashable {
        /// Something that it depends on has changed since it was examined.
        case unknown
        case eligible
        /// Whether a walk of the queue may drop it.
        case blocked(isDroppable: Bool)
    }

    /// What eligibility hangs on besides the rule of the popup.
    struct Claim: Sendable {
        let made: Duration
        var postponedUntil: Duration?
        /// Whether it was on the screen and was switched out; it makes no second impression, so
        /// caps do not hold it back.
        var wasShown = false
        /// The number of the draw that says how long it waits after it was made; nil when nothing
        /// was drawn.
        var delay: Int?
        /// The arm of its popup's experiment, fixed when the host is asked; empty for a user who
        /// takes no part.
        var arm: String?
        /// Whether its user was exposed to that arm.
        var isExposed = false
        /// What people did with it before it was switched out.
        var acts: Acts = []
    }

    /// What people did with a task.
    struct Acts: OptionSet, Sendable {
        let rawValue: UInt8

        /// An action was reported, or it was closed.
        static let any = Self(rawValue: 1)
        /// Something of that counted as closing.
        static let closing = Self(rawValue: 2)
    }

    /// Tasks are counted from 1.
    let number: Int
    var claim: Claim
    /// How often it was chosen.
    var turn: Int
    /// How long it was visible before it was switched out.
    var visibleTime = Duration.zero
    /// The errors of its conditions that are reported already.
    var errors: [ConditionRole: EvaluationError] = [:]

    init(number: Int, _ claim: Claim, turn: Int = 0) {
        self.number = number
        self.claim = claim
        self.turn = turn
    }
}

/// When something is due: on the clock of timers, by the calendar, or both, whatever comes first.
struct Deadline: Sendable, Hashable {
    var instant: Duration?
    var date: Timestamp?

    static let never = Deadline()

    var isNever: Bool { instant == nil && date == nil }

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
