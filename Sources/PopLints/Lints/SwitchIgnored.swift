internal import PopCEL
internal import PopRuleFiles
internal import PopScheduler
public import PopSource

/// `switch` on a popup whose scheduler does not order by priority, where nothing is ever switched.
///
/// Bad:
/// ```yaml
/// schedulers: { toast: { strategy: fifo } }
/// popups: { offline: { scheduler: toast, switch: latent } }
/// ```
/// Good:
/// ```yaml
/// schedulers: { toast: { strategy: priority } }
/// popups: { offline: { scheduler: toast, switch: latent } }
/// ```
public enum SwitchIgnored: Lint {
    public static let check = Check.scheduleSwitchIgnored

    public static func findings(in subject: LintSubject) -> [Diagnostic] {
        zip(subject.model.popups.entries, subject.rules.popups).compactMap { model, popup in
            let scheduler = subject.rules.schedulers[popup.scheduler]
            guard let written = model.switch, scheduler.strategy != .priority else { return nil }
            return .ignored(written.range, of: model.name.value, scheduler: scheduler)
        }
    }
}

extension Diagnostic {
    fileprivate static func ignored(
        _ range: SourceRange, of popup: String, scheduler: SchedulerRule
    ) -> Self {
        Diagnostic(
            .scheduleSwitchIgnored,
            message: "`switch` has no effect on the scheduler `\(scheduler.name)`", at: range,
            label: "never looked at", subject: "popup `\(popup)`",
            notes: [
                "`\(scheduler.name)` has the strategy `\(scheduler.strategy.rawValue)`;"
                    + " only under `priority` does a popup give way to another"
            ], help: ["remove `switch`, or choose the strategy `priority`"])
    }
}
