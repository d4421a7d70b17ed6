internal import PopRuleFiles
public import PopSource

/// A popup that is named `defaults` and has no keys that only a popup can have.
///
/// Bad:
/// ```yaml
/// popups: { defaults: { owner: team-growth }, welcome: {} }
/// ```
/// Good:
/// ```yaml
/// defaults: { owner: team-growth }
/// popups: { welcome: {} }
/// ```
/// ```yaml
/// popups: { defaults: { owner: team-growth, content: { title: Your defaults } } }
/// ```
public enum SectionAsPopup: Lint {
    public static let check = Check.hygieneSectionAsPopup

    public static func findings(in subject: LintSubject) -> [Diagnostic] {
        guard let popup = subject.model.popups["defaults"],
            !["description", "template", "content", "examples", "experiment"]
                .contains(where: { popup.writes($0) })
        else { return [] }
        return [.asks(popup.name)]
    }
}

extension Diagnostic {
    fileprivate static func asks(_ name: Located<String>) -> Self {
        Diagnostic(
            .hygieneSectionAsPopup,
            message: "`\(name.value)` is a popup here; is it meant for all popups of the file?",
            at: name.range, label: "shown like any other popup",
            help: [
                "move `\(name.value)` next to `popups` to set values for all popups of the file",
                "if it is a popup, rename it or give it a `description`",
            ])
    }
}
