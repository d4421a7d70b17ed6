internal import PopRuleFiles
internal import PopScheduler
public import PopSource

/// A time after closing that no action of the template begins, because none is a refusal.
///
/// Bad:
/// ```yaml
/// templates: { rating: { actions: [rate, later] } }
/// popups: { rate: { template: rating, trigger: session, cap: { after_close: 60d } } }
/// ```
/// Good:
/// ```yaml
/// templates: { rating: { actions: [rate, { later: { refusal: true } }] } }
/// popups: { rate: { template: rating, trigger: session, cap: { after_close: 60d } } }
/// ```
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

    /// So many actions are named.
    private static let mostNames = 5

    public static func findings(in subject: LintSubject) -> [Diagnostic] {
        subject.model.popups.entries.compactMap { popup in
            guard let pause = popup.limits.cap?.value.afterClose, let time = pause.value.all,
                let template = popup.template.flatMap({ subject.model.templates[$0.value] }),
                let actions = template.actions?.value,
                // A single one is what the popup asks for.
                actions.count > 1, actions.allSatisfy({ $0.refusal?.value != true })
            else { return nil }
            let names = actions.prefix(mostNames).map { "`\($0.name.value)`" }
            return .uncounted(
                names.joined(separator: ", ")
                    + (actions.count > mostNames ? " and \(actions.count - mostNames) more" : ""),
                last: actions[actions.count - 1].name, time: time, template: template.name.value,
                of: popup.name.value)
        }
    }
}

extension Diagnostic {
    fileprivate static func uncounted(
        _ names: String, last: Located<String>, time: Located<Duration>, template: String,
        of popup: String
    ) -> Self {
        let length = timeText(time.value)
        return Diagnostic(
            .scheduleUncountedActions,
            message: "`after_close` begins with no action of `\(template)`: none is a refusal",
            at: time.range, label: "begins when a person closes the popup",
            subject: "popup `\(popup)`",
            secondary: [Label("no refusal", at: last.range)],
            notes: ["its actions are \(names)"],
            help: [
                "mark what says no in the template, such as `\(last.value): { refusal: true }`",
                "or give the actions times of their own, such as `after_close: { close: \(length),"
                    + " \(last.value): \(length) }`",
            ])
    }
}
