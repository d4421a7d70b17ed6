internal import PopCEL
package import PopScheduler
package import PopSource

extension ExplainContext {
    /// Returns the reasons why the popup on the screen blocks another one, and what would have to
    /// be different.
    func screenTexts(_ rule: PopupRule, explanation: PopupExplanation) -> [String] {
        let ahead = popupsAhead(of: rule)
        let queue =
            ahead.isEmpty ? [] : ["\(names(ahead)) \(ahead.count == 1 ? "shows" : "show") first"]
        guard let id = explanation.occupant,
            let occupant = scheduler.explain(id, at: now)
        else { return queue }
        switch occupant.state {
        case .presenting: return ["`\(id)` is being presented"] + queue
        case .dismissing(let reason):
            return ["`\(id)` is being dismissed: \(reason.rawValue)"] + queue
        case .showing where occupant.leaving != nil:
            return ["`\(id)` is dismissed as soon as its `min_show` is over"] + queue
        case .showing: return keepText(rule, occupant: occupant, ahead: ahead) + queue
        case .chosen, .absent, .waiting: return ["`\(id)` is chosen and about to show"] + queue
        }
    }

    private func keepText(
        _ rule: PopupRule, occupant: PopupExplanation, ahead: ArraySlice<String>
    ) -> [String] {
        let id = occupant.popup
        var texts = ["`\(id)` is on the screen"]
        // A popup that is on the screen when the rules are replaced keeps its old rule.
        if let other = scheduler.shownRule(of: id) {
            texts = [keepText(rule, other: other, ahead: ahead)]
        }
        if let end = occupant.until {
            let rest = PopScheduler.timeText(end.duration(since: now.date))
            texts.append("`\(id)` is dismissed automatically in \(rest)")
        }
        return texts
    }

    private func keepText(
        _ rule: PopupRule, other: PopupRule, ahead: ArraySlice<String>
    ) -> String {
        let lane = rules.schedulers[rule.scheduler]
        let keeps = "`\(other.id)` stays on the screen:"
        guard lane.strategy == .priority else {
            return "\(keeps) `\(lane.name)` has `strategy: \(lane.strategy.rawValue)`, so no"
                + " popup gives way"
        }
        let isStuck = other.switch == .await
        guard rule.priority > other.priority || isNewerEqual(rule, other: other, lane: lane) else {
            let priorities =
                rule.priority == other.priority
                ? "both have the priority \(rule.priorityText)"
                : "its priority is \(other.priorityText), but the priority of `\(rule.id)` is only"
                    + " \(rule.priorityText)"
            let also =
                isStuck && !rule.isUrgent
                ? ", and also either `urgent: true` or, in `\(other.id)`, `switch: latent` or"
                    + " `switch: discard`"
                : ""
            return
                "\(keeps) \(priorities); to replace it, `\(rule.id)` needs a higher priority\(also)"
        }
        let winner = ahead.first.map { " to `\($0)`" } ?? ""
        if rule.isUrgent, rule.priority > other.priority {
            return "`\(other.id)` gives way\(winner): `\(rule.id)` is urgent"
        }
        let condition = other.timing.minShow > .zero ? " once its `min_show` is over" : ""
        return isStuck
            ? "\(keeps) its `switch` is `await`; with `switch: latent` it would give way\(winner)"
                + condition
            : "`\(other.id)` gives way\(winner)\(condition)"
    }

    private func isNewerEqual(
        _ rule: PopupRule, other: PopupRule, lane: SchedulerRule
    ) -> Bool {
        guard rule.priority == other.priority, lane.tieBreak == .lifo,
            let task = scheduler.explain(rule.id, at: now)?.task,
            let shown = scheduler.explain(other.id, at: now)?.task
        else { return false }
        return task.number > shown.number
    }

    /// Returns the popups that could show too and have priority over this one.
    private func popupsAhead(of rule: PopupRule) -> ArraySlice<String> {
        let lines = lines ?? WaitingLines(scheduler, at: now, within: budget)
        return lines.ahead(of: rule.id, on: rules.schedulers[rule.scheduler].name)
    }

    private func names(_ ids: ArraySlice<String>) -> String {
        let most = 3
        let shown = ids.prefix(most).map { "`\($0)`" }
        let more = ids.count > most ? ["\(ids.count - most) more"] : []
        let all = shown + more
        guard let last = all.last, all.count > 1 else { return all.joined() }
        return "\(all.dropLast().joined(separator: ", ")) and \(last)"
    }
}

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

extension RuleSet {
    /// Returns the popups of a scheduler, those with priority first.
    package func queueOrder(of lane: LaneIndex) -> [PopupRule] {
        let own = popups.filter { $0.scheduler == lane }
        guard schedulers[lane].strategy == .priority else { return own }
        return own.enumerated().sorted {
            (-$0.element.priority, $0.offset) < (-$1.element.priority, $1.offset)
        }.map(\.element)
    }
}

extension PopupRule {
    /// The name of the priority, or the number if it has no name.
    package var priorityText: String { Self.text(ofPriority: priority) }

    package static func text(ofPriority priority: Int) -> String {
        priorityNames.first { $0.value == priority }?.name ?? "\(priority)"
    }
}
