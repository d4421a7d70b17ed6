internal import PopCEL
internal import PopRuleFiles
internal import PopScheduler
public import PopSource

/// An entry of a schedule all of whose times another entry of the list has too.
///
/// Bad:
/// ```yaml
/// popups:
///   lunch:
///     schedule:
///       - { days: [mon-fri], hours: 09:00-18:00, zone: UTC }
///       - { days: [tue], hours: 12:00-14:00, zone: UTC }
/// ```
/// ```yaml
/// popups:
///   night:
///     schedule:
///       - { from: 2027-01-05, until: 2027-01-07, zone: UTC, hours: 01:00-05:00 }
///       - { from: 2027-01-01, until: 2027-02-01, zone: UTC, hours: 22:00-06:00 }
/// ```
/// Good:
/// ```yaml
/// popups:
///   lunch:
///     schedule:
///       - { days: [mon-fri], hours: 09:00-18:00, zone: UTC }
///       - { days: [sat], hours: 12:00-14:00, zone: UTC }
/// ```
/// ```yaml
/// popups:
///   night:
///     schedule:
///       - { days: [tue], hours: 01:00-05:00, zone: UTC }
///       - { days: [tue], hours: 22:00-06:00, zone: UTC }
/// ```
public enum ContainedEntry: Lint {
    public static let check = Check.scheduleContainedEntry

    /// No hand-written schedule has as many entries; all pairs of them are compared.
    private static let mostEntries = 32

    public static func findings(in subject: LintSubject) -> [Diagnostic] {
        zip(subject.model.popups.entries, subject.rules.popups).flatMap { model, popup in
            let entries = popup.timing.schedule.prefix(mostEntries)
            let places = (model.timing.schedule?.value ?? []).map(\.range)
            guard entries.count > 1, places.count == popup.timing.schedule.count else {
                return [Diagnostic]()
            }
            return entries.indices.compactMap { index in
                let other = entries.indices.first { other in
                    // If two entries are equivalent, only the second one is reported.
                    other != index && entries[other].contains(entries[index])
                        && (other < index || !entries[index].contains(entries[other]))
                }
                return other.map {
                    .contained(at: places[index], in: places[$0], of: model.name.value)
                }
            }
        }
    }
}

extension Schedule {
    /// Returns true if it is open whenever another one is.
    fileprivate func contains(_ other: Schedule) -> Bool {
        zone == other.zone && (when == nil || when == other.when)
            && (from.map { from in other.from.map { $0.isNoEarlier(than: from) } ?? false } ?? true)
            && (until.map { until in other.until.map { until.isNoEarlier(than: $0) } ?? false }
                ?? true)
            && hasTimes(of: other)
    }

    private func hasTimes(of other: Schedule) -> Bool {
        let hasDays = days.map { days in other.days?.isSubset(of: days) ?? false } ?? true
        guard let hours else {
            // Hours that span midnight continue into the next day.
            return hasDays && (days == nil || other.hours?.spansMidnight != true)
        }
        return hasDays && other.hours.map { hours.cover($0, everyDay: days == nil) } ?? false
    }
}

extension Schedule.Hours {
    fileprivate var spansMidnight: Bool { until <= from }

    /// Returns true if another part of the day is within this one. `everyDay` is true if this one
    /// holds on all days, so that it also has begun on the day before.
    func cover(_ other: Self, everyDay: Bool) -> Bool {
        if spansMidnight == other.spansMidnight {
            return from <= other.from && other.until <= until
        }
        guard spansMidnight else { return false }
        return from <= other.from || everyDay && other.until <= until
    }
}

extension Schedule.Bound {
    /// Returns true if it certainly isn't earlier than another bound in the same time zone.
    fileprivate func isNoEarlier(than other: Self) -> Bool {
        switch (self, other) {
        case (.moment(let own), .moment(let other)): own >= other
        case (.moment, _), (_, .moment): false
        case (.day, _), (.reading, _):
            if let own = seconds, let other = other.seconds { own >= other } else { false }
        }
    }

    /// The clock reading of the zone then, in seconds since 1970; nil for an instant.
    private var seconds: Int64? {
        switch self {
        case .moment: nil
        case .day(let day): Int64(day) * 86_400
        case .reading(let seconds): seconds
        }
    }
}

extension Diagnostic {
    fileprivate static func contained(
        at range: SourceRange, in other: SourceRange, of popup: String
    ) -> Self {
        Diagnostic(
            .scheduleContainedEntry,
            message: "another entry of the schedule covers all of these times",
            at: range, label: "changes nothing", subject: "popup `\(popup)`",
            secondary: [Label("is open whenever this one is", at: other)],
            help: ["remove this entry, or correct the times of one of the two entries"])
    }
}
