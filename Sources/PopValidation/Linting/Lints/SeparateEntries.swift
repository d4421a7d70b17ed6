internal import PopRuleFiles
internal import PopScheduler
public import PopSource

/// A schedule with an entry that has only dates and another one that has only hours or days: the
/// entries are alternatives, so neither limits the other.
///
/// Bad:
/// ```yaml
/// popups:
///   sale:
///     schedule:
///       - { from: 2099-05-10, until: 2099-05-17, zone: Europe/Berlin }
///       - { hours: 18:00-22:00, zone: Europe/Berlin }
/// ```
/// Good:
/// ```yaml
/// popups:
///   sale:
///     schedule:
///       { from: 2099-05-10, until: 2099-05-17, hours: 18:00-22:00, zone: Europe/Berlin }
/// ```
public enum SeparateEntries: Lint {
    public static let check = Check.scheduleSeparateEntries

    public static func findings(in subject: LintSubject) -> [Diagnostic] {
        subject.model.popups.entries.compactMap { popup in
            let entries = popup.timing.schedule?.value ?? []
            guard let dates = entries.first(where: { $0.value.hasDates && !$0.value.hasHours }),
                let hours = entries.first(where: { $0.value.hasHours && !$0.value.hasDates }),
                dates.value.when == nil, hours.value.when == nil
            else { return nil }
            return .separate(hours, from: dates, of: popup.name.value)
        }
    }
}

extension ScheduleModel {
    fileprivate var hasDates: Bool { from != nil || until != nil }

    /// True if it has parts of the day or days of the week.
    fileprivate var hasHours: Bool { hours != nil || days != nil }
}

extension Diagnostic {
    fileprivate static func separate(
        _ hours: Located<ScheduleModel>, from dates: Located<ScheduleModel>, of popup: String
    ) -> Self {
        Diagnostic(
            .scheduleSeparateEntries,
            message: "the entries of a schedule are alternatives, so one entry does not limit the"
                + " dates or hours of another",
            at: hours.range, label: "open on all dates", subject: "popup `\(popup)`",
            secondary: [Label("open at all hours", at: dates.range)],
            help: [
                "to show the popup only on these dates and only at these hours, move the keys of"
                    + " both entries into one entry"
            ])
    }
}
