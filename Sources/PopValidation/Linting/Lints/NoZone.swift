internal import PopCEL
internal import PopRuleFiles
internal import PopScheduler
public import PopSource

/// `hours` or `days` without a time zone, a shared cap by the calendar, or the days of a rollout's
/// steps: they follow UTC, not the clocks of the users.
///
/// Bad:
///
/// ```yaml
/// popups: { welcome: { schedule: { hours: 09:00-21:00 } } }
/// ```
///
/// ```yaml
/// limits: [{ max: 3, per: calendar_day }]
/// popups: { welcome: {} }
/// ```
///
/// ```yaml
/// context: { user.id: { type: string, default: "" } }
/// popups: { welcome: { rollout: { by: user.id, steps: { 2027-05-03: 5, 2027-05-10: 100 } } } }
/// ```
///
/// ```yaml
/// popups: { quiz: { trigger: session, cap: { windows: [{ max: 1, per: calendar_day }] } } }
/// ```
///
/// Good:
///
/// ```yaml
/// popups: { welcome: { schedule: { hours: 09:00-21:00, zone: Europe/Berlin } } }
/// ```
///
/// ```yaml
/// popups: { welcome: { schedule: { days: [mon-sun], hours: 00:00-24:00 } } }
/// ```
///
/// ```yaml
/// context: { user.id: { type: string, default: "" } }
/// popups:
///   welcome: { rollout: { by: user.id, steps: { 2027-05-03: 5 }, zone: Europe/Berlin } }
///   tip: { rollout: { by: user.id, steps: { 2027-05-03T09:00:00Z: 5 } } }
/// ```
///
/// ```yaml
/// limits: [{ max: 3, per: calendar_day, zone: local }, { max: 5, per: 7d }]
/// popups: { welcome: {} }
/// ```
public enum NoZone: Lint {
    public static let check = Check.timeNoZone

    public static func findings(in subject: LintSubject) -> [Diagnostic] {
        sharedCaps(of: subject.model) + rollouts(of: subject.model) + ownCaps(of: subject.model)
            + subject.model.popups.entries.flatMap { popup in
                (popup.timing.schedule?.value ?? []).compactMap { entry -> Diagnostic? in
                    let schedule = entry.value
                    if schedule.zone != nil { return nil }
                    if let hours = schedule.hours, !hours.value.areWholeDay {
                        return .withoutZone("hours", at: hours.range, of: popup.name.value)
                    }
                    guard let days = schedule.days, !areWholeWeek(days.value) else { return nil }
                    return .withoutZone("days", at: days.range, of: popup.name.value)
                }
            }
    }
}

extension Schedule.Bound {
    /// True if it is the beginning of a day, which depends on the zone.
    fileprivate var isDay: Bool {
        switch self {
        case .day: true
        case .moment, .reading: false
        }
    }
}

extension Schedule.Hours {
    /// True if they are the same in all zones.
    fileprivate var areWholeDay: Bool { from == 0 && until == 24 * 60 }
}

/// Returns true if days are the same in all zones.
private func areWholeWeek(_ days: [Located<Set<Schedule.Weekday>>]) -> Bool {
    days.reduce(into: []) { $0.formUnion($1.value) } == Set(Schedule.Weekday.allCases)
}

extension NoZone {
    /// The steps of a rollout that begin with a day; those of `defaults` once for all popups.
    private static func rollouts(of model: RuleModel) -> [Diagnostic] {
        var seen: Set<SourceRange> = []
        return model.popups.entries.compactMap { popup in
            guard let rollout = popup.limits.rollout?.value, rollout.zone == nil,
                let step = rollout.steps?.value.first(where: { $0.begins.value.isDay }),
                seen.insert(step.begins.range).inserted
            else { return nil }
            return .withoutZone(
                "steps", at: step.begins.range, of: popup.name.value,
                help: "add a zone such as `zone: Europe/Berlin`, or `zone: UTC`")
        }
    }

    /// Returns findings about the calendar caps of popups without a zone in their schedule; those
    /// of `defaults` once for all popups.
    private static func ownCaps(of model: RuleModel) -> [Diagnostic] {
        var seen: Set<SourceRange> = []
        return model.popups.entries.flatMap { popup -> [Diagnostic] in
            let schedule = popup.timing.schedule?.value ?? []
            if schedule.contains(where: { $0.value.zone != nil }) { return [] }
            return (popup.limits.cap?.value.windows?.value ?? []).compactMap { cap in
                guard cap.value.zone == nil, let per = cap.value.per,
                    case .calendar(let unit) = per.value, seen.insert(per.range).inserted
                else { return nil }
                return .withoutZone(unit, at: per.range)
            }
        }
    }

    /// Returns findings about the calendar caps that popups share: no schedule sets their zone.
    private static func sharedCaps(of model: RuleModel) -> [Diagnostic] {
        let caps =
            model.groups.entries.flatMap { ($0.caps?.value ?? []).map(\.value) }
            + model.schedulers.entries.compactMap { $0.cap?.value }
            + model.limits.map(\.value.window)
        return caps.compactMap { cap in
            guard cap.zone == nil, let per = cap.per, case .calendar(let unit) = per.value else {
                return nil
            }
            return .withoutZone(unit, at: per.range)
        }
    }
}

extension Diagnostic {
    fileprivate static func withoutZone(_ unit: CalendarUnit, at range: SourceRange) -> Self {
        Diagnostic(
            .timeNoZone, message: "`\(unit.rawValue)` has no time zone", at: range,
            label: "each \(unit.noun) starts at 00:00 UTC",
            help: [
                "add the time zone, such as `zone: local` for the time zone of the device,"
                    + " or `zone: UTC`"
            ])
    }

