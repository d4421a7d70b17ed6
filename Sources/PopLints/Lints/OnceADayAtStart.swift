internal import PopRuleFiles
internal import PopScheduler
public import PopSource

/// A cap for each day on a popup that only the start of the app triggers: in an app that stays open
/// nothing brings it back on the next day.
///
/// Bad:
/// ```yaml
/// popups: { tip: { trigger: start, cap: { windows: [{ max: 1, per: calendar_day }] } } }
/// ```
/// Good:
/// ```yaml
/// events: { home.opened: {} }
/// popups:
///   tip:
///     trigger: [start, { event: home.opened }]
///     cap: { windows: [{ max: 1, per: calendar_day }] }
/// ```
public enum OnceADayAtStart: Lint {
    public static let check = Check.scheduleOnceADayAtStart

    public static func findings(in subject: LintSubject) -> [Diagnostic] {
        zip(subject.model.popups.entries, subject.rules.popups).compactMap { model, popup in
            guard popup.isEnabled, popup.caps.lifetime == nil, popup.triggers.count == 1,
                case .occasion(.start) = popup.triggers[0],
                popup.timing.schedule.allSatisfy(\.isOfEveryDay),
                let day = (model.limits.cap?.value.windows?.value ?? []).lazy
                    .compactMap(\.value.per).first(where: { $0.value == .calendar(.day) })
            else { return nil }
            return .onceADay(day.range, trigger: model.trigger?.range, of: model.name.value)
        }
    }
}

extension Schedule {
    /// True if it has neither dates nor days of the week.
    fileprivate var isOfEveryDay: Bool { from == nil && until == nil && days == nil }
}

extension Diagnostic {
    fileprivate static func onceADay(
        _ day: SourceRange, trigger: SourceRange?, of popup: String
    ) -> Self {
        Diagnostic(
            .scheduleOnceADayAtStart,
            message: "should `\(popup)` show again each day in an app that stays open?",
            at: day, label: "a new day does not trigger the popup", subject: "popup `\(popup)`",
            secondary: trigger.map { [Label("fires once, when the app starts", at: $0)] } ?? [],
            help: [
                "add a trigger that repeats, such as the event of a screen that users open"
                    + " every day; the cap still applies"
            ])
    }
}
