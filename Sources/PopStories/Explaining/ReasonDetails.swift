internal import PopCEL
internal import PopReports
package import PopScheduler
internal import PopSource

extension Simulation {
    /// What else there is to say about a reason: who, how much, until when, and what would have to
    /// be otherwise.
    package func details(of explanation: PopupExplanation) -> [String] {
        guard let rule = rules.popups.first(where: { $0.id == explanation.popup }),
            let reason = explanation.reason
        else { return [] }
        var details = particulars(of: reason, rule: rule, explanation: explanation)
        if let until = explanation.until {
            let time = PopScheduler.timeText(until.duration(since: now.date))
            details.append(
                reason.isOfCondition
                    ? "looked at again at \(until), in \(time)" : "until \(until), in \(time)")
        }
        return details
    }

    private func particulars(
        of reason: ReasonCode, rule: PopupRule, explanation: PopupExplanation
    ) -> [String] {
        let lane = rules.schedulers[rule.scheduler]
        switch reason {
        case .suspended: return ["`\(lane.name)` shows nothing new until the app resumes it"]
        case .delayed: return ["its `delay` is \(PopScheduler.timeText(rule.timing.delay))"]
        case .beforeStart: return rule.timing.schedule?.from.map { ["its `from` is \($0)"] } ?? []
        case .outsideHours: return rule.timing.schedule.map { [$0.hoursText] } ?? []
        case .expired: return rule.timing.schedule?.until.map { ["its `until` was \($0)"] } ?? []
        case .awaitingPredecessor: return predecessorTexts(explanation)
        case .slotBusy, .outranked: return screenTexts(rule, explanation: explanation)
        case .inGap: return [lane.gapText]
        case .disabled: return ["its rule says `enabled: false`"]
        case .notInRollout:
            return rule.audience.rollout.map { [rolloutText(rule.id, rollout: $0)] } ?? []
        case .triggerCounting: return occurrenceTexts(rule, explanation: explanation)
        case .notTriggered: return endingTexts(rule, explanation: explanation)
        default: return capTexts(of: reason, rule)
        }
    }

    private func capTexts(of reason: ReasonCode, _ rule: PopupRule) -> [String] {
        let caps = rule.caps
        let limits: [String?]
        switch reason {
        case .groupCap:
            let group = rule.group.map { rules.groups[$0] }
            return group.flatMap { group in
                group.cap.map { ["the popups of `\(group.name)` may show \($0.text) together"] }
            } ?? []
        case .schedulerCap:
            let lane = rules.schedulers[rule.scheduler]
            return lane.cap.map { ["the popups of `\(lane.name)` may show \($0.text) together"] }
                ?? []
        case .lifetimeCap: limits = [caps.lifetime.map { "`cap.lifetime` is \($0)" }]
        case .sessionCap: limits = [caps.perSession.map { "`cap.per_session` is \($0)" }]
        case .cooldown:
            limits = [caps.every.map { "`cap.every` is \(PopScheduler.timeText($0))" }]
        case .periodCap:
            limits = ["it may show \(caps.windows.map(\.text).joined(separator: " and "))"]
        // Its meaning says all.
        default: return []
        }
        return limits.compactMap(\.self) + [impressionsText(rule.id)]
    }

    private func impressionsText(_ popup: String) -> String {
        guard let past = scheduler.history.popups[popup], let last = past.lastShown else {
            return "it was never shown"
        }
        let ago = PopScheduler.timeText(now.date.duration(since: last))
        return "it was shown \(past.shownCount)×, the last time \(ago) ago"
    }

    private func predecessorTexts(_ explanation: PopupExplanation) -> [String] {
        explanation.awaited.compactMap { id in
            switch scheduler.explain(id, at: now)?.state {
            case .chosen?, .presenting?, .showing?, .dismissing?:
                "it comes after `\(id)`, which is still there"
            case .waiting(let reason)?:
                "it comes after `\(id)`, which waits: \(reason.rawValue), \(reason.meaning)"
            case .absent(let reason)?:
                "it comes after `\(id)`, which was not shown: \(reason.rawValue),"
                    + " \(reason.meaning)"
            case nil: nil
            }
        }
    }

    private func occurrenceTexts(
        _ rule: PopupRule, explanation: PopupExplanation
    ) -> [String] {
        guard case .occurrence(let number)? = explanation.filter?.cause else { return [] }
        return ["the event was number \(number)", "its trigger is \(triggerText(rule))"]
    }

    private func rolloutText(_ popup: String, rollout: Rollout) -> String {
        if rollouts[popup] == false { return "the test says that this user is out of it" }
        let key = rules.keys[rollout.key]
        let value =
            (context[key.name] ?? key.defaultValue).map {
                "is \($0.text(atMost: PrintLimits.value))"
            } ?? "has no value"
        let percent = "\(rollout.percent)".replacing(".0", with: "")
        return "\(percent) % of the users see it, told apart by `\(key.name)`, which \(value)"
    }
}

extension ReasonCode {
    /// Whether a condition keeps the popup back: what it will be at a later time is not known.
    var isOfCondition: Bool {
        [.conditionFalse, .conditionError, .groupConditionFalse].contains(self)
    }
}

extension SchedulerRule {
    fileprivate var gapText: String {
        let bounds = [gap.lowerBound, gap.upperBound].map { PopScheduler.timeText($0) }
        let length = bounds[0] == bounds[1] ? bounds[0] : "\(bounds[0]) to \(bounds[1])"
        return "`\(name)` rests for \(length) when a popup has gone: its `gap`"
    }
}

extension WindowCap {
    fileprivate var text: String {
        switch per {
        case .rolling(let duration): "\(max)× in \(PopScheduler.timeText(duration))"
        case .calendar(let unit): "\(max)× a \(unit.noun)"
        }
    }
}

extension Schedule {
    /// Such as ``it shows on mon, tue, 09:00-21:00 (`Europe/Berlin`)``.
    fileprivate var hoursText: String {
        var parts: [String] = []
        if let days {
            let names = days.sorted { $0.rawValue < $1.rawValue }.map { "\($0)".prefix(3) }
            parts.append("on \(names.joined(separator: ", "))")
        }
        if let hours { parts.append("at \(clock(hours.from))-\(clock(hours.until))") }
        return "it shows \(parts.joined(separator: ", ")) (`zone: \(zone ?? "UTC")`)"
    }

    private func clock(_ minutes: Int) -> String {
        [minutes / 60, minutes % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
            .joined(separator: ":")
    }
}
