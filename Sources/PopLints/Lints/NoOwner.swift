internal import PopRuleFiles
public import PopSource

/// A popup without an owner: it is unknown who can answer questions about it.
///
/// Bad:
/// ```yaml
/// popups: { welcome: { description: Greets new users } }
/// ```
/// Good:
/// ```yaml
/// popups: { welcome: { description: Greets new users, owner: team-growth } }
/// ```
public enum NoOwner: Lint {
    public static let check = Check.hygieneNoOwner

    public static func findings(in subject: LintSubject) -> [Diagnostic] {
        subject.model.popups.entries.filter { $0.texts.owner == nil }.map { .noOwner($0.name) }
    }
}

extension Diagnostic {
    fileprivate static func noOwner(_ popup: Located<String>) -> Self {
        Diagnostic(
            .hygieneNoOwner, message: "the popup `\(popup.value)` has no `owner`", at: popup.range,
            help: ["add the team or user who is responsible, such as `owner: team-growth`"])
    }
}
