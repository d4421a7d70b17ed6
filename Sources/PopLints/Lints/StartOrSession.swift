internal import PopRuleFiles
internal import PopScheduler
public import PopSource

/// A cap per session on a popup that is triggered once for all sessions of a process.
///
/// Bad:
///
/// ```yaml
/// session: { timeout: 30m }
/// popups: { tip: { trigger: start, cap: { per_session: 1 } } }
/// ```
///
/// ```yaml
/// session: { timeout: 30m }
/// popups: { tip: { trigger: start, cap: { windows: [{ max: 1, per: session }] } } }
/// ```
///
/// Good:
///
/// ```yaml
/// session: { timeout: 30m }
/// popups: { tip: { trigger: session, cap: { per_session: 1 } } }
/// ```
///
/// ```yaml
/// popups: { tip: { trigger: start, cap: { per_session: 1 } } }
/// ```
public enum StartOrSession: Lint {
    public static let check = Check.scheduleStartOrSession

    public static func findings(in subject: LintSubject) -> [Diagnostic] {
        guard subject.rules.sessionTimeout != nil else { return [] }
        return zip(subject.model.popups.entries, subject.rules.popups).compactMap { model, popup in
            guard popup.caps.lifetime == nil, popup.triggers.count == 1,
                case .occasion(.start) = popup.triggers[0],
                let cap = model.limits.cap?.value.inSession
            else { return nil }
            return .asks(at: cap, trigger: model.trigger?.range, of: model.name.value)
        }
    }
}

extension CapModel {
    /// Where it counts in each session: a key of its own, or a window.
    fileprivate var inSession: SourceRange? {
        if let cap = perSession { return cap.range }
        let windows = windows?.value ?? []
        return windows.lazy.compactMap(\.value.per).first { $0.value == .session }?.range
    }
}

extension Diagnostic {
    fileprivate static func asks(
        at cap: SourceRange, trigger: SourceRange?, of popup: String
    ) -> Self {
        Diagnostic(
            .scheduleStartOrSession,
            message: "is the popup meant for each session, or for each start of the app?",
            at: cap, label: "counts per session", subject: "popup `\(popup)`",
            secondary: trigger.map {
                [Label("fires once for all sessions until the app ends", at: $0)]
            }
                ?? [],
            notes: [
                "`start` fires when the app starts, but not when a session starts in an app that"
                    + " came back from the background"
            ],
            help: ["use the trigger `session` for each session, including the first after a start"])
    }
}
