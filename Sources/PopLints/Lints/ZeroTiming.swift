internal import PopRuleFiles
public import PopSource

/// A time of zero, which means the same as no value.
///
/// Bad:
/// ```yaml
/// popups: { welcome: { grace: 0s } }
/// ```
/// Good:
/// ```yaml
/// popups: { welcome: { grace: 300ms } }
/// ```
public enum ZeroTiming: Lint {
    public static let check = Check.scheduleZeroTiming

    public static func findings(in subject: LintSubject) -> [Diagnostic] {
        let gaps: [Diagnostic] = subject.model.schedulers.entries.compactMap { scheduler in
            guard let gap = scheduler.gap, gap.value.upperBound == .zero else { return nil }
            return .zero("gap", at: gap.range, subject: "scheduler `\(scheduler.name.value)`")
        }
        return gaps
            + subject.model.popups.entries.flatMap { popup in
                zeroTimes(popup.timing).map { key, range in
                    .zero(key, at: range, subject: "popup `\(popup.name.value)`")
                }
            }
    }

    private static func zeroTimes(
        _ timing: PopupModel.Timing
    ) -> [(key: String, range: SourceRange)] {
        let delay = timing.delay.map { Located($0.value.upperBound, at: $0.range) }
        return [("delay", delay), ("grace", timing.grace), ("min_show", timing.minShow)]
            .compactMap { key, time in
                guard let time, time.value == .zero else { return nil }
                return (key, time.range)
            }
    }
}

extension Diagnostic {
    fileprivate static func zero(_ key: String, at range: SourceRange, subject: String) -> Self {
        Diagnostic(
            .scheduleZeroTiming, message: "a `\(key)` of zero has no effect", at: range,
            label: "zero has no effect", subject: subject, help: ["remove `\(key)`"])
    }
}
