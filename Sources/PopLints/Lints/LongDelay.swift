internal import PopRuleFiles
internal import PopScheduler
public import PopSource

/// A `delay` so long that the app is likely to end before it is over, with which what waits is lost.
///
/// Bad:
/// ```yaml
/// events: { cart.changed: {} }
/// popups: { reminder: { trigger: { event: cart.changed }, delay: 2d } }
/// ```
/// Good:
/// ```yaml
/// events: { cart.changed: {} }
/// popups:
///   reminder:
///     trigger: session
///     when: event_count("cart.changed") > 0 && since("cart.changed") >= duration("2d")
/// ```
public enum LongDelay: Lint {
    public static let check = Check.scheduleLongDelay

    /// With less people wait, or come back, while the app is still there.
    private static let longest = Duration.seconds(600)

    public static func findings(in subject: LintSubject) -> [Diagnostic] {
        subject.model.popups.entries.compactMap { popup in
            guard let delay = popup.timing.delay, delay.value.upperBound > longest else {
                return nil
            }
            return .longDelay(delay, events: popup.events, of: popup.name.value)
        }
    }
}

extension PopupModel {
    /// The events that its triggers name.
    fileprivate var events: [String] {
        (trigger?.value ?? []).compactMap { trigger in
            if case .event(let event) = trigger.value { event.event.value } else { nil }
        }
    }
}

extension Diagnostic {
    fileprivate static func longDelay(
        _ delay: Located<ClosedRange<Duration>>, events: [String], of popup: String
    ) -> Self {
        let length = timeText(delay.value.upperBound)
        let asked = events.first.map { event in
            "event_count(\"\(event)\") > 0 && since(\"\(event)\") >= duration(\"\(length)\")"
        }
        return Diagnostic(
            .scheduleLongDelay,
            message: "`\(popup)` is lost when the app ends before its `delay` of \(length) is over",
            at: delay.range, label: "counted while the app is in the foreground",
            subject: "popup `\(popup)`",
            help: [
                "what comes up in a later session is triggered by that, and asks how long ago"
                    + " something was, such as `trigger: session` and `when: "
                    + (asked ?? "now - first_seen >= duration(\"\(length)\")") + "`"
            ])
    }
}
