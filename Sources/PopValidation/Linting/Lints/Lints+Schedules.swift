internal import PopCEL
internal import PopExplanations
internal import PopRuleFiles
internal import PopScheduler
public import PopSource

extension Lints {
    /// Lints about schedules, quiet hours and time zones.
    static let schedules: [any Lint.Type] = [
        Expired.self, NoEnd.self, NoSchedule.self, ContainedEntry.self, SeparateEntries.self,
        AlwaysQuiet.self,
        QuietByDay.self, NoZone.self, ZoneLetters.self, DSTGap.self,
    ]
}

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
            guard popup.timing.isOver(at: now),
                let range = model.timing.schedule?.value.last?.value.until?.range
            else { return nil }
            return .over(range, of: model.name.value)
        }
    }
}

extension PopupRule.Timing {
    /// Returns true if the schedule is over permanently, in any zone.
    func isOver(at now: Timestamp) -> Bool {
        !schedule.isEmpty
            && schedule.allSatisfy { entry in
                // The clocks of the latest zone.
                let calendar = LocalCalendar(zone: "-12:00", zones: .system) ?? .utc
                return entry.until.map { calendar.end($0) <= now } ?? false
            }
    }
}

extension PopupRule.Timing {
    /// The first moment at which the schedule can be open in any zone; nil if it has always been
    /// open.
    var earliestStart: Timestamp? {
        // The clocks of the earliest zone.
        let calendar = LocalCalendar(zone: "+14:00", zones: .system) ?? .utc
        let starts = schedule.map { entry in entry.from.map { calendar.end($0) } }
        return starts.contains(nil) ? nil : starts.compactMap(\.self).min()
    }
}

extension Diagnostic {
    fileprivate static func over(_ range: SourceRange, of popup: String) -> Self {
        Diagnostic(
            .timeExpired, message: "the schedule is over, so the popup never shows again",
            at: range,
            label: "in the past", subject: "popup `\(popup)`",
            help: ["remove the popup, or set a later `until`"])
    }
}

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
            help: ["add `until` with the date or time at which the popup ends"])
    }
}

/// A popup without a schedule whose `dismiss_when` asks whether the schedule is not open any more.
///
/// Bad:
/// ```yaml
/// popups: { sale: { dismiss_when: "!schedule.open" } }
/// ```
/// Good:
/// ```yaml
/// popups: { sale: { schedule: { until: 2027-02-01T00:00:00Z }, dismiss_when: "!schedule.open" } }
/// ```
/// ```yaml
/// defaults: { dismiss_when: "!schedule.open" }
/// popups: { sale: {} }
/// ```
public enum NoSchedule: Lint {
    public static let check = Check.scheduleNoSchedule

    public static func findings(in subject: LintSubject) -> [Diagnostic] {
        zip(subject.model.popups.entries, subject.rules.popups).compactMap { model, popup in
            // A value of `defaults` is meant for other popups too.
            guard popup.timing.schedule.isEmpty, model.writes("dismiss_when"),
                let dismissal = popup.dismissWhen?.program, let place = model.dismissWhen?.range,
                dismissal.slots.contains(where: { subject.rules.slots[$0] == .scheduleOpen }),
                dismissal.expression.description.contains("!schedule.open")
            else { return nil }
            return .noSchedule(at: place, of: model.name.value)
        }
    }
}

extension Diagnostic {
    fileprivate static func noSchedule(at range: SourceRange, of popup: String) -> Self {
        Diagnostic(
            .scheduleNoSchedule,
            message: "`!schedule.open` is never true for a popup without a `schedule`", at: range,
            label: "the popup has no schedule that could close", subject: "popup `\(popup)`",
            help: ["add a `schedule` to the popup, or remove `!schedule.open`"])
    }
}

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
            message: "an entry of the schedule changes nothing, because another entry covers all"
                + " of its times",
            at: range, label: "this entry changes nothing", subject: "popup `\(popup)`",
            secondary: [Label("covers all times of the other entry", at: other)],
            help: ["remove this entry, or correct the times of one of the two entries"])
    }
}

/// A popup that may only show in quiet hours, in which it is not shown, or quiet hours that are the
/// whole day.
///
/// Bad:
/// ```yaml
/// quiet: { hours: 22:00-08:00, zone: Europe/Berlin }
/// popups: { late: { schedule: { hours: 23:00-01:00, zone: Europe/Berlin } } }
/// ```
/// ```yaml
/// quiet: { hours: 00:00-24:00, zone: Europe/Berlin }
/// popups: { late: {} }
/// ```
/// Good:
/// ```yaml
/// quiet: { hours: 22:00-08:00, zone: Europe/Berlin }
/// popups: { late: { schedule: { hours: 21:00-01:00, zone: Europe/Berlin } } }
/// ```
/// ```yaml
/// quiet: { hours: 22:00-08:00, zone: Europe/Berlin }
/// popups: { late: { schedule: { hours: 23:00-01:00, zone: UTC } } }
/// ```
/// ```yaml
/// quiet: { hours: 22:00-08:00, zone: Europe/Berlin }
/// popups: { late: { essential: true, schedule: { hours: 23:00-01:00, zone: Europe/Berlin } } }
/// ```
public enum AlwaysQuiet: Lint {
    public static let check = Check.scheduleAlwaysQuiet

