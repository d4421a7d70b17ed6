internal import PopCEL
internal import PopRuleFiles
internal import PopScheduler
public import PopSource

/// A popup whose schedule is over.
///
/// Bad:
/// ```yaml
/// popups: { welcome: { schedule: { until: 2020-01-01 } } }
/// ```
/// Good:
/// ```yaml
/// popups: { welcome: { schedule: { until: 2099-01-01 } } }
/// ```
public enum Expired: Lint {
    public static let check = Check.timeExpired

    public static func findings(in subject: LintSubject) -> [Diagnostic] {
        guard let now = subject.now else { return [] }
        return zip(subject.model.popups.entries, subject.rules.popups).compactMap { model, popup in
            guard let until = popup.timing.schedule?.until, until <= now,
                let range = model.timing.schedule?.value.until?.range
            else { return nil }
            return .over(range, of: model.name.value)
        }
    }
}

extension Diagnostic {
    fileprivate static func over(_ range: SourceRange, of popup: String) -> Self {
        Diagnostic(
            .timeExpired, message: "the schedule is over, so the popup never shows again",
            at: range,
            label: "in the past", subject: "popup `\(popup)`",
            help: ["remove the popup, or move `until`"])
    }
}
