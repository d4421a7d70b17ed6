internal import PopCEL
package import PopScheduler
internal import PopSource

extension ExplainContext {
    /// Returns further details about a reason: the popups involved, the amounts, until when it
    /// holds, and what would have to be different.
    package func details(of explanation: PopupExplanation) -> [String] {
        guard let rule = rule(of: explanation.popup) else {
            return []
        }
        return detailsOfReason(of: rule, explanation: explanation)
            + armTexts(of: rule, explanation: explanation)
    }

    private func detailsOfReason(
        of rule: PopupRule, explanation: PopupExplanation
    ) -> [String] {
        guard let reason = explanation.reason else { return [] }
        // The result of a condition is reported with its parts.
        var details =
            reason.role == nil ? words(on: reason, rule: rule, explanation: explanation) : []
        if let until = explanation.until {
            let time = PopScheduler.timeText(until.duration(since: now.date))
            // The value of a condition at a later time isn't known.
            details.append(
                reason.role != nil
                    ? "checked again at \(until) (UTC), \(time) from now"
                    : "blocked until \(until) (UTC), \(time) from now")
        }
        return details
    }

    /// Returns the details about a code beyond its meaning.
    package func words(
        on code: ReasonCode, rule: PopupRule, explanation: PopupExplanation
    ) -> [String] {
        rules.grounds(of: code, for: rule).words(self, explanation)
    }

    func impressionsText(_ popup: String) -> String {
        let past = history.popups[popup]
        guard let past, let last = past.lastShown else {
            let count = past?.exposures.controlCount ?? 0
            return count == 0
                ? "it was never shown"
                : "it was never shown, but the user was exposed to `\(Assignment.control)`"
                    + " \(count)×, which counts as shown"
        }
        let ago = PopScheduler.timeText(now.date.duration(since: last))
        return "it was shown \(past.shownCount)×, the last time \(ago) ago"
    }

    func predecessorTexts(_ rule: PopupRule, explanation: PopupExplanation) -> [String] {
        let history = history
        let more = explanation.awaited.count - PrintLimits.predecessors
        let rest = more > 0 ? ["it also waits for \(more) more popups"] : []
        return explanation.awaited.prefix(PrintLimits.predecessors).compactMap { id in
            let predecessor = rule.after.first { rules.popups[$0.popup].id == id }
            let past = history.popups[id]
            if let action = predecessor?.action, past?.actions[action]?.lastEnd == nil {
                return "it waits for `\(id)`, which must end with the action `\(action)`"
            }
            let state = scheduler.state(of: id, at: now)
            if let since = predecessor?.since, since > .zero, past?.shownCount ?? 0 > 0,
                state?.isOnScreen != true
            {
                return "it may show at the earliest \(PopScheduler.timeText(since)) after `\(id)`"
                    + (predecessor?.action.map { " ended with `\($0)`" } ?? "")
            }
            return switch state {
            case .chosen?, .presenting?, .showing?, .dismissing?:
                "it waits for `\(id)`, which is not dismissed yet"
            case .waiting(let reason)?:
                "it waits for `\(id)`, which also waits: \(reason.rawValue), \(reason.meaning)"
            case .absent(let reason)?:
                "it waits for `\(id)`, which was not shown: \(reason.rawValue),"
                    + " \(reason.meaning)"
            case nil: nil
            }
        } + rest
    }

    /// Returns the actions of users that suppress a popup.
    func closingTexts(_ popup: String) -> [String] {
        guard let past = history.popups[popup] else { return [] }
        let actions = past.actions.sorted { ($1.value.last, $0.key) < ($0.value.last, $1.key) }
            .map { name, action in
                let ago = PopScheduler.timeText(now.date.duration(since: action.last))
                return "`\(name)` \(ago) ago"
            }
        return ["it was closed or declined \(past.closedCount)×"]
            + (actions.isEmpty ? [] : ["the user used \(actions.joined(separator: ", "))"])
    }

    /// Returns the goals that the user reached and that end a popup.
    func goalTexts(_ rule: PopupRule) -> [String] {
        let past = history.popups[rule.id]?.goals ?? [:]
        return rule.goals.compactMap { goal in
            guard let ends = goal.ends, let last = past[goal.name]?.last else { return nil }
            let ago = PopScheduler.timeText(now.date.duration(since: last))
            let length =
                switch ends {
                case .forGood: "permanently"
                case .pause(let duration): "for \(PopScheduler.timeText(duration))"
                }
            return "its goal `\(goal.name)` was reached \(ago) ago and ends the popup \(length)"
        }
    }

    func occurrenceTexts(_ rule: PopupRule, explanation: PopupExplanation) -> [String] {
        guard case .occurrence(let number)? = explanation.filter?.cause else { return [] }
        return [
            "this was occurrence \(number) of the event", "its trigger is \(triggerText(rule))",
        ]
    }

