internal import PopCEL

/// One request to show a popup: the data that is kept in a queue and on a screen alike.
struct LiveTask: Sendable {
    enum Status: Sendable, Hashable {
        /// Something that the status depends on has changed since the task was examined.
        case unknown
        case eligible
        /// `isDroppable` is true if a walk of the queue may drop it.
        case blocked(isDroppable: Bool)
    }

    /// The data that eligibility depends on, in addition to the rule of the popup.
    struct Claim: Sendable {
        let made: Duration
        var postponedUntil: Duration?
        /// True if it was on the screen and was switched out; it makes no second impression, so
        /// caps don't block it.
        var wasShown = false
        /// The number of the draw that determines its delay after it was made; nil if nothing was
        /// drawn.
        var delay: Int?
        /// The arm of its popup's experiment, fixed when the host is asked; empty for a user who
        /// doesn't take part.
        var arm: String?
        /// True if its user was exposed to that arm.
        var isExposed = false
        /// The uses by the user before it was switched out.
        var acts: Acts = []
    }

    /// The uses of a task by the user.
    struct Acts: OptionSet, Sendable {
        let rawValue: UInt8

        /// An action was reported, or it was closed.
        static let any = Self(rawValue: 1)
        /// An action or the closing of it counted as closing.
        static let closing = Self(rawValue: 2)
    }

    /// Tasks are counted from 1.
    let number: Int
    var claim: Claim
    /// The number of times that it was chosen.
    var turn: Int
    /// The time for which it was visible before it was switched out.
    var visibleTime = Duration.zero
    /// The errors of its conditions that were already reported.
    var errors: [ConditionRole: EvaluationError] = [:]

    init(number: Int, _ claim: Claim, turn: Int = 0) {
        self.number = number
        self.claim = claim
        self.turn = turn
    }
}

/// The time at which something is due: on the clock of timers, by the calendar, or both, whichever
/// comes first.
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

    /// Returns a deadline that is due when either is.
    func or(_ other: Deadline) -> Deadline {
        Deadline(
            instant: earlier(instant, other.instant), date: earlier(date, other.date))
    }
}

/// Returns the smaller value; nil means never.
func earlier<Time: Comparable>(_ left: Time?, _ right: Time?) -> Time? {
    guard let left else { return right }
    guard let right else { return left }
    return min(left, right)
}
