package import PopScheduler
package import PopSource

/// The queues of all schedulers and the history at one point in time, computed once for all
/// explanations of that time.
package struct WaitingLines: Sendable {
    /// The history of the user.
    let history: History
    /// The popup on the screen of each scheduler that shows one, by the scheduler's name.
    package let showing: [String: String]
    /// The reason why each popup waits that is not chosen.
    package let reasons: [String: ReasonCode]
    /// By scheduler, the waiting popups in order.
    package let waiting: [String: [String]]
    /// By scheduler, the waiting popups that could show if the screen were free, in order.
    private let ready: [String: [String]]
    /// The number of ready popups ahead of each popup.
    private let countAhead: [String: Int]

    /// Creates the queues and charges the budget for each popup that is judged. A refused charge is
    /// ignored, because the budget covers the whole answer and a missing part would go unnoticed.
    package init(_ scheduler: Scheduler, at now: Moment, within budget: WorkBudget) {
        history = scheduler.history
        showing = scheduler.showing
        reasons = scheduler.waitingReasons(at: now)
        waiting = scheduler.waiting
        _ = budget.charge(.judgedPopups, reasons.count)
        var ready: [String: [String]] = [:]
        var countAhead: [String: Int] = [:]
        for (lane, popups) in waiting {
            var found: [String] = []
            for popup in popups {
                countAhead[popup] = found.count
                if reasons[popup]?.kind == .ready { found.append(popup) }
            }
            ready[lane] = found
        }
        (self.ready, self.countAhead) = (ready, countAhead)
    }

    /// Returns the popups of a scheduler that could show too and have priority over the given
    /// popup; all ready popups if the given popup doesn't wait.
    func ahead(of popup: String, on lane: String) -> ArraySlice<String> {
        let ready = ready[lane] ?? []
        return ready.prefix(countAhead[popup] ?? ready.count)
    }
}
