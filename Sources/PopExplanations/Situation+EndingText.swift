internal import PopCEL
internal import PopScheduler
internal import PopSource

extension Situation {
    /// Returns how the last task of a popup ended and what triggers the popup again.
    func endingTexts(_ rule: PopupRule, explanation: PopupExplanation) -> [String] {
        let trigger = "its trigger is \(triggerText(rule))"
        guard let ending = explanation.lastEnding else { return [trigger] }
        return ["its last task ended: \(ending.rawValue), \(ending.meaning)"]
            + words(on: ending, rule: rule, explanation: explanation) + [trigger]
    }

    /// Returns the app's message if the app could not present the popup.
    func failureTexts(_ rule: PopupRule) -> [String] {
        guard case .failed(_, let message)? = endings[rule.id] else { return [] }
        return ["the app reported: \(bounded(message))"]
    }

    /// Returns the reason why the popup could not show when its task was dropped.
    func obstacleTexts(_ rule: PopupRule, explanation: PopupExplanation) -> [String] {
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