    /// Returns an explanation that a popup with `urgent: true` also waits for the `gap`.
    func gapTexts(_ rule: PopupRule) -> [String] {
        guard rule.isUrgent else { return [] }
        return ["`urgent: true` replaces other popups, but does not shorten the `gap`"]
    }

    func rolloutTexts(_ rule: PopupRule) -> [String] {
        guard let rollout = rule.audience.rollout else { return [] }
        if rollouts[rule.id] == false {
            return ["\(speaker) keeps this user out of the rollout"]
        }
        if rollouts[rule.id] == true {
            let first = rollout.share.next(after: now.date).map {
                ["the rollout has no users before \($0.begins)"]
            }
            return ["\(speaker) puts this user in the rollout"] + (first ?? [])
        }
        return ["\(rollout.share.part(at: now.date).text) see it; \(toldApart(by: rollout.key))"]
            + (rollout.share.next(after: now.date).map { [$0.text] } ?? [])
    }

    package var holdoutTexts: [String] {
        guard let holdout = rules.holdout else { return [] }
        if isHeldOut == true { return ["\(speaker) puts this user in the holdout"] }
        let users = (0..<holdout.percent).text
        return ["\(users) see essential popups only; \(toldApart(by: holdout.key))"]
    }

    func experimentTexts(_ rule: PopupRule) -> [String] {
        guard let experiment = rule.experiment else { return [] }
        if let arm = arms[rule.id] { return ["\(speaker) puts this user in `\(arm)`"] }
        let part = (0..<experiment.assignment.control).text
        return [
            "\(part) who take part are in the control group and do not see it;"
                + " \(toldApart(by: experiment.assignment.key))"
        ]
    }

    /// Returns the user's arm in the experiment of a popup, regardless of when the popup shows.
    private func armTexts(of rule: PopupRule, explanation: PopupExplanation) -> [String] {
        // A popup that ended with `control` is explained elsewhere.
        let ending = explanation.task == nil ? explanation.lastEnding : nil
        guard let experiment = rule.experiment, ending != .control else { return [] }
        if let arm = scheduler.arm(ofPopup: rule.id) {
            let isControl = arm == Assignment.control
            return [
                isControl
                    ? "the user is in the control group and does not see the popup"
                    : "the user has the variant `\(arm)`"
            ]
        }
        let key = toldApart(by: experiment.assignment.key)
        return ["the user is outside the experiment and sees the popup without a variant; \(key)"]
    }

    private func toldApart(by key: KeyIndex) -> String {
        let key = rules.keys[key]
        let value = (context[key.name] ?? key.defaultValue).map {
            "is \($0.text(atMost: PrintLimits.value)) here"
        }
        return "users are assigned by `\(key.name)`, which \(value ?? "has no value here")"
    }
}

extension Range<Double> {
    /// A part of the users, such as `25 % of the users`.
    fileprivate var text: String {
        let bounds = [lowerBound, upperBound].map(\.shortText)
        return lowerBound == 0
            ? "\(bounds[1]) % of the users" : "the users between \(bounds[0]) % and \(bounds[1]) %"
    }
}

extension Rollout.Share {
    /// Returns the next step after a date; nil if no step follows.
    fileprivate func next(after date: Timestamp) -> Rollout.Step? {
        guard case .steps(let steps) = self else { return nil }
        return steps.first { $0.begins > date }
    }
}

extension Rollout.Step {
    fileprivate var text: String { "from \(begins), \((0..<percent).text) see it" }
}

extension ClosedRange<Duration> {
    /// One duration, or two bounds; nil when there is no time between them.
    var textUnlessZero: String? {
        guard upperBound > .zero else { return nil }
        let bounds = [lowerBound, upperBound].map { PopScheduler.timeText($0) }
        return bounds[0] == bounds[1] ? bounds[0] : "\(bounds[0]) to \(bounds[1])"
    }
}

extension Caps {
    /// Returns the caps per period as a sentence; nil without such caps.
    func windowsText(in rules: RuleSet) -> String? {
        let texts = windows.map { $0.text(in: rules) }
        return texts.isEmpty
            ? nil : "it may show at most \(texts.joined(separator: " and at most "))"
    }

    /// Returns the value of `cap.closes` as a sentence; nil if it isn't set.
    func closesText(in rules: RuleSet) -> String? {
        closes.map { closes in
            let key = closesPer.map { " for each value of `\(rules.keys[$0].name)`" }
            return "`cap.closes` is \(closes)" + (key ?? "")
        }
    }
}

extension PauseAfterClose {
    /// The pauses as a list, such as `14d, or 7d after later`.
    var text: String {
        let after = actions.sorted { $0.key < $1.key }
            .map { "\(PopScheduler.timeText($0.value)) after `\($0.key)`" }
        let pause = PopScheduler.timeText(close)
        return after.isEmpty ? pause : "\(pause), or \(after.joined(separator: ", "))"
    }
}

extension WindowCap {
    /// Returns the text of a cap that a group or scheduler shares.
    func text(sharedBy name: String, in rules: RuleSet) -> String {
        "the popups of `\(name)` together may show at most \(text(in: rules))"
    }

