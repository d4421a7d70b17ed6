internal import PopRuleFiles
public import PopSource

/// An experiment of which no popup has a goal: the effects of its arms are not compared.
///
/// Bad:
///
/// ```yaml
/// context: { user.id: { type: string, default: "" } }
/// popups:
///   offer: { experiment: { by: user.id, control: 10, variants: { as_is: {} } } }
/// ```
///
/// Good:
///
/// ```yaml
/// context: { user.id: { type: string, default: "" } }
/// events: { order.paid: {} }
/// popups:
///   offer:
///     experiment: { by: user.id, control: 10, variants: { as_is: {} } }
///     goals: [{ name: buy, event: order.paid, within: 7d }]
/// ```
public enum NoGoal: Lint {
    public static let check = Check.hygieneNoGoal
    public static let asksForAll = true

    public static func findings(in subject: LintSubject) -> [Diagnostic] {
        let popups = subject.model.popups.entries
        var measured: Set<String> = []
        for popup in popups where popup.limits.goals != nil {
            if let name = popup.limits.experiment?.value.of { measured.insert(name.value) }
        }
        return popups.compactMap { popup in
            guard let experiment = popup.limits.experiment, popup.limits.goals == nil else {
                return nil
            }
            // Of several popups with one experiment one speaks for all.
            if let name = experiment.value.of, !measured.insert(name.value).inserted { return nil }
            return .noGoal(of: popup.name)
        }
    }
}

extension Diagnostic {
    fileprivate static func noGoal(of popup: Located<String>) -> Self {
        Diagnostic(
            .hygieneNoGoal, message: "`\(popup.value)` has an experiment and no `goals`",
            at: popup.range, label: "without goals, the arms cannot be compared",
            help: [
                "name the event that the popup should lead to, such as"
                    + " `goals: [{ name: buy, event: order.paid, within: 7d }]`"
            ])
    }
}
