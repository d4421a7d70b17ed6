internal import PopCEL
internal import PopRuleFiles
internal import PopScheduler
public import PopSource

/// A popup that comes after one that never shows.
///
/// Bad:
/// ```yaml
/// popups:
///   welcome: { enabled: false }
///   tour: { after: [welcome] }
/// ```
/// Good:
/// ```yaml
/// popups:
///   welcome: {}
///   tour: { after: [welcome] }
/// ```
public enum AwaitForever: Lint {
    public static let check = Check.scheduleAwaitForever

    public static func findings(in subject: LintSubject) -> [Diagnostic] {
        let popups = subject.model.popups
        let obstacles = zip(popups.entries, subject.rules.popups).map { model, popup in
            obstacle(model, popup, subject)
        }
        return zip(popups.entries, subject.rules.popups).flatMap { model, popup -> [Diagnostic] in
            guard popup.isEnabled else { return [] }
            var seen: Set<String> = []
            return (model.after?.value ?? []).compactMap { predecessor in
                guard seen.insert(predecessor.value).inserted,
                    let index = popups.index(of: predecessor.value)
                else { return nil }
                return obstacles[index].map { .waits(model.name.value, predecessor, $0) }
            }
        }
    }

    /// What keeps a popup from ever showing, and where that is written; nil when nothing certain
    /// does.
    private static func obstacle(
        _ model: PopupModel, _ popup: PopupRule, _ subject: LintSubject
    ) -> Diagnostic.Label? {
        if !popup.isEnabled, let place = model.isEnabled?.range {
            return Diagnostic.Label("it is switched off", at: place)
        }
        if let when = model.when, when.value.constant == false {
            return Diagnostic.Label("its `when` is never true", at: when.range)
        }
        if let group = popup.group, let when = subject.model.groups.entries[group].when,
            when.value.constant == false
        {
            return Diagnostic.Label("the `when` of its group is never true", at: when.range)
        }
        if popup.rollout?.percent == 0, let place = model.rollout?.value.percent?.range {
            return Diagnostic.Label("its rollout reaches nobody", at: place)
        }
        if let now = subject.now, let until = popup.schedule?.until, until <= now,
            let place = model.schedule?.value.until?.range
        {
            return Diagnostic.Label("its schedule is over", at: place)
        }
        return nil
    }
}

extension Diagnostic {
    fileprivate static func waits(
        _ popup: String, _ predecessor: Located<String>, _ obstacle: Label
    ) -> Self {
        let other = predecessor.value
        return Diagnostic(
            .scheduleAwaitForever, "`\(popup)` waits for `\(other)`, which never shows",
            at: predecessor.range, label: "never shows", subject: "popup `\(popup)`",
            secondary: [obstacle],
            notes: ["only those who saw `\(other)` in the past get to see `\(popup)`"],
            help: ["remove `\(other)` from `after`, or let it show"])
    }
}
