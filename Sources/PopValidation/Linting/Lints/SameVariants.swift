internal import PopCEL
internal import PopRuleFiles
internal import PopScheduler
public import PopSource

/// An experiment that compares nothing: it has one variant that all users see, or two variants with
/// the same content.
///
/// Bad:
///
/// ```yaml
/// context: { user.id: { type: string, default: "" } }
/// popups:
///   offer: { experiment: { by: user.id, variants: { short: { content: { title: Hi } } } } }
/// ```
///
/// ```yaml
/// context: { user.id: { type: string, default: "" } }
/// popups:
///   offer:
///     content: { title: Hello }
///     experiment:
///       by: user.id
///       variants: { short: { content: { title: Hi } }, brief: { content: { title: Hi } } }
/// ```
///
/// Good:
///
/// ```yaml
/// context: { user.id: { type: string, default: "" } }
/// popups:
///   offer:
///     experiment:
///       by: user.id
///       control: 10
///       variants: { short: { content: { title: Hi } } }
/// ```
///
/// ```yaml
/// context: { user.id: { type: string, default: "" } }
/// popups:
///   offer:
///     content: { title: Hello }
///     experiment:
///       by: user.id
///       variants: { as_is: {}, short: { content: { title: Hi } } }
/// ```
public enum SameVariants: Lint {
    public static let check = Check.hygieneSameVariants
    public static let asksForAll = true

    public static func findings(in subject: LintSubject) -> [Diagnostic] {
        zip(subject.model.popups.entries, subject.rules.popups).compactMap { model, popup in
            guard let experiment = model.limits.experiment?.value,
                let variants = experiment.variants?.value,
                let shown = popup.experiment?.variants, shown.count == variants.count
            else { return nil }
            if variants.count == 1, experiment.of == nil, experiment.division.hasOneArm {
                return .onlyVariant(variants[0].name, of: popup.id)
            }
            var earlier: [Appearance: VariantModel] = [:]
            for (variant, shown) in zip(variants, shown) {
                let appearance = Appearance(
                    template: shown.template ?? popup.template,
                    content: shown.content ?? popup.content)
                // Two variants without changes are usually there on purpose.
                if let other = earlier[appearance], variant.changes || other.changes {
                    return .sameVariants(variant.name, as: other.name, of: popup.id)
                }
                earlier[appearance] = variant
            }
            return nil
        }
    }
}

/// The part of a popup that variants change.
private struct Appearance: Hashable {
    let template: String?
    let content: Value
}

extension VariantModel {
    /// True if the variant differs from the popup as written.
    fileprivate var changes: Bool { template != nil || content != nil }
}

extension DivisionModel {
    /// True if all users take part, and none of them is in a control group.
    fileprivate var hasOneArm: Bool {
        control?.value ?? 0 == 0 && share?.value ?? 100 == 100 && range == nil
    }
}

extension Diagnostic {
    fileprivate static func onlyVariant(_ variant: Located<String>, of popup: String) -> Self {
        Diagnostic(
            .hygieneSameVariants, message: "all users see the only variant of this experiment",
            at: variant.range, label: "no users to compare with", subject: "popup `\(popup)`",
            help: [
                "to compare with users who see nothing, add a control group, such as `control: 10`",
                "to compare with the popup unchanged, add a variant such as `as_is: {}`",
            ])
    }

    fileprivate static func sameVariants(
        _ variant: Located<String>, as other: Located<String>, of popup: String
    ) -> Self {
        Diagnostic(
            .hygieneSameVariants,
            message: "the variants `\(other.value)` and `\(variant.value)` are the same",
            at: variant.range, label: "the same as `\(other.value)`", subject: "popup `\(popup)`",
            secondary: [Label("the same variant", at: other.range)],
            help: [
                "change the content of one of them, or remove one; if you compare them on purpose"
                    + " to check the assignment, ignore this finding"
            ])
    }
}
