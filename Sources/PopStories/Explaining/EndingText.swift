internal import PopCEL
package import PopScheduler
internal import PopSource
internal import PopWire

extension Simulation {
    /// How the last task of a popup ended, and what fires it again.
    func endingTexts(_ rule: PopupRule, explanation: PopupExplanation) -> [String] {
        let trigger = "its trigger is \(triggerText(rule))"
        guard let ending = explanation.lastEnding else { return [trigger] }
        return ["its last task ended: \(ending.rawValue), \(ending.meaning)"]
            + causes(of: ending, rule: rule, explanation: explanation) + [trigger]
    }

    /// Why a task ended so: what the rule says, and what kept the popup from showing.
    package func causes(
        of ending: ReasonCode, rule: PopupRule, explanation: PopupExplanation
    ) -> [String] {
        let lane = rules.schedulers[rule.scheduler]
        switch ending {
        case .discardedUntriggered:
            return ["its rule says `untriggered: discard`"]
                + obstacleTexts(rule, explanation: explanation)
        case .waitedTooLong:
            let longest = rule.timing.maxWait.map {
                "its `max_wait` is \(PopScheduler.timeText($0))"
            }
            return [longest].compactMap(\.self) + obstacleTexts(rule, explanation: explanation)
        case .queueFull:
            return lane.maxWaiting.map { ["`max_waiting` of `\(lane.name)` is \($0)"] } ?? []
        case .timedOut:
            return rule.timing.hideAfter.map {
                ["its `hide_after` is \(PopScheduler.timeText($0))"]
            }
                ?? []
        case .preempted: return ["its rule says `switch: \(rule.switch.rawValue)`"]
        case .dismissCondition:
            let condition = rule.dismissWhen?.program.expression.description
            return condition.map { ["its `dismiss_when` is `\(bounded($0))`"] } ?? []
        case .presentationFailed:
            return endings[rule.id]?.message.map { ["the app said: \(bounded($0))"] } ?? []
        // Its meaning says all.
        default: return []
        }
    }

    private func obstacleTexts(_ rule: PopupRule, explanation: PopupExplanation) -> [String] {
        guard let obstacle = explanation.obstacle else { return [] }
        let code = "it could not show then: \(obstacle.reason.rawValue), \(obstacle.reason.meaning)"
        guard let root = obstacle.condition?.root else { return [code] }
        let truth: Truth =
            if case .failure(let error)? = root.result { .error(error) } else { .no }
        let report = ConditionReport(
            role: obstacle.role, range: rule.range, root: root, truth: truth, named: [:])
        return [code, report.decision] + report.facts
    }
}
