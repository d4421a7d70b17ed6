internal import PopRuleFiles
public import PopSource

/// Users that are drawn by a key that is about now: somebody is in at one time and out at another.
///
/// Bad:
/// ```yaml
/// context: { app.screen: { type: string, default: "", momentary: true } }
/// popups: { welcome: { rollout: { percent: 20, by: app.screen } } }
/// ```
/// ```yaml
/// context: { app.screen: { type: string, default: "", momentary: true } }
/// holdout: { percent: 5, by: app.screen }
/// popups: { welcome: {} }
/// ```
/// Good:
/// ```yaml
/// context: { user.id: { type: string, default: "" } }
/// popups: { welcome: { rollout: { percent: 20, by: user.id } } }
/// ```
public enum DrawnByMoment: Lint {
    public static let check = Check.hygieneDrawnByMoment

    public static func findings(in subject: LintSubject) -> [Diagnostic] {
        let model = subject.model
        let popups = model.popups.entries.flatMap { popup in
            [popup.limits.rollout?.value.by, popup.limits.experiment?.value.division.by]
        }
        let shared =
            [model.holdout?.value.by] + model.layers.entries.map(\.by)
            + model.experiments.entries.map(\.division.by)
        // What defaults say stands at one place for many popups.
        var seen: Set<SourceRange> = []
        return (shared + popups).compactMap(\.self).compactMap { by in
            guard let key = model.context[by.value], let momentary = key.isMomentary,
                momentary.value, seen.insert(by.range).inserted
            else { return nil }
            return .momentary(by, declaration: momentary.range)
        }
    }
}

extension Diagnostic {
    fileprivate static func momentary(_ by: Located<String>, declaration: SourceRange) -> Self {
        Diagnostic(
            .hygieneDrawnByMoment,
            message: "users are drawn by `\(by.value)`, which is about now and not about them",
            at: by.range, label: "another value draws anew",
            secondary: [Label("declared to be about now", at: declaration)],
            help: ["draw by a key that stays the same, such as the id of the user"])
    }
}
