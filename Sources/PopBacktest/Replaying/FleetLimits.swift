public import PopSource

/// The limits of replays.
public struct FleetLimits: Sendable, Hashable {
    /// The maximum number of events of one user, which are played together.
    public var eventsPerUser = 20_000_000
    /// The maximum sum of the counts of one tally.
    public var counts = 1 << 40

    /// The maximum number of popups per user whose pairs are counted: those that the user saw
    /// first.
    public var popupsInPairs = 100

    /// The maximum number of steps of the replays of a log of up to `eventsOfSmallLog` events: some
    /// seconds of work. A step judges a popup, performs an effect, or counts some pairs of popups.
    public var judged = 8_000_000
    /// The number of events up to which a log is small: it may use up only `judged`.
    public var eventsOfSmallLog = 50_000
    /// The number of additional steps, for each further event and popup.
    public var judgedPerEvent = 128
    /// A number that is added to the number of popups for that. A session of half an hour has 30
    /// minutes, and conditions such as `now.getHours()` are evaluated once a minute.
    public var judgedPopups = 8

    /// When events happen, in nanoseconds since 1970: before the year 2200, so that sums and
    /// differences of times fit into 64 bits.
    package static let times: Range<Int64> = 0..<7_258_118_400_000_000_000

    /// The days on which something can happen, counted from 1970-01-01: up to the end of the
    /// longest session, wherever the user is.
    static let days = -2...200_000

    /// Twenty million events a user.
    public static let standard = FleetLimits()

    /// Returns the work budget for a log with this number of events, for rules with these numbers
    /// of popups.
    ///
    /// One budget is shared by all users and all rules that are played against one log. It grows
    /// with large logs, so that no log is too large for rules whose popups are judged a few times
    /// per event; a small log ends within seconds, whatever its rules are.
    public func budget(events: Int, popups: [Int]) -> WorkBudget {
        let events = max(0, events - eventsOfSmallLog)
        var amount = judged
        for count in popups {
            let perEvent = (count + judgedPopups).multipliedReportingOverflow(by: judgedPerEvent)
            let (all, isTooMuch) = perEvent.partialValue.multipliedReportingOverflow(by: events)
            let (sum, isOver) = amount.addingReportingOverflow(all)
            amount = perEvent.overflow || isTooMuch || isOver ? .max : sum
        }
        return WorkBudget([.judgedPopups: amount])
    }
}
