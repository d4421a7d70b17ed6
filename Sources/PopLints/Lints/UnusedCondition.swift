internal import PopCEL
internal import PopRuleFiles
internal import PopScheduler
public import PopSource

/// A named condition that nothing uses; an info in a file without popups, such as a library of
/// conditions that several rule sets share.
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
        let files = Set(subject.model.popups.entries.map(\.name.range.file))
        return conditions.places.filter { !subject.usedConditions.contains($0) }
            .map { place in
                let name = conditions[place].name
                return .unused(name, inLibrary: !files.contains(name.range.file))
            }
    }
}

extension Diagnostic {
    fileprivate static func unused(_ name: Located<String>, inLibrary isShared: Bool) -> Self {
        var diagnostic = Diagnostic(
            .refUnusedCondition, message: "nothing uses the condition `\(name.value)`",
            at: name.range,
            label: "not used",
            help: [
                isShared
                    ? "use it in another condition, or keep it for rules that share this file"
                    : "use it in another condition, or remove it"
            ])
        if isShared { diagnostic.level = .info }
        return diagnostic
    }
}
