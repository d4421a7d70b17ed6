internal import PopRuleFiles
public import PopSource

/// A holdout or a control group with more than half of the users: often the percentage of those
/// who should see popups was meant.
///
/// Bad:
/// ```yaml
/// context: { user.id: { type: string, default: "" } }
/// holdout: { percent: 95, by: user.id }
/// popups: { welcome: {} }
/// ```
/// ```yaml
/// context: { user.id: { type: string, default: "" } }
/// popups: { welcome: { experiment: { by: user.id, control: 80, variants: { as_is: {} } } } }
/// ```
/// Good:
/// ```yaml
/// context: { user.id: { type: string, default: "" } }
/// holdout: { percent: 5, by: user.id }
/// popups: { welcome: { experiment: { by: user.id, control: 50, variants: { as_is: {} } } } }
/// ```
public enum LargeControl: Lint {
    public static let check = Check.hygieneLargeControl

    public static func findings(in subject: LintSubject) -> [Diagnostic] {
        let own = subject.model.popups.entries.map {
            ($0.limits.experiment?.value.division, "popup `\($0.name.value)`")
        }
        let named = subject.model.experiments.entries.map {
            (Optional($0.division), "experiment `\($0.name.value)`")
        }
        let controls = (named + own).compactMap { division, subject -> Diagnostic? in
            guard let control = division?.control, control.value > 50 else { return nil }
            return .largeControl(control, subject: subject)
        }
        guard let held = subject.model.holdout?.value.percent, held.value > 50, held.value < 100
        else { return controls }
        return [.largeHoldout(held)] + controls
    }
}

extension Diagnostic {
    fileprivate static func largeHoldout(_ percent: Located<Double>) -> Self {
        let (most, rest) = (percentText(percent.value), percentText(100 - percent.value))
        return Diagnostic(
            .hygieneLargeControl,
            message: "\(most) percent of the users see only popups with `essential: true`",
            at: percent.range, label: "the percentage of users who do not see the other popups",
            subject: "`holdout`",
            help: ["if \(most) percent of the users should see popups, use `percent: \(rest)`"])
    }

    fileprivate static func largeControl(_ control: Located<Double>, subject: String) -> Self {
        let (most, rest) = (percentText(control.value), percentText(100 - control.value))
        return Diagnostic(
            .hygieneLargeControl,
            message: "\(most) percent of the participants are in the control group",
            at: control.range, label: "the percentage of participants who see nothing",
            subject: subject,
            help: [
                "if \(most) percent of the participants should see a variant, use"
                    + " `control: \(rest)`"
            ])
    }
}

/// Returns a percentage without a point if it is whole.
func percentText(_ percent: Double) -> String {
    percent == percent.rounded() ? "\(Int(percent))" : "\(percent)"
}
