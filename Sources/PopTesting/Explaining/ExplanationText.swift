internal import PopCEL
package import PopScheduler

extension PopupExplanation {
    /// Whether the popup shows, or the reason why not.
    package var sentence: String {
        switch state {
        case .absent(let reason), .waiting(let reason):
            "`\(popup)` does not show: \(reason.rawValue), \(reason.meaning)"
        case .chosen: "`\(popup)` is chosen and about to show on `\(scheduler)`"
        case .presenting: "`\(popup)` is coming up on `\(scheduler)`"
        case .showing:
            leaving.map {
                "`\(popup)` shows on `\(scheduler)` until `min_show` is over: \($0.rawValue),"
                    + " \($0.meaning)"
            } ?? "`\(popup)` shows on `\(scheduler)`"
        case .dismissing(let reason):
            "`\(popup)` is going: \(reason.rawValue), \(reason.meaning)"
        }
    }
}

extension Simulation {
    /// Why a popup is not on the screen, as facts beside a failure.
    package func whyNot(_ popup: String) -> [String] {
        guard let explanation = scheduler.explain(popup, at: now) else { return [] }
        let condition = decidingCondition(explanation)
        return [explanation.sentence] + (condition.map { [$0.decision] + $0.facts } ?? [])
            + details(of: explanation)
    }

    /// The condition that the reason is about.
    package func decidingCondition(_ explanation: PopupExplanation) -> ConditionReport? {
        guard let rule = rules.popups.first(where: { $0.id == explanation.popup }) else {
            return nil
        }
        switch explanation.reason {
        case .conditionFalse, .conditionError: return rule.when.map { report(on: $0, as: .when) }
        case .groupConditionFalse:
            return rule.group.flatMap { rules.groups[$0].when }.map {
                report(on: $0, as: .groupWhen)
            }
        case .triggerFiltered: return filteredTrigger(of: rule, explanation)
        default: return nil
        }
    }

    /// The `where` that did not let the last event pass, with the values that it read then.
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

    /// What else there is to say about a reason: names and times.
    package func details(of explanation: PopupExplanation) -> [String] {
        guard let rule = rules.popups.first(where: { $0.id == explanation.popup }),
            let reason = explanation.reason
        else { return [] }
        var details: [String] = []
        switch reason {
        case .awaitingPredecessor:
            let missing = rule.after.map { rules.popups[$0].id }
                .filter { (scheduler.history.popups[$0]?.dismissals ?? 0) == 0 }
            details.append("it comes after \(missing.map { "`\($0)`" }.joined(separator: ", "))")
        case .triggerFiltered:
            if case .occurrence(let number)? = explanation.filter?.cause {
                details.append("the event was number \(number)")
                details.append("its trigger is \(triggerText(rule))")
            }
        case .notTriggered:
            if let ending = explanation.lastEnding {
                details.append("it went before: \(ending.rawValue), \(ending.meaning)")
            }
            details.append("its trigger is \(triggerText(rule))")
        case .slotBusy, .outranked, .inGap: details.append(queueText(explanation))
        case .lifetimeCap, .sessionCap, .cooldown, .periodCap:
            details.append(impressionsText(explanation.popup))
        case .notInRollout: details += rule.rollout.map { [rolloutText($0)] } ?? []
        default: break
        }
        if let until = explanation.until {
            details.append(
                "until \(until), in \(PopTesting.timeText(until.duration(since: now.date)))")
        }
        return details
    }

    private func queueText(_ explanation: PopupExplanation) -> String {
        let place = explanation.position.map { "it is \($0) of \(explanation.waiting) waiting" }
        let occupant = explanation.occupant.map { "`\($0)` has the screen" }
        return [occupant, place].compactMap { $0 }.joined(separator: ", ")
    }

    private func impressionsText(_ popup: String) -> String {
        guard let past = scheduler.history.popups[popup], let last = past.lastShown else {
            return "it was never shown"
        }
        let ago = PopTesting.timeText(now.date.duration(since: last))
        return "it was shown \(past.shownCount)×, the last time \(ago) ago"
    }

    private func rolloutText(_ rollout: Rollout) -> String {
        let key = rules.keys[rollout.key]
        let value =
            (context[key.name] ?? key.defaultValue).map { "is \(bounded($0.description))" }
            ?? "has no value"
        let percent = "\(rollout.percent)".replacing(".0", with: "")
        return "\(percent) % of the users see it, told apart by `\(key.name)`, which \(value)"
    }

    /// The triggers of a popup, as a list in a sentence.
    package func triggerText(_ rule: PopupRule) -> String {
        rule.triggers.map { rules.text(of: $0) }.joined(separator: " or ")
    }
}

extension RuleSet {
    /// A trigger in a few words.
    package func text(of trigger: Trigger) -> String {
        switch trigger {
        case .start: return "the start of the app"
        case .manual: return "a call of the app"
        case .changed(let key): return "a change of `\(keys[key].name)`"
        case .event(let trigger):
            let which =
                switch trigger.occurrence {
                case .any: "the event"
                case .nth(let number): "number \(number) of the event"
                case .every(let number): "every \(number) of the event"
                }
            let name = events[trigger.event].name
            return trigger.where == nil ? "\(which) `\(name)`" : "\(which) `\(name)`, filtered"
        }
    }
}

extension Simulation {
    /// How long the simulation has been running, such as `4.5s`.
    package var timeText: String { PopTesting.timeText(now.instant) }
}
