internal import PopCEL
internal import PopRuleFiles
internal import PopScheduler
public import PopSource

/// A placeholder with a value that may be missing, so that the string has a gap.
///
/// Bad:
///
/// ```yaml
/// context: { user.name: string }
/// popups: { hello: { content: { title: 'Hi {{user.name}}!' } } }
/// ```
///
/// ```yaml
/// events: { order.paid: { total: double }, order.failed: {} }
/// popups:
///   thanks:
///     trigger: [{ event: order.paid }, { event: order.failed }]
///     content: { title: 'You paid {{event.total}}' }
/// ```
///
/// Good:
///
/// ```yaml
/// context: { user.name: string }
/// popups: { hello: { content: { title: 'Hi {{user.name | there}}!' } } }
/// ```
///
/// ```yaml
/// context: { user.name: { type: string, default: you } }
/// popups: { hello: { content: { title: 'Hi {{user.name}}!' } } }
/// ```
///
/// ```yaml
/// context: { user.name: string }
/// popups: { hello: { when: has(user.name), content: { title: 'Hi {{user.name}}!' } } }
/// ```
///
/// ```yaml
/// events: { order.paid: { total: double } }
/// popups:
///   thanks: { trigger: { event: order.paid }, content: { title: 'You paid {{event.total}}' } }
/// ```
public enum EmptyPlaceholder: Lint {
    public static let check = Check.contentEmptyPlaceholder

    public static func findings(in subject: LintSubject) -> [Diagnostic] {
        zip(subject.model.popups.entries, subject.rules.popups).flatMap { model, popup in
            subject.model.placeholders(in: model).filter { $0.fallback == nil }
                .compactMap { finding(on: $0, in: popup, of: subject) }
        }
    }

    private static func finding(
        on placeholder: NamedPlaceholder, in popup: PopupRule, of subject: LintSubject
    ) -> Diagnostic? {
        if let key = subject.model.context.place(of: placeholder.name) {
            let declared = subject.rules.keys[key]
            guard declared.defaultValue == nil,
                !subject.rules.keys(readBy: popup.conditions(of: subject.rules)).contains(key)
            else { return nil }
            return .noDefault(placeholder, of: popup.id, declared: declared.range)
        }
        guard placeholder.name.hasPrefix("event.") else { return nil }
        let field = placeholder.name.dropFirst("event.".count)
        let has = popup.triggers.map { trigger in
            guard case .event(let trigger) = trigger else { return false }
            return subject.rules.events[trigger.event].fields.contains { $0.name == field }
        }
        // One that no event carries names nothing, which has been reported.
        guard has.contains(true), has.contains(false) else { return nil }
        return .otherTrigger(placeholder, of: popup.id)
    }
}

extension PopupRule {
    /// Returns the conditions that must hold for it to show. If they read a key, the author has
    /// thought of a missing value.
    fileprivate func conditions(of rules: RuleSet) -> [Program] {
        let group = group.flatMap { rules.groups[$0].when }
        return [when, group].compactMap { $0?.program }
    }
}

extension Diagnostic {
    fileprivate static func noDefault(
        _ placeholder: NamedPlaceholder, of popup: String, declared: SourceRange
    ) -> Self {
        gap(placeholder, of: popup, label: "missing until the app sets it", declared: declared)
    }

    fileprivate static func otherTrigger(
        _ placeholder: NamedPlaceholder, of popup: String
    ) -> Self {
        gap(placeholder, of: popup, label: "not every trigger of the popup has this field")
    }

    private static func gap(
        _ placeholder: NamedPlaceholder, of popup: String, label: String,
        declared: SourceRange? = nil
    ) -> Self {
        Diagnostic(
            .contentEmptyPlaceholder,
            message: "`{{\(placeholder.name)}}` may have no value, which leaves a gap in the text",
            at: placeholder.range, label: label, subject: "popup `\(popup)`",
            secondary: declared.map { [Label("declared without a default", at: $0)] } ?? [],
            help: [
                "add a fallback after `|`:"
                    + " `{{\(placeholder.name) | …}}`"
            ] + (declared == nil ? [] : ["or give the key a default"]))
    }
}
