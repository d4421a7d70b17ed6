internal import PopRuleFiles
public import PopSource

/// A popup without a description: its purpose is forgotten.
///
/// Bad:
/// ```yaml
/// popups: { welcome: { owner: team-growth } }
/// ```
/// Good:
/// ```yaml
/// popups: { welcome: { owner: team-growth, description: Greets new users } }
/// ```
public enum NoDescription: Lint {
    public static let check = Check.hygieneNoDescription

    public static func findings(in subject: LintSubject) -> [Diagnostic] {
        subject.model.popups.entries.filter { $0.texts.description == nil }.map {
            .noDescription($0.name)
        }
    }
}

extension Diagnostic {
    fileprivate static func noDescription(_ popup: Located<String>) -> Self {
        Diagnostic(
            .hygieneNoDescription, message: "the popup `\(popup.value)` has no `description`",
            at: popup.range,
            help: ["add a `description` that says in a sentence what the popup is for"])
    }
}
