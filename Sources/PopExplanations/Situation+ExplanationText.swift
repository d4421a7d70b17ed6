internal import PopCEL
package import PopScheduler
internal import PopSource

extension PopupExplanation {
    /// A sentence that states that the popup shows, or the reason why it doesn't.
    package var sentence: String {
        switch state {
        case .absent(.notTriggered) where lastEnding != nil:
            "`\(popup)` does not show: NOT_TRIGGERED, nothing has triggered it since it ended"
        case .absent(let reason) where isFormer:
            "`\(popup)` does not show: \(reason.rawValue) when its trigger last fired, and nothing"
                + " has triggered it since"
        case .absent(let reason), .waiting(let reason):
            "`\(popup)` does not show: \(reason.rawValue), \(reason.meaning)"
        case .chosen: "`\(popup)` is chosen and about to show on `\(scheduler)`"
        case .presenting: "`\(popup)` is being presented on `\(scheduler)`"
        case .showing:
            leaving.map {
                "`\(popup)` shows on `\(scheduler)` until `min_show` is over: \($0.rawValue),"
                    + " \($0.meaning)"
            } ?? "`\(popup)` shows on `\(scheduler)`"
        case .dismissing(let reason):
            "`\(popup)` is being dismissed: \(reason.rawValue), \(reason.meaning)"
        }
    }
}

extension Situation {
    /// Returns the facts about why a popup isn't on the screen, for example next to a test failure.
    package func whyNot(_ popup: String) -> [String] {
        guard let explanation = scheduler.explain(popup, at: now) else { return [] }
        let condition = decidingCondition(explanation)
        return [explanation.sentence] + (condition.map { [$0.decision] + $0.facts } ?? [])
            + details(of: explanation)
    }

    /// The condition that the reason is about.
    package func decidingCondition(_ explanation: PopupExplanation) -> ConditionReport? {
        guard let rule = rule(of: explanation.popup) else {
            return nil
        }
        // A condition of the schedule may decide too.
        let role = explanation.role == .scheduleWhen ? explanation.role : explanation.reason?.role
        switch role {
        case .scheduleWhen?:
            return rule.timing.schedule.lazy.compactMap(\.when)
                .map { report(on: $0, as: .scheduleWhen) }.first { $0.truth != .yes }
        case .when?: return rule.when.map { report(on: $0, as: .when) }
        case .groupWhen?:
            return rule.group.flatMap { rules.groups[$0].when }.map {
                report(on: $0, as: .groupWhen)
            }
        case .where?: return filteredTrigger(of: rule, explanation)
        case .dismissWhen?:
            return rule.dismissWhen.map {
                report(on: $0, as: .dismissWhen, supposing: Supposition(popup: rule.id))
            }
        case .goalWhere?, nil: return nil
        }
    }

    /// Returns the `where` that filtered out the last event, with the values that it read then.
    private func filteredTrigger(
        of rule: PopupRule, _ explanation: PopupExplanation
    ) -> ConditionReport? {
        let truth: Truth
        switch explanation.filter?.cause {
        case .whereFalse?: truth = .no
        case .whereError(let error)?: truth = .error(error)
        case .occurrence?, nil: return nil
        }
        return rule.triggers.lazy.compactMap { trigger in
            guard case .event(let trigger) = trigger, let condition = trigger.where,
                rules.events[trigger.event].name == explanation.filter?.event
            else { return nil }
            return ConditionReport(
                role: .where, range: condition.range, root: explanation.condition?.root,
                truth: truth, named: [:])
        }.first
    }

    /// Returns the triggers of a popup, as a list in a sentence.
    package func triggerText(_ rule: PopupRule) -> String {
        rule.triggers.map { rules.text(of: $0) }.joined(separator: " or ")
    }
}

extension RuleSet {
    /// A trigger in a few words.
    package func text(of trigger: Trigger) -> String {
        switch trigger {
        case .occasion(.start): return "the start of the app"
        case .occasion(.session): return "the start of a session"
        case .occasion(.manual): return "a call of the app"
        case .changed(let key): return "a change of `\(keys[key].name)`"
        case .acted(let popup, TemplateRule.Action.close):
            return "the user closing `\(popups[popup].id)`"
        case .acted(let popup, let action):
            return "the action `\(action)` of `\(popups[popup].id)`"
        case .event(let trigger):
            let which =
                switch trigger.occurrence {
                case .any, .every(1): "the event"
                case .nth(let number): "occurrence \(number) of the event"
                case .every(let number): "every \(ordinal(number)) occurrence of the event"
                }
            let name = events[trigger.event].name
            let condition = trigger.where.map { bounded($0.program.expression.description) }
            return "\(which) `\(name)`" + (condition.map { " where `\($0)`" } ?? "")
        }
    }
}

extension Predecessor {
    /// The required action and time since it, as text that follows the popup's name, such as
    /// ` by accept 3d ago`; empty if neither is required.
    package var how: String {
        let by = action.map { " by \($0)" } ?? ""
        return since > .zero ? "\(by) \(PopScheduler.timeText(since)) ago" : by
    }
}

extension Situation {
    /// Returns the whole answer, one line each: the reason, what decided, and further details.
    package func answer(to explanation: PopupExplanation) -> [String] {
        var lines = [explanation.sentence]
        if let deciding = decidingCondition(explanation) {
            lines.append(([deciding.decision] + deciding.facts).joined(separator: "; "))
        }
        return lines + details(of: explanation)
    }
}
