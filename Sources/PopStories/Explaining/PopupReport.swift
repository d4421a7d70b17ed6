internal import PopCEL
package import PopExplanations
internal import PopLogic
package import PopScheduler
internal import PopSource

/// The complete explanation of why a popup shows or doesn't.
package struct PopupReport: Sendable {
    /// A popup on the same scheduler.
    package struct Rank: Sendable {
        package var popup: String
        package var priority: Int
        /// The place from 1 among the waiting popups; nil for the popup that has the screen.
        package var place: Int?
        /// The reason why it waits.
        package var reason: ReasonCode?
    }

    package var explanation: PopupExplanation
    package var rule: PopupRule
    /// Every condition that influences the popup.
    package var conditions: [ConditionReport]
    /// The condition that the reason is about.
    package var deciding: ConditionReport?
    /// Further facts about the reason.
    package var details: [String]
    /// The popup that has the screen and the waiting popups, in order.
    package var ranking: [Rank]
    /// The changes that would let it show.
    package var needed: NeededChanges
    /// The time zone of the device, if hours, days or quiet hours of the popup depend on it.
    package var zone: String?
    /// The changes that the app can make to let it show, each verified.
    package var changes: [ContextChange] { needed.changes }

    /// Returns the reports on several popups; ids that don't exist are left out.
    ///
    /// Once the budget of the question is used up, the remaining reports only have a reason.
    package static func all(
        _ ids: [String], question: ExplainQuery, in simulation: Simulation
    ) -> [PopupReport] {
        var rankings: [String: [Rank]] = [:]
        let declarations = Declarations(question.rules)
        let lines = WaitingLines(
            simulation.scheduler, at: simulation.now, within: question.budget)
        let rules = Dictionary(question.rules.popups.map { ($0.id, $0) }) { first, _ in first }
        var affordable: Set<String> = []
        let answers = simulation.scheduler.explanations(of: ids, at: simulation.now) { id in
            guard let rule = rules[id], question.affords(reportOn: rule) else { return false }
            affordable.insert(id)
            return true
        }
        return answers.compactMap { answer in
            let lane = answer.scheduler
            let ranking = rankings[lane] ?? simulation.ranking(of: lane, lines)
            rankings[lane] = ranking
            return rules[answer.popup].map {
                PopupReport(
                    answer, rule: $0, question: question, simulation: simulation, ranking: ranking,
                    lines: lines, declarations: declarations,
                    hasConditions: affordable.contains(answer.popup))
            }
        }
    }

    private init(
        _ explanation: PopupExplanation, rule: PopupRule, question: ExplainQuery,
        simulation: Simulation, ranking: [Rank], lines: WaitingLines,
        declarations: Declarations, hasConditions: Bool
    ) {
        self.explanation = explanation
        self.rule = rule
        self.ranking = ranking
        var situation = simulation.situation
        situation.lines = lines
        details = situation.details(of: explanation)
        zone = question.rules.readsClocksOfDevice(for: rule) ? question.zone : nil
        needed = NeededChanges()
        conditions = []
        guard hasConditions else { return }
        deciding = situation.decidingCondition(explanation)
        needed = NeededChanges(
            question, in: simulation, popup: rule, keptAwayBy: explanation.reason,
            declarations: declarations)
        let group = rule.group.flatMap { question.rules.groups[$0].when }
        conditions += rule.timing.schedule.compactMap(\.when).map {
            situation.report(on: $0, as: .scheduleWhen)
        }
        if let group { conditions.append(situation.report(on: group, as: .groupWhen)) }
        if let when = rule.when { conditions.append(situation.report(on: when, as: .when)) }
        if deciding?.role == .where, let deciding { conditions.append(deciding) }
        if explanation.state == .showing, let condition = rule.dismissWhen {
            conditions.append(
                situation.report(
                    on: condition, as: .dismissWhen, supposing: Supposition(popup: rule.id)))
        }
    }

    /// The first lines of the answer: the reason, what decided, and the changes that would let the
    /// popup show.
    package var answer: [String] {
        var lines = [explanation.sentence]
        if let deciding {
            lines.append(([deciding.decision] + deciding.facts).joined(separator: "; "))
        }
        if !details.isEmpty { lines.append(details.joined(separator: "; ")) }
        if let change = changes.first {
            let isTold = needed.isSmallest && change.context.count + change.payload.count > 1
            let remark = isTold ? "; fewer changes are not enough" : ""
            let holder = needed.holder.map { " if `\($0)` were not on the screen" } ?? ""
            let delay = needed.isDelayed ? " once its `delay` is over" : ""
            lines.append("it could show with \(change.text)\(delay)\(holder)\(remark)")
        }
        if let past = needed.pastText {
            lines.append("its conditions would be met with \(past)")
        }
        return lines
    }
}

extension Simulation {
    fileprivate func ranking(of lane: String, _ lines: WaitingLines) -> [PopupReport.Rank] {
        func priority(_ id: String) -> Int {
            place(of: id).map { rules.popups[$0].priority } ?? PopupRule.normalPriority
        }
        let showing = lines.showing[lane].map {
            [PopupReport.Rank(popup: $0, priority: priority($0))]
        }
        let waiting = (lines.waiting[lane] ?? []).enumerated().map { place, id in
            PopupReport.Rank(
                popup: id, priority: priority(id), place: place + 1, reason: lines.reasons[id])
        }
        return (showing ?? []) + waiting
    }
}

extension RuleSet {
    /// Returns true if the time zone of the device decides when a popup shows.
    fileprivate func readsClocksOfDevice(for popup: PopupRule) -> Bool {
        var zones = popup.timing.schedule.map(\.zone) + popup.caps.windows.compactMap(\.zone)
        if !popup.isEssential {
            let shared =
                limits.filter { $0.popups.includes(popup.scheduler, tags: popup.texts.tags) }.map(
                    \.cap)
                + [schedulers[popup.scheduler].cap].compactMap { $0 }
                + (popup.group.map { groups[$0].caps } ?? [])
            zones += shared.compactMap(\.zone)
            if let quiet, quiet.popups.includes(popup.scheduler, tags: popup.texts.tags) {
                zones.append(quiet.zone)
            }
        }
        return zones.contains { zone in
            switch zone {
            case .named: false
            case .local, .key: true
            }
        }
    }
}

extension NeededChanges {
    /// The past that is needed: `` `popups.a.shown_count` = 1``.
    fileprivate var pastText: String? {
        if past.isEmpty { return nil }
        return past.map { name, value in
            value.map { "`\(name)` = \($0.text(atMost: PrintLimits.value))" }
                ?? "`\(name)` without a value"
        }.joined(separator: " and ")
    }
}
