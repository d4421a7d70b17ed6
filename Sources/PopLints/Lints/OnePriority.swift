internal import PopCEL
public import PopScheduler
public import PopSource

/// Three or more popups of a scheduler, all with the same priority: an urgent popup does not show
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
    public static let asksForAll = true

    public static func findings(in subject: LintSubject) -> [Diagnostic] {
        let popups = popupsByScheduler(subject.rules)
        return schedulers(in: subject.rules).map { scheduler in
            .allTheSame(popups[scheduler], scheduler: subject.rules.schedulers[scheduler])
        }
    }

    /// The schedulers, by index, on which all popups have the same priority.
    public static func schedulers(in rules: RuleSet) -> [LaneIndex] {
        let popups = popupsByScheduler(rules)
        return rules.schedulers.places.filter { scheduler in
            let own = popups[scheduler]
            return rules.schedulers[scheduler].strategy == .priority && own.count >= 3
                && own.allSatisfy { $0.priority == own[0].priority }
        }
    }

    private static func popupsByScheduler(_ rules: RuleSet) -> ParallelArray<LaneIndex, [PopupRule]>
    {
        var popups = ParallelArray<LaneIndex, [PopupRule]>(
            repeating: [], count: rules.schedulers.count)
        for popup in rules.popups { popups[popup.scheduler].append(popup) }
        return popups
    }
}

extension Diagnostic {
    fileprivate static func allTheSame(_ popups: [PopupRule], scheduler: SchedulerRule) -> Self {
        let first = scheduler.tieBreak == .lifo ? "last" : "first"
        return Diagnostic(
            .hygieneOnePriority,
            message:
                "all \(popups.count) popups of the scheduler `\(scheduler.name)` have the priority"
                + " \(popups[0].priority)", at: popups[0].range, label: "the first of these popups",
            notes: [
                "with equal priorities, the popup triggered \(first) shows first; at the same time,"
                    + " the \(first) by file name and line shows first"
            ],
            help: ["give more important popups a higher `priority`"])
    }
}
