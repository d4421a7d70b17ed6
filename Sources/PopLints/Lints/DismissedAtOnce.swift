internal import PopCEL
internal import PopRuleFiles
internal import PopScheduler
public import PopSource

/// A popup that is taken down by what must hold for it to show.
///
/// Bad:
/// ```yaml
/// context: { user.plan: { type: string, default: free } }
/// popups: { promo: { when: user.plan == "free", dismiss_when: user.plan == "free" } }
/// ```
/// ```yaml
/// context: { user.plan: { type: string, default: free }, app.screen: { type: string, default: "" } }
/// popups:
///   promo: { when: user.plan == "free" && app.screen == "home", dismiss_when: user.plan == "free" }
/// ```
/// Good:
/// ```yaml
/// context: { user.plan: { type: string, default: free } }
/// popups: { promo: { when: user.plan == "free", dismiss_when: user.plan != "free" } }
/// ```
/// ```yaml
/// context: { user.plan: { type: string, default: free }, app.screen: { type: string, default: "" } }
/// popups:
///   promo: { when: user.plan == "free" || app.screen == "home", dismiss_when: user.plan == "free" }
/// ```
public enum DismissedAtOnce: Lint {
    public static let check = Check.scheduleDismissedAtOnce

    public static func findings(in subject: LintSubject) -> [Diagnostic] {
        zip(subject.model.popups.entries, subject.rules.popups).compactMap { model, popup in
            guard let when = popup.when?.program.expression.description,
                let dismissal = popup.dismissWhen?.program.expression.description,
                let place = model.dismissWhen?.range, let whenPlace = model.when?.range,
                isPart(dismissal, of: when)
            else { return nil }
            return .neverShows(model.name.value, opposite(of: dismissal), at: place, whenPlace)
        }
    }

    /// Whether a condition is the other one, or one of those that it joins by `&&`.
    private static func isPart(_ condition: String, of whole: String) -> Bool {
        if condition == whole { return true }
        guard !whole.contains(#/\|\|| \? |[()\[\]]/#) else { return false }
        return whole.split(separator: " && ").contains { $0 == condition }
    }

    /// A condition that is true when the other is not.
    private static func opposite(of condition: String) -> String {
        let isOne = !condition.contains(#/&&|\|\||\?/#)
        if isOne, condition.contains(" == ") { return condition.replacing(" == ", with: " != ") }
        if isOne, condition.contains(" != ") { return condition.replacing(" != ", with: " == ") }
        let isName = condition.wholeMatch(of: #/[\w.]+/#) != nil
        return isName ? "!\(condition)" : "!(\(condition))"
    }
}

extension Diagnostic {
    fileprivate static func neverShows(
        _ popup: String, _ opposite: String, at range: SourceRange, _ when: SourceRange
    ) -> Self {
        let text = "'\(opposite.replacing("'", with: "''"))'"
        return Diagnostic(
            .scheduleDismissedAtOnce,
            "the popup never shows, because `dismiss_when` holds whenever `when` does", at: range,
            label: "keeps it off the screen", subject: "popup `\(popup)`",
            secondary: [Label("must hold for it to show", at: when)],
            help: ["`dismiss_when: \(text)` takes it down once its condition no longer holds"])
    }
}
