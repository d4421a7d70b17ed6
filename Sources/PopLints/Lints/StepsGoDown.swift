internal import PopRuleFiles
public import PopSource

/// A step of a rollout that reaches fewer users than the one before.
///
/// Bad:
/// ```yaml
/// context: { user.id: { type: string, default: "" } }
/// popups:
///   welcome:
///     rollout: { by: user.id, steps: { 2027-01-10: 50, 2027-01-20: 10 } }
/// ```
/// Good:
/// ```yaml
/// context: { user.id: { type: string, default: "" } }
/// popups:
///   welcome:
///     rollout: { by: user.id, steps: { 2027-01-10: 10, 2027-01-20: 50 } }
/// ```
public enum StepsGoDown: Lint {
    public static let check = Check.hygieneStepsGoDown

    public static func findings(in subject: LintSubject) -> [Diagnostic] {
        subject.model.popups.entries.flatMap { popup -> [Diagnostic] in
            guard let steps = popup.limits.rollout?.value.steps?.value else { return [] }
            let ordered = steps.sorted { $0.begins.value < $1.begins.value }
            return zip(ordered, ordered.dropFirst()).compactMap { earlier, later in
                later.percent.value < earlier.percent.value
                    ? .stepDown(later, after: earlier, of: popup.name.value) : nil
            }
        }
    }
}

extension Diagnostic {
    fileprivate static func stepDown(
        _ step: RolloutStepModel, after earlier: RolloutStepModel, of popup: String
    ) -> Self {
        Diagnostic(
            .hygieneStepsGoDown, message: "the rollout goes back to fewer users",
            at: step.percent.range, label: "less than before", subject: "popup `\(popup)`",
            secondary: [Label("the step before", at: earlier.percent.range)],
            notes: ["users who are no longer in the rollout no longer get the popup"],
            help: ["write a number that is at least as large, or remove the step"])
    }
}
