internal import PopCEL
internal import PopRuleFiles
internal import PopScheduler
public import PopSource

/// A popup with a condition on its own impressions, of which the control group has none: the arms
/// of its experiment are then not compared alike.
///
/// Bad:
///
/// ```yaml
/// context: { user.id: { type: string, default: "" } }
/// popups:
///   offer:
///     when: popups.offer.shown_count == 0
///     experiment: { by: user.id, control: 10, variants: { as_is: {} } }
/// ```
///
/// Good:
///
/// ```yaml
/// context: { user.id: { type: string, default: "" } }
/// popups:
///   offer:
///     cap: { lifetime: 1 }
///     experiment: { by: user.id, control: 10, variants: { as_is: {} } }
/// ```
public enum OwnImpressions: Lint {
    public static let check = Check.hygieneOwnImpressions

    public static func findings(in subject: LintSubject) -> [Diagnostic] {
        zip(subject.model.popups.entries, subject.rules.popups.places).compactMap { model, index in
            let popup = subject.rules.popups[index]
            guard let experiment = popup.experiment, experiment.assignment.control > 0 else {
                return nil
            }
            let group = popup.group.flatMap { subject.rules.groups[$0].when }
            let conditions =
                popup.ownConditions + [group].compactMap { $0 }
                + popup.eventConditions.map(\.condition)
            let asked = conditions.lazy.compactMap { condition in
                subject.rules.impressions(of: index, readBy: condition.program)
                    .map { Located($0, at: condition.range) }
            }.first
            return asked.map { .ownImpressions($0, of: model.name.value) }
        }
    }
}

extension RuleSet {
    /// Returns the fact about the impressions of a popup that a condition reads, also through named
    /// conditions; nil if it reads none.
    fileprivate func impressions(of popup: PopupIndex, readBy program: Program) -> String? {
        let used = conditions(usedBy: program).map { conditions[$0].condition.program }
        let impressions: [SlotMeaning: String] = [
            .shownCount(popup: popup): "shown_count", .lastShown(popup: popup): "last_shown",
            .lastReason(popup: popup): "last_reason",
        ]
        return ([program] + used).flatMap(\.slots).lazy.compactMap { impressions[slots[$0]] }.first
    }
}

extension Diagnostic {
    fileprivate static func ownImpressions(_ read: Located<String>, of popup: String) -> Self {
        Diagnostic(
            .hygieneOwnImpressions,
            message:
                "`\(popup)` checks its own `\(read.value)`, which users in control do not have",
            at: read.range, label: "does not limit users in control like other users",
            subject: "popup `\(popup)`",
            help: [
                "use the popup's caps, which count control too, such as `cap: { lifetime: 1 }` or"
                    + " `cap: { every: 7d }`"
            ])
    }
}
