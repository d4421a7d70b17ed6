internal import PopCEL
internal import PopRuleFiles
internal import PopScheduler
public import PopSource

/// A popup without a schedule whose `dismiss_when` asks whether the schedule is not open any more.
///
/// Bad:
/// ```yaml
/// popups: { sale: { dismiss_when: "!schedule.open" } }
/// ```
/// Good:
/// ```yaml
/// popups: { sale: { schedule: { until: 2027-02-01T00:00:00Z }, dismiss_when: "!schedule.open" } }
/// ```
/// ```yaml
/// defaults: { dismiss_when: "!schedule.open" }
/// popups: { sale: {} }
/// ```
public enum NoSchedule: Lint {
    public static let check = Check.scheduleNoSchedule

    public static func findings(in subject: LintSubject) -> [Diagnostic] {
        zip(subject.model.popups.entries, subject.rules.popups).compactMap { model, popup in
            // A value of `defaults` is meant for other popups too.
            guard popup.timing.schedule.isEmpty, model.writes("dismiss_when"),
                let dismissal = popup.dismissWhen?.program, let place = model.dismissWhen?.range,
                dismissal.slots.contains(where: { subject.rules.slots[$0] == .scheduleOpen }),
                dismissal.expression.description.contains("!schedule.open")
            else { return nil }
            return .noSchedule(at: place, of: model.name.value)
        }
    }
}

extension Diagnostic {
    fileprivate static func noSchedule(at range: SourceRange, of popup: String) -> Self {
        Diagnostic(
            .scheduleNoSchedule,
            message: "`!schedule.open` is never true for a popup without a `schedule`", at: range,
            label: "the popup has no schedule that could close", subject: "popup `\(popup)`",
            help: ["add a `schedule` to the popup, or remove `!schedule.open`"])
    }
}
