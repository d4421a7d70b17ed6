internal import PopRuleFiles
internal import PopScheduler
public import PopSource

/// `switch`, `urgent` or `priority` of a popup whose scheduler does not order by priority, where no
/// popup gives way; `switch` of a popup that no other popup can replace, and `urgent` of a popup
/// that can replace no other.
///
/// Bad:
/// ```yaml
/// schedulers: { toast: { strategy: fifo } }
/// popups: { offline: { scheduler: toast, switch: latent } }
/// ```
/// ```yaml
/// popups: { sale: { priority: low }, alarm: { priority: high, switch: discard } }
/// ```
/// ```yaml
/// popups: { sale: { priority: high }, alarm: { priority: low, urgent: true } }
/// ```
/// Good:
/// ```yaml
/// schedulers: { toast: { strategy: priority } }
/// popups:
///   sale: { scheduler: toast, switch: latent }
///   alarm: { scheduler: toast, priority: high }
/// ```
public enum SwitchIgnored: Lint {
    public static let check = Check.scheduleSwitchIgnored

    public static func findings(in subject: LintSubject) -> [Diagnostic] {
        let popups = Array(zip(subject.model.popups.entries, subject.rules.popups))
        // Values of `defaults` are meant for several popups.
        var uses: [SourceRange: Int] = [:]
        for range in popups.flatMap({ $0.0.rangesOfOrder }) { uses[range, default: 0] += 1 }
        let lanes = Dictionary(
            grouping: subject.rules.popups.filter(\.isEnabled), by: \.scheduler)
        let priorities = lanes.mapValues { popups in
            let all = popups.map(\.priority)
            return (count: all.count, lowest: all.min(), highest: all.max())
        }
        return popups.compactMap { model, popup in
            let scheduler = subject.rules.schedulers[popup.scheduler]
            let name = model.name.value
            if scheduler.strategy == .priority {
                // A single popup is often the first of several.
                guard popup.isEnabled, scheduler.tieBreak == .fifo,
                    let priorities = priorities[popup.scheduler]
                else { return nil }
                if priorities.count == 1, lanes.count > 1, popup.isUrgent,
                    let range = model.place.isUrgent?.range, uses[range] == 1
                {
                    return .isAlone(at: range, of: name, scheduler: scheduler)
                }
                guard priorities.count > 1 else { return nil }
                if let range = model.switch?.range, uses[range] == 1, popup.switch != .await,
                    popup.priority == priorities.highest
                {
                    return .neverReplaced(at: range, of: name, scheduler: scheduler)
                }
                if let range = model.place.isUrgent?.range, uses[range] == 1, popup.isUrgent,
                    popup.priority == priorities.lowest
                {
                    return .replacesNothing(at: range, of: name, scheduler: scheduler)
                }
                return nil
            }
            let urgent = model.place.isUrgent.map { ("urgent", $0.range) }
            let priority = model.priority.flatMap {
                uses[$0.range] == 1 ? ("priority", $0.range) : nil
            }
            guard
                let (key, range) = model.switch.map({ ("switch", $0.range) }) ?? urgent ?? priority
            else { return nil }
            return .ignored(key, at: range, of: name, scheduler: scheduler)
        }
    }
}

extension PopupModel {
    /// The places of the keys that decide which popup has precedence.
    fileprivate var rangesOfOrder: [SourceRange] {
        [`switch`?.range, place.isUrgent?.range, priority?.range].compactMap(\.self)
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
                    + " priorities count, and a popup gives way to another popup, only with the"
                    + " strategy `priority`"
            ],
            help: [
                "remove `\(key)` from the popup, or use `strategy: priority` for the scheduler"
                    + " `\(scheduler.name)`"
            ])
    }

    fileprivate static func neverReplaced(
        at range: SourceRange, of popup: String, scheduler: SchedulerRule
    ) -> Self {
        Diagnostic(
            .scheduleSwitchIgnored,
            message: "`switch` of `\(popup)` has no effect: no other popup of the scheduler"
                + " `\(scheduler.name)` has a higher priority", at: range,
            label: "no popup of these rules replaces `\(popup)`", subject: "popup `\(popup)`",
            help: [
                "if `\(popup)` should replace other popups, move `switch` to the other popups, or"
                    + " use `urgent: true` in `\(popup)`",
                "if another popup should replace `\(popup)`, give the other popup a higher"
                    + " `priority`",
            ])
    }

    fileprivate static func isAlone(
        at range: SourceRange, of popup: String, scheduler: SchedulerRule
    ) -> Self {
        Diagnostic(
            .scheduleSwitchIgnored,
            message: "`urgent` of `\(popup)` has no effect: the scheduler `\(scheduler.name)` has"
                + " no other popup", at: range,
            label: "no popup of these rules gives way to `\(popup)`", subject: "popup `\(popup)`",
            notes: ["a popup can replace only popups of the same scheduler"],
            help: [
                "use the `scheduler` of the popups that `\(popup)` must replace, or remove `urgent`"
            ])
    }

    fileprivate static func replacesNothing(
        at range: SourceRange, of popup: String, scheduler: SchedulerRule
    ) -> Self {
        Diagnostic(
            .scheduleSwitchIgnored,
            message: "`urgent` of `\(popup)` has no effect: no other popup of the scheduler"
                + " `\(scheduler.name)` has a lower priority", at: range,
            label: "no popup of these rules gives way to `\(popup)`", subject: "popup `\(popup)`",
            help: ["raise the `priority` of `\(popup)`, or remove `urgent`"])
    }
}
