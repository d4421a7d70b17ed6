internal import PopRuleFiles
public import PopSource

/// A trigger on an action of the popup itself: its task still exists when the action is used, so
/// no second one is made.
///
/// Bad:
///
/// ```yaml
/// templates: { question: { actions: [accept, later] } }
/// popups: { tip: { template: question, trigger: [start, { popup: tip, action: later }] } }
/// ```
///
/// Good:
///
/// ```yaml
/// templates: { question: { actions: [accept, later] } }
/// popups: { tip: { template: question, trigger: session, cap: { after_close: { later: 1d } } } }
/// ```
public enum OwnTrigger: Lint {
    public static let check = Check.scheduleOwnTrigger

    public static func findings(in subject: LintSubject) -> [Diagnostic] {
        subject.model.popups.entries.flatMap { popup -> [Diagnostic] in
            let triggers = popup.trigger?.value ?? []
            let own = triggers.compactMap { trigger -> Diagnostic? in
                guard case .acted(let other, let action) = trigger.value,
                    other.value == popup.name.value
                else { return nil }
                return .ownTrigger(other, action: action.value)
            }
            // `AwaitForever` reports a popup without other triggers: it never shows at all.
            return popup.isEnabled?.value == false || own.count == triggers.count ? [] : own
        }
    }
}

extension Diagnostic {
    fileprivate static func ownTrigger(_ popup: Located<String>, action: String) -> Self {
        Diagnostic(
            .scheduleOwnTrigger,
            message: "`\(popup.value)` cannot be triggered again by its own action `\(action)`",
            at: popup.range, label: "the popup is not dismissed yet when this happens",
            subject: "popup `\(popup.value)`",
            help: [
                "use another trigger to show it again, such as an event; `cap.after_close` sets how"
                    + " long it is suppressed after the action"
            ])
    }
}
