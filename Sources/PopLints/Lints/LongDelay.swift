internal import PopRuleFiles
internal import PopScheduler
public import PopSource

/// A `delay` so long that the app is likely to end before it is over, so that the waiting popup is
/// lost.
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

    /// With a shorter delay users wait, or come back, while the app is still running.
    private static let longest = Duration.seconds(600)

    public static func findings(in subject: LintSubject) -> [Diagnostic] {
        subject.model.popups.entries.compactMap { popup in
            guard let delay = popup.timing.delay, delay.value.upperBound > longest,
                popup.isEnabled?.value != false
            else { return nil }
            let length = timeText(delay.value.upperBound)
            return .longDelay(
                delay, length: length, asked: popup.question(after: length),
                of: popup.name.value)
        }
    }
}

extension PopupModel {
    /// Returns the condition of a popup in a later session that replaces the delay; nil if that is
    /// not certain.
    fileprivate func question(after length: String) -> String? {
        let triggers = trigger?.value.map(\.value) ?? []
        guard triggers.count == 1, when == nil, !length.contains(" ") else { return nil }
        switch triggers[0] {
        case .event(let event)
        where event.where == nil && event.nth == nil && event.every == nil:
            let name = "\"\(event.event.value)\""
            return "`when: event_count(\(name)) > 0 && since(\(name)) >= duration(\"\(length)\")`"
        case .acted(let popup, let action):
            let (popup, action) = (popup.value, action.value)
            return "`after: [{ popup: \(popup), action: \(action), since: \(length) }]`"
        case .event, .changed, .occasion, .word, .unread: return nil
        }
    }
}

extension Diagnostic {
    fileprivate static func longDelay(
        _ delay: Located<ClosedRange<Duration>>, length: String, asked: String?, of popup: String
    ) -> Self {
        Diagnostic(
            .scheduleLongDelay,
            message:
                "the waiting popup is lost if the app ends before its `delay` of \(length) is over",
            at: delay.range, label: "counted while the app is in the foreground",
            subject: "popup `\(popup)`",
            help: [
                "to show it in a later session, use the trigger `session` and check how long ago"
                    + " something happened" + (asked.map { ", such as \($0)" } ?? "")
            ])
    }
}
