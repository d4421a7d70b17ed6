internal import PopCEL
internal import PopRuleFiles
internal import PopScheduler
public import PopSource

/// `switch` or `urgent` on a popup whose scheduler does not order by priority, where nothing is
/// ever switched.
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
            if scheduler.strategy == .priority { return nil }
            let urgent = model.place.isUrgent.map { ("urgent", $0.range) }
            guard let (key, range) = model.switch.map({ ("switch", $0.range) }) ?? urgent else {
                return nil
            }
            return .ignored(key, at: range, of: model.name.value, scheduler: scheduler)
        }
    }
}

extension Diagnostic {
    fileprivate static func ignored(
        _ key: String, at range: SourceRange, of popup: String, scheduler: SchedulerRule
    ) -> Self {
        Diagnostic(
            .scheduleSwitchIgnored,
            message: "`\(key)` has no effect on the scheduler `\(scheduler.name)`", at: range,
            label: "not used by this scheduler", subject: "popup `\(popup)`",
            notes: [
                "`\(scheduler.name)` has the strategy `\(scheduler.strategy.rawValue)`;"
                    + " a popup gives way to another popup only with the strategy `priority`"
            ], help: ["remove `\(key)`, or choose the strategy `priority`"])
    }
}
