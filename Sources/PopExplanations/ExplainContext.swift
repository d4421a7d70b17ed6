package import PopCEL
package import PopScheduler
package import PopSource

/// The known state of an app at one point in time, from which texts about its popups are made.
package struct ExplainContext: Sendable {
    package var scheduler: Scheduler
    package var now: Moment
    /// The rules that are in force.
    package var rules: RuleSet
    /// The context keys that the app has set; keys at their defaults may be left out.
    package var context: [String: Value]
    /// The source of assignments that replace the computed ones, such as `the test`.
    package var speaker: String
    /// The given rollout results: by popup with a `rollout`, true if the user is in it.
    package var rollouts: [String: Bool] = [:]
    /// The given arms: by popup with an `experiment`, the user's arm.
    package var arms: [String: String] = [:]
    /// True if the user is in the `holdout`, false if not; nil if this isn't given.
    package var isHeldOut: Bool?
    /// The events that ended each popup's last task, where they are known.
    package var endings: [String: HostEvent] = [:]
    /// The waiting popups, if several questions are answered for this point in time; nil if they
    /// are computed for each question.
    package var lines: WaitingLines?
    /// The budget of the answers; each popup that is judged for them is charged.
    package var budget = WorkBudget()

    package init(
        _ scheduler: Scheduler, at now: Moment, rules: RuleSet, context: [String: Value],
        speaker: String
    ) {
        self.scheduler = scheduler
        self.now = now
        self.rules = rules
        self.context = context
        self.speaker = speaker
    }

    /// The history of the user.
    var history: History { lines?.history ?? scheduler.history }

    /// Returns the popup with an id; nil if the rules have none.
    func rule(of popup: String) -> PopupRule? { scheduler.rule(of: popup) }
}

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

extension ExplainContext {
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
        case .occasion(.manual): return "a call by the app (`manual`)"
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
    /// ` ended by accept at least 3d ago`; empty if neither is required.
    package var how: String {
        let by = action.map { " ended by \($0)" } ?? ""
        return since > .zero ? "\(by) at least \(PopScheduler.timeText(since)) ago" : by
    }
}

extension ExplainContext {
    /// Returns the whole answer, one line each: the reason, what decided, and further details.
    package func answer(to explanation: PopupExplanation) -> [String] {
        var lines = [explanation.sentence]
        if let deciding = decidingCondition(explanation) {
            lines.append(([deciding.decision] + deciding.facts).joined(separator: "; "))
        }
        return lines + details(of: explanation)
    }
}

extension ExplainContext {
    /// Returns how the last task of a popup ended and what triggers the popup again.
    func endingTexts(_ rule: PopupRule, explanation: PopupExplanation) -> [String] {
        let trigger = "its trigger is \(triggerText(rule))"
        guard let ending = explanation.lastEnding else { return [trigger] }
        return ["it last ended with \(ending.rawValue): \(ending.meaning)"]
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
        let code =
            "it could not show at that time: \(obstacle.reason.rawValue),"
            + " \(obstacle.reason.meaning)"
        guard let root = obstacle.condition?.root else { return [code] }
        let truth: Truth =
            if case .failure(let error)? = root.result { .error(error) } else { .no }
        let report = ConditionReport(
            role: obstacle.role, range: rule.range, root: root, truth: truth, named: [:])
        return [code, report.decision] + report.facts
    }
}

extension ExplainContext {
    /// Returns the values of context keys that have used up a cap and suppress the popup by this
    /// reason. For each value, the popup, or the popups that share the cap, showed as often as the
    /// cap allows.
    func valueTexts(_ popup: String, keptAwayFor reason: ReasonCode) -> [String] {
        let did = reason == .closedTooOften ? "closed or declined" : "shown"
        let isOwn = reason == .closedTooOften || reason == .periodCap
        let who = isOwn ? "it was" : "the popups that share this cap were"
        return scheduler.usedUpValues(of: popup, for: reason).map { used in
            let value =
                used.value.map { "while `\(used.key)` was \($0)" }
                ?? "while `\(used.key)` was missing"
            return "\(who) \(did) \(used.count)× \(value) (at most \(used.most)× for each value);"
                + " it may show again if `\(used.key)` has another value"
        }
    }
}
