internal import PopRuleFiles
internal import PopScheduler
public import PopSource

/// A pause after closing that an action such as `later` does not start, because no action of the
/// template is a refusal.
///
/// Bad:
///
/// ```yaml
/// templates: { rating: { actions: [rate, later] } }
/// popups: { rate: { template: rating, trigger: session, cap: { after_close: 60d } } }
/// ```
///
/// Good:
///
/// ```yaml
/// templates: { rating: { actions: [rate, { later: { refusal: true } }] } }
/// popups: { rate: { template: rating, trigger: session, cap: { after_close: 60d } } }
/// ```
///
/// ```yaml
/// templates: { rating: { actions: [rate, later] } }
/// popups:
///   rate:
///     template: rating
///     trigger: session
///     cap: { after_close: { close: 60d, later: 60d } }
/// ```
public enum UncountedActions: Lint {
    public static let check = Check.scheduleUncountedActions

    /// Common names of actions for no, or not now.
    private static let namesOfRefusals: Set<String> = [
        "cancel", "close", "decline", "deny", "dismiss", "later", "maybe_later", "never", "no",
        "no_thanks", "not_now", "refuse", "reject", "remind", "remind_later", "skip", "snooze",
    ]

    public static func findings(in subject: LintSubject) -> [Diagnostic] {
        zip(subject.model.popups.entries, subject.rules.popups).compactMap { model, popup in
            // A popup that shows once needs no time until it shows again.
            guard popup.isEnabled, popup.caps.lifetime != 1,
                let time = model.limits.cap?.value.afterClose?.value.all
            else { return nil }
            // An action refuses if the template of the popup or of any of its variants marks it.
            let templates = popup.templates.compactMap { subject.model.templates[$0] }
            let actions = templates.flatMap { $0.actions?.value ?? [] }
            guard actions.allSatisfy({ $0.refusal?.value != true }),
                let refusal = actions.first(where: { namesOfRefusals.contains($0.name.value) })
            else { return nil }
            return .uncounted(refusal.name, time: time, of: model.name.value)
        }
    }
}

extension Diagnostic {
    fileprivate static func uncounted(
        _ action: Located<String>, time: Located<Duration>, of popup: String
    ) -> Self {
        let length = timeText(time.value)
        return Diagnostic(
            .scheduleUncountedActions,
            message: "`after_close` does not start with the action `\(action.value)`",
            at: time.range, label: "starts when a user closes the popup",
            subject: "popup `\(popup)`",
            secondary: [Label("not marked as a refusal", at: action.range)],
            help: [
                "if `\(action.value)` means no, mark it in the template, such as"
                    + " `\(action.value): { refusal: true }`",
                "or give it its own time, such as `after_close: { close: \(length),"
                    + " \(action.value): \(length) }`",
            ])
    }
}
