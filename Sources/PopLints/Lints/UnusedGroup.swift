internal import PopCEL
internal import PopRuleFiles
internal import PopScheduler
public import PopSource

/// A group that no popup is in.
///
/// Bad:
/// ```yaml
/// groups: { onboarding: { cap: { max: 2, per: 1d } } }
/// popups: { welcome: {} }
/// ```
/// Good:
/// ```yaml
/// groups: { onboarding: { cap: { max: 2, per: 1d } } }
/// popups: { welcome: { group: onboarding } }
/// ```
public enum UnusedGroup: Lint {
    public static let check = Check.refUnusedGroup
    public static let asksForAll = true

    public static func findings(in subject: LintSubject) -> [Diagnostic] {
        let used = Set(subject.rules.popups.compactMap(\.group))
        let groups = subject.model.groups.entries
        return groups.places.filter { !used.contains($0) }.map { .unused(groups[$0].name) }
    }
}

extension Diagnostic {
    fileprivate static func unused(_ name: Located<String>) -> Self {
        Diagnostic(
            .refUnusedGroup, message: "no popup is in the group `\(name.value)`", at: name.range,
            label: "not used",
            help: ["write `group: \(name.value)` in a popup, or remove the group"])
    }
}
