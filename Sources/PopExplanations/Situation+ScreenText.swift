internal import PopCEL
internal import PopScheduler
internal import PopSource

extension Situation {
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
            return "\(keeps) `\(lane.name)` is `\(lane.strategy.rawValue)`, so no popup gives way"
        }
        let isStuck = other.switch == .await
        guard rule.priority > other.priority || isNewerEqual(rule, other: other, lane: lane) else {
            let priorities =
                rule.priority == other.priority
                ? "both have the priority \(rule.priorityText)"
                : "its priority is \(other.priorityText), that of `\(rule.id)` is"
                    + " \(rule.priorityText)"
            let also =
                isStuck && !rule.isUrgent
                ? " and `urgent: true`, or `\(other.id)` needs a `switch` other than `await`" : ""
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
