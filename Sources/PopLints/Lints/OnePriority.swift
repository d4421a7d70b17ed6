internal import PopScheduler
public import PopSource

/// Three or more popups of a scheduler, all with the same priority: what is urgent does not go
/// first.
///
/// Bad:
/// ```yaml
/// popups:
///   forced_update: { priority: high }
///   welcome: { priority: high }
///   survey: { priority: high }
/// ```
/// Good:
/// ```yaml
/// popups:
///   forced_update: { priority: very_high }
///   welcome: { priority: high }
///   survey: { priority: low }
/// ```
public enum OnePriority: Lint {
    public static let check = Check.hygieneOnePriority

    public static func findings(in subject: LintSubject) -> [Diagnostic] {
        let rules = subject.rules
        var popups = Array(repeating: [PopupRule](), count: rules.schedulers.count)
        for popup in rules.popups { popups[popup.scheduler].append(popup) }
        return zip(rules.schedulers, popups).compactMap { scheduler, popups in
            guard scheduler.strategy == .priority, popups.count >= 3,
                popups.allSatisfy({ $0.priority == popups[0].priority })
            else { return nil }
            return .allTheSame(popups, scheduler)
        }
    }
}

extension Diagnostic {
    fileprivate static func allTheSame(_ popups: [PopupRule], _ scheduler: SchedulerRule) -> Self {
        let first = scheduler.tieBreak == .lifo ? "last" : "first"
        return Diagnostic(
            .hygieneOnePriority,
            "all \(popups.count) popups of the scheduler `\(scheduler.name)` have the priority"
                + " \(popups[0].priority)", at: popups[0].range, label: "the first of them",
            notes: [
                "among equal priorities the \(first) to be triggered goes first"
            ],
            help: ["give those that matter more a higher `priority`"])
    }
}
