internal import PopCEL
internal import PopRuleFiles
internal import PopScheduler
internal import PopSource
internal import PopYAML

/// A user action on a popup before a test.
struct PastAct: Sendable {
    var action: String
    var date: Timestamp
    /// True if it closed or refused the popup.
    var isClosing: Bool
}

extension HistoryReading {
    /// Returns the user actions on a popup, oldest first.
    func acts(
        of popup: String, _ past: PastOfPopup, with decoder: inout Decoder
    ) -> [PastAct] {
        var acts = dates(past.closed?.value, last: past.last?.value).map {
            PastAct(action: TemplateRule.Action.close, date: $0, isClosing: true)
        }
        if past.closed == nil { acts = [] }
        let rule = rules.popups.first { $0.id == popup }
        let declared = rule.map { rules.actions(of: $0) } ?? []
        for entry in past.actions.map({ Array($0.value.entries) }) ?? [] {
            guard let name = decoder.read(.text, at: entry.key) else { continue }
            guard let action = declared.first(where: { $0.name == name.value }) else {
                decoder.report(.unknownAction(name, of: popup, among: declared.map(\.name)))
                continue
            }
            let times = decoder.inside(key: entry.key) { $0.read(.pastTimes, at: entry.value) }
            acts += dates(times?.value, last: past.last?.value).map {
                PastAct(action: action.name, date: $0, isClosing: action.isRefusal)
            }
        }
        acts.sort { $0.date < $1.date }
        checkTimes(past, acts, with: &decoder)
        return acts
    }

    /// Reports a popup that was closed more often than it was shown, or after the test started.
    private func checkTimes(
        _ past: PastOfPopup, _ acts: [PastAct], with decoder: inout Decoder
    ) {
        guard let range = past.closed?.range ?? past.actions?.range else { return }
        if let last = acts.last, last.date > start {
            decoder.report(.notPast(last.date, start: start, at: range))
        }
        let shown = dates(past.shown?.value, last: past.last?.value).count
        if past.shown != nil, acts.count > shown {
            decoder.report(.closedUnseen(acts.count, shown: shown, at: range))
        }
    }
}

extension History {
    /// Applies actions, each of which ended its task.
    mutating func apply(_ acts: [PastAct], of popup: String, tellsReason: Bool) {
        for act in acts {
            apply(
                .acted(
                    popup: popup, action: act.action, date: act.date, isClosing: act.isClosing))
            if act.action != TemplateRule.Action.close {
                apply(.endedByAction(popup: popup, action: act.action, date: act.date))
            }
        }
        guard let past = popups[popup], let last = acts.last else { return }
        let isLatest = last.date >= past.lastShown ?? last.date
        if !isLatest || last.action == TemplateRule.Action.close { popups[popup]?.lastAction = nil }
        if tellsReason, isLatest, last.action != TemplateRule.Action.close {
            popups[popup]?.lastReason = .acted
        }
    }
}

extension Diagnostic {
    fileprivate static func closedUnseen(
        _ acts: Int, shown: Int, at range: SourceRange
    ) -> Self {
        Diagnostic(
            .testImpossible,
            message: "a popup that was shown \(shown)× cannot have been ended \(acts)× by the user",
            at: range, label: "more often than it was shown",
            help: ["remove `shown`: each time at which the user did something counts as shown"])
    }
}