    public static func findings(in subject: LintSubject) -> [Diagnostic] {
        guard let quiet = subject.rules.quiet, let place = subject.model.quiet?.value.hours?.range
        else { return [] }
        if quiet.hours.from == 0, quiet.hours.until == 1440 {
            let isQuiet = subject.rules.popups.contains { quiet.isAbout($0) }
            return isQuiet ? [.wholeDay(at: place)] : []
        }
        return zip(subject.model.popups.entries, subject.rules.popups).compactMap { model, popup in
            let schedule = popup.timing.schedule
            guard !schedule.isEmpty, quiet.isAbout(popup),
                schedule.allSatisfy({ quiet.covers($0) }),
                let hours = model.timing.schedule?.value.first?.value.hours?.range
            else { return nil }
            return .quiet(at: hours, quiet: place, of: model.name.value)
        }
    }
}

extension QuietRule {
    fileprivate func isAbout(_ popup: PopupRule) -> Bool {
        !popup.isEssential && popups.includes(popup.scheduler, tags: popup.texts.tags)
    }

    fileprivate func covers(_ schedule: Schedule) -> Bool {
        schedule.zone == zone && schedule.hours.map { hours.cover($0, everyDay: true) } ?? false
    }
}

extension Diagnostic {
    fileprivate static func wholeDay(at range: SourceRange) -> Self {
        Diagnostic(
            .scheduleAlwaysQuiet,
            message:
                "popups that `quiet` applies to never show, because quiet hours last all day",
            at: range, label: "these hours are the whole day", subject: "`quiet`",
            help: [
                "write only the hours in which no popup may show, such as `22:00-08:00`",
                "to switch off a popup temporarily, write `enabled: false`",
            ])
    }

    fileprivate static func quiet(
        at range: SourceRange, quiet: SourceRange, of popup: String
    ) -> Self {
        Diagnostic(
            .scheduleAlwaysQuiet,
            message: "the popup never shows, because its schedule is open only in quiet hours",
            at: range, label: "all of these times are in quiet hours", subject: "popup `\(popup)`",
            secondary: [Label("the quiet hours", at: quiet)],
            help: [
                "change the `hours` of the schedule, or restrict `quiet` to some `schedulers` or `tags`",
                "if the popup must show at any time, set `essential: true`",
            ])
    }
}

/// Quiet hours that are the day: the author perhaps wrote the hours in which popups may show.
///
/// Bad:
/// ```yaml
/// quiet: { hours: 08:00-21:00, zone: Europe/Berlin }
/// popups: { tip: {} }
/// ```
/// Good:
/// ```yaml
/// quiet: { hours: 21:00-08:00, zone: Europe/Berlin }
/// popups: { tip: {} }
/// ```
/// ```yaml
/// quiet: { hours: 12:00-14:00, zone: Europe/Berlin }
/// popups: { tip: {} }
/// ```
public enum QuietByDay: Lint {
    public static let check = Check.scheduleQuietByDay

    public static func findings(in subject: LintSubject) -> [Diagnostic] {
        guard let hours = subject.rules.quiet?.hours,
            let place = subject.model.quiet?.value.hours?.range,
            hours.cover(afternoon, everyDay: true)
        else { return [] }
        let day = 2 * halfDay
        let length = (hours.until - hours.from + day) % day
        guard length > halfDay else { return [] }
        let others = Schedule.Hours(
            from: hours.until % day, until: hours.from == 0 ? day : hours.from)
        return [.quietByDay(hours, others: others, at: place)]
    }

    /// In minutes.
    private static let halfDay = 12 * 60
    private static let afternoon = Schedule.Hours(from: halfDay, until: 18 * 60)
}

extension Diagnostic {
    fileprivate static func quietByDay(
        _ hours: Schedule.Hours, others: Schedule.Hours, at range: SourceRange
    ) -> Self {
        Diagnostic(
            .scheduleQuietByDay,
            message: "the `quiet` hours `\(hours.words)` cover most of the day",
            at: range,
            label: "more than half of the day", subject: "`quiet`",
            notes: ["`hours` of `quiet` are the hours in which no popup shows"],
            help: [
                "if popups should show only in the hours `\(hours.words)`, write the other hours:"
                    + " `\(others.words)`"
            ],
            fixes: [
                Fix(
                    "write `\(others.words)`",
                    edits: [Edit(range, replacement: others.words)], isSafe: false)
            ])
    }
}
