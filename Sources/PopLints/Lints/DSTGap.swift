internal import PopCEL
internal import PopRuleFiles
internal import PopScheduler
public import PopSource

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
            at: range, label: "shortened on \(gap.date)", subject: "popup `\(popup)`",
            notes: ["on \(gap.date), the clocks go forward from \(gap.text)"],
            help: ["choose hours that start and end outside that time"])
    }
}
