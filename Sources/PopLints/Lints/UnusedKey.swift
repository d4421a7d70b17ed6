internal import PopCEL
internal import PopRuleFiles
internal import PopScheduler
public import PopSource

/// A context key that no condition, trigger or rollout reads.
///
/// Bad:
/// ```yaml
/// context: { user.plan: string }
/// popups: { welcome: {} }
/// ```
/// Good:
/// ```yaml
/// context: { user.plan: string }
/// popups: { welcome: { trigger: { changed: user.plan } } }
/// ```
public enum UnusedKey: Lint {
    public static let check = Check.refUnusedKey
    public static let asksForAll = true

    public static func findings(in subject: LintSubject) -> [Diagnostic] {
        let keys = subject.model.context.entries
        return keys.places.filter { !subject.usedKeys.contains($0) }.map { .unused(keys[$0].name) }
    }
}

extension Diagnostic {
    fileprivate static func unused(_ name: Located<String>) -> Self {
        Diagnostic(
            .refUnusedKey, message: "nothing reads the context key `\(name.value)`", at: name.range,
            label: "not used", help: ["remove it, unless the app uses it for something else"])
    }
}
