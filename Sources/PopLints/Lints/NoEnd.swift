internal import PopRuleFiles
public import PopSource

/// A schedule with a beginning and no end: campaigns without an end stay on for years.
///
/// Bad:
/// ```yaml
/// popups: { sale: { schedule: { from: 2026-11-01 } } }
/// ```
/// Good:
/// ```yaml
/// popups: { sale: { schedule: { from: 2026-11-01, until: 2099-12-01 } } }
/// ```
public enum NoEnd: Lint {
    public static let check = Check.timeNoEnd

    public static func findings(in subject: LintSubject) -> [Diagnostic] {
        subject.model.popups.entries.compactMap { popup in
            // Of several entries one may be meant to have no end.
            guard let entries = popup.timing.schedule?.value, entries.count == 1,
                let schedule = entries.first?.value, let from = schedule.from,
                schedule.until == nil
            else { return nil }
            return .withoutEnd(from.range, of: popup.name.value)
        }
    }
}

extension Diagnostic {
    fileprivate static func withoutEnd(_ range: SourceRange, of popup: String) -> Self {
        Diagnostic(
            .timeNoEnd, message: "the schedule starts but never ends", at: range,
            label: "no `until`",
            subject: "popup `\(popup)`",
            help: ["add the end, as `until` with a date or a time"])
    }
}
