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

extension Diagnostic {
    fileprivate static func over(_ range: SourceRange, of popup: String) -> Self {
        Diagnostic(
            .timeExpired, message: "the schedule is over, so the popup never shows again",
            at: range,
            label: "in the past", subject: "popup `\(popup)`",
            help: ["remove the popup, or set a later `until`"])
    }
}
