internal import PopRuleFiles
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

    public static func findings(in subject: LintSubject) -> [Diagnostic] {
        subject.model.conditions.entries.enumerated()
            .filter { !subject.usedConditions.contains($0.offset) }
            .map { .unused($0.element.name) }
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
