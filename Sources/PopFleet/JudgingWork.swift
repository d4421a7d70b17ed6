public import PopCEL
internal import PopSource

/// A session that was not played to its end, since its rules wake too often.
public struct UndecidedSession: Error, Sendable, Hashable {
    /// The user.
    public var user: String
    /// When the session began.
    public var start: Timestamp
    /// The popups that were waiting, in the order of the rules.
    public var waiting: [String]

    /// `start` is in nanoseconds since 1970; `waiting` has the popups' places in the rules.
    init(of user: String, start: Int64, waiting: [Int], rules: ReplayRules) {
        self.user = user
        self.start = Timestamp(nanoseconds: start)
        self.waiting = waiting.map { rules.popups[$0] }
    }
}

/// Counts how often waiting popups are judged, and charges it in lumps: many threads share a
/// budget.
struct JudgingWork {
    private static let lump = 1_024

    let budget: WorkBudget
    /// All that was done.
    private(set) var total = 0
    private var pending = 0

    init(_ budget: WorkBudget) { self.budget = budget }

    /// Returns whether more may be done.
    mutating func note(_ count: Int) -> Bool {
        total += count
        pending += count
        return pending < Self.lump || charge()
    }

    /// Charges what was not yet charged.
    mutating func charge() -> Bool {
        defer { pending = 0 }
        return pending == 0 || budget.charge(.judgedPopups, pending)
    }
}