    /// The steps of a rollout begin for all users at the same moment, so that they can't use the
    /// zone of each device.
    fileprivate static func withoutZone(
        _ key: String, at range: SourceRange, of popup: String,
        help: String = "add `zone: local` for the time zone of each device, a zone such as"
            + " `zone: Europe/Berlin`, or `zone: UTC`"
    ) -> Self {
        Diagnostic(
            .timeNoZone, message: "`\(key)` have no time zone", at: range,
            label: "uses UTC because there is no `zone`", subject: "popup `\(popup)`",
            help: [help])
    }
}

/// A time zone in letters such as `CET`, which leave open whether its clocks change and mean
/// different zones on different systems.
///
/// Bad:
/// ```yaml
/// popups: { welcome: { schedule: { hours: 09:00-21:00, zone: CET } } }
/// ```
/// Good:
/// ```yaml
/// popups: { welcome: { schedule: { hours: 09:00-21:00, zone: Europe/Berlin } } }
/// ```
public enum ZoneLetters: Lint {
    public static let check = Check.timeZoneLetters

    public static func findings(in subject: LintSubject) -> [Diagnostic] {
        subject.model.popups.entries.flatMap { popup in
            (popup.timing.schedule?.value ?? []).compactMap { entry -> Diagnostic? in
                guard let zone = entry.value.zone, case .named(let name) = zone.value else {
                    return nil
                }
                let readings = readingsOfLetters(name)
                if readings.isEmpty { return nil }
                return .letters(
                    Located(name, at: zone.range), readings: readings, of: popup.name.value)
            }
        }
    }
}

extension Diagnostic {
    fileprivate static func letters(
        _ zone: Located<String>, readings: [Reading], of popup: String
    ) -> Self {
        let isOffset = zone.value.hasPrefix("Etc/")
        return Diagnostic(
            .timeZoneLetters,
            message: isOffset
                ? "the zone `\(zone.value)` is easily misread"
                : "the zone `\(zone.value)` has several meanings",
            at: zone.range,
            label: isOffset
                ? "in this name, `+` means behind UTC and `-` means ahead of UTC"
                : "an abbreviation, not the name of a place",
            subject: "popup `\(popup)`",
            help: readings.help,
            fixes: readings.fixes(at: zone.range).map { fix in
                Fix(fix.title, edits: fix.edits, isSafe: false)
            })
    }
}

/// `hours` that begin or end at a time which the clocks skip when they are put forward.
///
/// Bad:
/// ```yaml
/// popups: { welcome: { schedule: { hours: 02:00-02:30, zone: Europe/Berlin } } }
/// ```
/// Good:
/// ```yaml
/// popups: { welcome: { schedule: { hours: 01:00-03:00, zone: Europe/Berlin } } }
/// ```
public enum DSTGap: Lint {
    public static let check = Check.timeDSTGap

    public static func findings(in subject: LintSubject) -> [Diagnostic] {
        guard let now = subject.now else { return [] }
        var gaps: [String: SkippedTime?] = [:]
        return subject.model.popups.entries.flatMap { popup in
            (popup.timing.schedule?.value ?? []).compactMap { entry -> Diagnostic? in
                guard let hours = entry.value.hours,
                    case .named(let zone)? = entry.value.zone?.value
                else { return nil }
                let gap = gaps[zone] ?? SkippedTime.next(in: zone, after: now)
                gaps[zone] = .some(gap)
                guard let gap, gap.cuts(hours.value) else { return nil }
                return .skipped(gap, zone: zone, at: hours.range, of: popup.name.value)
            }
        }
    }
}

/// The time that the clocks of a zone skip when they are put forward the next time.
private struct SkippedTime {
    private static let day: Int64 = 86_400
    /// The number of days to look ahead: a year, and a month more.
    private static let days: Int64 = 396

    /// Such as `2027-03-28`.
    let date: String
    /// In minutes since midnight.
    let minutes: Range<Int>

    static func next(in zone: String, after now: Timestamp) -> SkippedTime? {
        let zones = TimeZones.system
        func offset(_ seconds: Int64) -> Int { zones.secondsFromUTC(zone: zone, at: seconds) ?? 0 }
        for day in 0..<days {
            var low = now.seconds + day * Self.day
            var high = low + Self.day
            let (before, after) = (offset(low), offset(high))
            if before >= after { continue }
            while high - low > 1 {
                let middle = (low + high) / 2
                if offset(middle) == before { low = middle } else { high = middle }
            }
            let local = high + Int64(before)
            let start = Int(local % Self.day) / 60
            return SkippedTime(
                date: String(Timestamp(seconds: local).description.prefix(10)),
                minutes: start..<start + (after - before) / 60)
        }
        return nil
    }

    func cuts(_ hours: Schedule.Hours) -> Bool {
        minutes.contains(hours.from) || minutes.dropFirst().contains(hours.until)
    }

    /// Such as `02:00 to 03:00`.
    var text: String { "\(clock(minutes.lowerBound)) to \(clock(minutes.upperBound))" }

    private func clock(_ minute: Int) -> String {
        let parts = [minute / 60, minute % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
        return parts.joined(separator: ":")
    }
}

extension Diagnostic {
    fileprivate static func skipped(
        _ gap: SkippedTime, zone: String, at range: SourceRange, of popup: String
    ) -> Self {
        Diagnostic(
            .timeDSTGap, message: "`hours` start or end at a time that the clocks of \(zone) skip",
            at: range, label: "these hours are shorter on \(gap.date)", subject: "popup `\(popup)`",
            notes: ["on \(gap.date), the clocks go forward from \(gap.text)"],
            help: ["choose hours that start and end outside the skipped time"])
    }
}
