package import PopScheduler
package import PopSource

/// The queues of all schedulers and the history at one moment, computed once for all explanations
/// of that moment.
package struct WaitingLines: Sendable {
    /// The history of the user.
    let history: History
    /// The popup on the screen of each scheduler that shows one, by the scheduler's name.
    package let showing: [String: String]
    /// Why each popup waits that is not chosen.
    package let reasons: [String: ReasonCode]
    /// By scheduler those that wait, in order.
    package let waiting: [String: [String]]
    /// By scheduler those of them that could show if their screen were free, in order.
    private let ready: [String: [String]]
    /// How many of the ready ones stand before each popup.
    private let countAhead: [String: Int]

    /// Charges the budget for each popup that is judged. It was made for the whole answer: a part
    /// that is refused would be missed without a word.
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

    /// The popups of a scheduler that could show too, and go before another one; all of them where
    /// that one does not wait.
    func ahead(of popup: String, on lane: String) -> ArraySlice<String> {
        let ready = ready[lane] ?? []
        return ready.prefix(countAhead[popup] ?? ready.count)
    }
}
