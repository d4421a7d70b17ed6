internal import PopRuleFiles
internal import PopScheduler
public import PopSource

/// A popup whose triggers are events that are goals which end it: goals come first, so that no
/// trigger ever makes a task.
///
/// Bad:
/// ```yaml
/// events: { order.paid: {} }
/// popups:
///   thanks:
///     trigger: { event: order.paid }
///     goals: [{ name: buy, event: order.paid, within: 7d, ends: true }]
/// ```
/// Good:
/// ```yaml
/// events: { order.paid: {}, order.begun: {} }
/// popups:
///   offer:
///     trigger: { event: order.begun }
///     goals: [{ name: buy, event: order.paid, within: 7d, ends: true }]
/// ```
public enum EndedByTrigger: Lint {
    public static let check = Check.scheduleEndedByTrigger

    public static func findings(in subject: LintSubject) -> [Diagnostic] {
        zip(subject.model.popups.entries, subject.rules.popups).compactMap { model, popup in
            guard !popup.goals.isEmpty,
                let trigger = model.trigger?.value.first?.range,
                popup.triggers.allSatisfy({ $0.isEnded(by: popup.goals) }),
                let goal = model.limits.goals?.value.first(where: {
                    $0.value.ends.flatMap(\.value) != nil
                })
            else { return nil }
            return .endedByTrigger(model.name.value, trigger: trigger, goal: goal.range)
        }
    }
}

extension PopScheduler.Trigger {
    /// Returns true if each event that fires it also ends the popup.
    fileprivate func isEnded(by goals: [Goal]) -> Bool {
        guard case .event(let trigger) = self else { return false }
        return goals.contains {
            $0.event == trigger.event && $0.ends != nil
                && ($0.where == nil || $0.where == trigger.where)
        }
    }
}

extension Diagnostic {
    fileprivate static func endedByTrigger(
        _ popup: String, trigger: SourceRange, goal: SourceRange
    ) -> Self {
        Diagnostic(
            .scheduleEndedByTrigger,
            message: "`\(popup)` never shows, because the event that triggers it also ends it",
            at: trigger, label: "this event does not queue the popup", subject: "popup `\(popup)`",
            secondary: [Label("ends the popup first", at: goal)],
            help: [
                "use another event in the trigger, use another event in the goal, or remove"
                    + " `ends`; use `cap` to limit how often the popup shows"
            ])
    }
}
