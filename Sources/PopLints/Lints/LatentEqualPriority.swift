internal import PopCEL
internal import PopRuleFiles
internal import PopScheduler
public import PopSource

/// `switch: latent` where a popup of the same priority can take its place: then it is dropped, not
/// put back.
///
/// Bad:
/// ```yaml
/// schedulers: { main: { tie_break: lifo } }
/// popups: { welcome: { switch: latent }, tour: {} }
/// ```
/// Good:
/// ```yaml
/// schedulers: { main: { tie_break: lifo } }
/// popups: { welcome: { switch: latent }, tour: { priority: high } }
/// ```
public enum LatentEqualPriority: Lint {
    public static let check = Check.scheduleLatentEqualPriority
    public static let asksForAll = true

    public static func findings(in subject: LintSubject) -> [Diagnostic] {
        struct Rank: Hashable {
            var scheduler: LaneIndex
            var priority: Int
        }
        let rules = subject.rules
        var names: [Rank: [String]] = [:]
        for popup in rules.popups {
            names[Rank(scheduler: popup.scheduler, priority: popup.priority), default: []]
                .append(popup.id)
        }
        return zip(subject.model.popups.entries, rules.popups).compactMap { model, popup in
            let scheduler = rules.schedulers[popup.scheduler]
            guard popup.switch == .latent, let range = model.switch?.range,
                scheduler.strategy == .priority, scheduler.tieBreak == .lifo
            else { return nil }
            let rank = Rank(scheduler: popup.scheduler, priority: popup.priority)
            let other = names[rank]?.first { $0 != popup.id }
            return other.map { .dropped(range, of: popup.id, other: $0) }
        }
    }
}

extension Diagnostic {
    fileprivate static func dropped(_ range: SourceRange, of popup: String, other: String) -> Self {
        Diagnostic(
            .scheduleLatentEqualPriority,
            message: "`\(popup)` does not come back after `\(other)` replaces it", at: range,
            label: "applies only to popups with a higher priority", subject: "popup `\(popup)`",
            notes: [
                "both have the same priority, and with `tie_break: lifo` the newer one shows first"
            ],
            help: ["give them different priorities"])
    }
}