    /// Returns the text of the cap, such as `2× in 7d`.
    func text(in rules: RuleSet) -> String {
        switch per {
        case .rolling(let duration): "\(max)× in \(PopScheduler.timeText(duration))"
        case .calendar(let unit): "\(max)× per \(unit.noun)"
        case .session: "\(max)× per session"
        case .value(let key): "\(max)× for each value of `\(rules.keys[key].name)`"
        }
    }
}

extension PopupRule.Timing {
    /// Returns one bound of each schedule entry, as a list; nil if no entry has this bound.
    func boundsText(_ bound: (Schedule) -> Schedule.Bound?, in rules: RuleSet) -> String? {
        let texts = schedule.compactMap { entry in
            bound(entry).map { $0.text(zone: entry.zone.text(in: rules)) }
        }
        return texts.isEmpty ? nil : texts.joined(separator: " or ")
    }

    /// Returns the open days and hours, such as
    /// ``it may show on mon, tue, from 09:00 to 21:00 (`zone: Europe/Berlin`)``, each
    /// with the `when` of its entry; nil if no entry restricts them.
    func hoursText(in rules: RuleSet) -> String? {
        let texts = schedule.compactMap { entry -> String? in
            guard let hours = entry.hoursText(zone: entry.zone.text(in: rules)) else { return nil }
            guard let condition = entry.when else { return hours }
            // Many popups may share a long condition.
            guard condition.range.bytes.count <= PrintLimits.value else {
                return "\(hours) if its `when` is true"
            }
            return "\(hours) if `\(condition.program.expression.description)`"
        }
        return texts.isEmpty ? nil : "it may show " + texts.joined(separator: ", or ")
    }
}

extension Zone {
    /// Returns the zone as a rule file writes it.
    package func text(in rules: RuleSet) -> String {
        switch self {
        case .named(let name): name
        case .local: "local"
        case .key(let key): rules.keys[key].name
        }
    }
}

extension Schedule.Bound {
    fileprivate func text(zone: String) -> String {
        switch self {
        case .moment(let moment): "\(moment)"
        case .day(let day): "\(LocalCalendar.reading(day * 86_400).prefix(10)) (`zone: \(zone)`)"
        case .reading(let seconds):
            "\(LocalCalendar.reading(Int(seconds)).dropLast()) (`zone: \(zone)`)"
        }
    }
}

extension LocalCalendar {
    /// Returns the local date and time that many seconds after the local time 1970-01-01T00:00:00,
    /// with a `Z` at the end.
    fileprivate static func reading(_ seconds: Int) -> String {
        Timestamp(seconds: Int64(seconds)).description
    }
}

extension Schedule {
    /// Returns the open days and hours; nil if neither is restricted.
    func hoursText(zone: String) -> String? {
        guard days != nil || hours != nil else { return nil }
        var parts: [String] = []
        if let days {
            let names = days.sorted { $0.rawValue < $1.rawValue }.map { "\($0)".prefix(3) }
            parts.append("on \(names.joined(separator: ", "))")
        }
        if let hours { parts.append(hours.range) }
        return "\(parts.joined(separator: ", ")) (`zone: \(zone)`)"
    }
}

extension Schedule.Hours {
    /// The hours, such as `09:00-21:00`.
    package var words: String { "\(clock(from))-\(clock(until))" }

    /// The hours in a sentence, such as `from 09:00 to 21:00`.
    fileprivate var range: String { "from \(clock(from)) to \(clock(until))" }

    private func clock(_ minutes: Int) -> String {
        [minutes / 60, minutes % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
            .joined(separator: ":")
    }
}

extension PopupRule {
    /// True if a trigger has a `where`.
    var hasFilter: Bool {
        triggers.contains {
            if case .event(let trigger) = $0 { trigger.where != nil } else { false }
        }
    }

    /// The key, `nth` or `every`, of the first trigger that counts events; nil if no trigger
    /// counts.
    var countingKey: String? {
        triggers.lazy.compactMap { trigger in
            guard case .event(let trigger) = trigger else { return nil }
            return switch trigger.occurrence {
            case .any: nil
            case .nth: "nth"
            case .every: "every"
            }
        }.first
    }
}

extension Duration {
    var unlessZero: Duration? { self == .zero ? nil : self }
}

extension PopupExplanation.State {
    /// True if the popup occupies the screen: it shows, is about to show, or is being dismissed.
    fileprivate var isOnScreen: Bool {
        switch self {
        case .chosen, .presenting, .showing, .dismissing: true
        case .waiting, .absent: false
        }
    }
}

extension Experiment {
    /// The arms that users can be assigned to.
    package var armsOfUsers: [String] {
        (assignment.control > 0 ? [Assignment.control] : [])
            + (assignment.control < 100 && assignment.share > 0
                ? assignment.arms.filter { $0.weight > 0 }.map(\.name) : [])
    }
}
