internal import PopRuleFiles
public import PopSource

/// `min_show` longer than `hide_after`: the popup stays for `min_show`.
///
/// Bad:
/// ```yaml
/// popups: { welcome: { min_show: 5s, hide_after: 3s } }
/// ```
/// Good:
/// ```yaml
/// popups: { welcome: { min_show: 3s, hide_after: 5s } }
/// ```
public enum MinShowOverHideAfter: Lint {
    public static let check = Check.scheduleMinShowOverHideAfter

    public static func findings(in subject: LintSubject) -> [Diagnostic] {
        subject.model.popups.entries.compactMap { popup in
            guard let least = popup.timing.minShow, let most = popup.timing.hideAfter,
                least.value > most.value
            else { return nil }
            return .neverKept(least.range, most: most.range, of: popup.name.value)
        }
    }
}

extension Diagnostic {
    fileprivate static func neverKept(
        _ least: SourceRange, most: SourceRange, of popup: String
    ) -> Self {
        Diagnostic(
            .scheduleMinShowOverHideAfter, message: "`min_show` is longer than `hide_after`",
            at: least,
            label: "shown at least as long as this", subject: "popup `\(popup)`",
            secondary: [Label("at most as long as this", at: most)],
            notes: ["`min_show` takes precedence, so the popup hides later than `hide_after`"])
    }
}
