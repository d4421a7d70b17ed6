internal import PopRuleFiles
public import PopSource

/// Users that are assigned by a momentary key: the same user is in at one time and out at another.
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
/// ```yaml
/// context: { app.screen: { type: string, default: "", momentary: true } }
/// popups: { welcome: { rollout: { percent: 100, by: app.screen } } }
/// ```
public enum DrawnByMoment: Lint {
    public static let check = Check.hygieneDrawnByMoment

    public static func findings(in subject: LintSubject) -> [Diagnostic] {
        let model = subject.model
        let popups = model.popups.entries.flatMap { popup in
            [popup.limits.rollout?.value.keyThatDraws, popup.limits.experiment?.value.division.by]
        }
        let shared =
            [model.holdout?.value.keyThatDraws] + model.layers.entries.map(\.by)
            + model.experiments.entries.map(\.division.by)
        // A value of `defaults` has one place for many popups.
        var seen: Set<SourceRange> = []
        return (shared + popups).compactMap(\.self).compactMap { by in
            guard let key = model.context[by.value], let momentary = key.isMomentary,
                momentary.value, seen.insert(by.range).inserted
            else { return nil }
            return .momentary(by, declaration: momentary.range)
        }
    }
}

/// Returns true if a part of the users is neither none nor all of them.
private func isPart(_ percent: Double) -> Bool { percent > 0 && percent < 100 }

extension RolloutModel {
    /// Nil if no user is assigned by it, because all are in or none is.
    fileprivate var keyThatDraws: Located<String>? {
        let bounds =
            [percent?.value, range?.value.lowerBound, range?.value.upperBound].compactMap(\.self)
            + (steps?.value.map(\.percent.value) ?? [])
        return bounds.contains(where: isPart) ? by : nil
    }
}

extension HoldoutModel {
    /// Nil if no user is assigned by it.
    fileprivate var keyThatDraws: Located<String>? {
        percent.map { isPart($0.value) } ?? false ? by : nil
    }
}

extension Diagnostic {
    fileprivate static func momentary(_ by: Located<String>, declaration: SourceRange) -> Self {
        Diagnostic(
            .hygieneDrawnByMoment,
            message:
                "users are assigned by `\(by.value)`, which describes the situation, not the user",
            at: by.range, label: "a new value assigns the user again",
            secondary: [Label("declared as describing the situation", at: declaration)],
            help: ["assign by a key that stays the same, such as the id of the user"])
    }
}
