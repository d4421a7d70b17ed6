internal import PopCEL
internal import PopRuleFiles
internal import PopScheduler
public import PopSource

/// A named condition that nothing uses.
///
/// Bad:
/// ```yaml
/// context: { user.launches: { type: int, default: 0 } }
/// conditions: { newcomer: user.launches <= 3 }
/// popups: { welcome: {} }
/// ```
/// Good:
/// ```yaml
/// context: { user.launches: { type: int, default: 0 } }
/// conditions: { newcomer: user.launches <= 3 }
/// popups: { welcome: { when: newcomer } }
/// ```
public enum UnusedCondition: Lint {
    public static let check = Check.refUnusedCondition
    public static let asksForAll = true

    public static func findings(in subject: LintSubject) -> [Diagnostic] {
        let conditions = subject.model.conditions.entries
        return conditions.places.filter { !subject.usedConditions.contains($0) }
            .map { .unused(conditions[$0].name) }
    }
}

extension Diagnostic {
    fileprivate static func unused(_ name: Located<String>) -> Self {
        Diagnostic(
            .refUnusedCondition, message: "nothing uses the condition `\(name.value)`",
            at: name.range,
            label: "not used", help: ["name it in another condition, or remove it"])
    }
}
