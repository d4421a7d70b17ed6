internal import PopRuleFiles
internal import PopScheduler
public import PopSource

extension Lints {
    /// Lints about delays, display times and caps.
    static let timing: [any Lint.Type] = [
        ZeroTiming.self, LongDelay.self, MaxWaitTooShort.self, MinShowOverHideAfter.self,
        StartOrSession.self, OnceADayAtStart.self, UncountedActions.self,
        CapUnreachable.self,
    ]
}

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

/// A `delay` so long that the app is likely to end before it is over, so that the waiting popup is
/// lost.
///
/// Bad:
/// ```yaml
/// events: { cart.changed: {} }
/// popups: { reminder: { trigger: { event: cart.changed }, delay: 2d } }
/// ```
/// ```yaml
/// popups:
///   welcome: {}
///   tour: { trigger: { popup: welcome, action: close }, after: [{ popup: welcome, since: 3d }] }
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
            if let pause = popup.longPauseAfterTrigger(than: longest) {
                return .longPause(
                    pause, length: timeText(pause.value), trigger: popup.trigger?.range,
                    of: popup.name.value)
            }
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
    /// Returns the time in `after` that has to pass since the impression or action that is also the
    /// only trigger, if it is longer than a limit.
    fileprivate func longPauseAfterTrigger(than longest: Duration) -> Located<Duration>? {
        guard isEnabled?.value != false, let triggers = trigger?.value, triggers.count == 1,
            case .acted(let popup, _) = triggers[0].value
        else { return nil }
        return (place.after?.value ?? []).lazy.compactMap { other in
            other.popup.value == popup.value ? other.since : nil
        }.first { $0.value > longest }
    }

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
    fileprivate static func longPause(
        _ pause: Located<Duration>, length: String, trigger: SourceRange?, of popup: String
    ) -> Self {
        Diagnostic(
            .scheduleLongDelay,
            message: "the waiting popup is lost if the app ends before the \(length) in `after` are"
                + " over",
            at: pause.range, label: "the popup waits for this long after its trigger",
            subject: "popup `\(popup)`",
            secondary: trigger.map { [Label("triggers the popup only at that moment", at: $0)] }
                ?? [],
            help: [
                "to show the popup in a later session, use `trigger: session` instead; `after`"
                    + " remains the condition"
            ])
    }

    fileprivate static func longDelay(
        _ delay: Located<ClosedRange<Duration>>, length: String, asked: String?, of popup: String
    ) -> Self {
        Diagnostic(
            .scheduleLongDelay,
            message:
                "the waiting popup is lost if the app ends before its `delay` of \(length) is over",
            at: delay.range, label: "counts only while the app is in the foreground",
            subject: "popup `\(popup)`",
            help: [
                "to show the popup in a later session, use the trigger `session` and check how long ago"
                    + " something happened" + (asked.map { ", for example with \($0)" } ?? "")
            ])
    }
}

/// `min_show` longer than `hide_after`: the popup stays for `min_show`.
///
/// Bad:
/// ```yaml
/// popups: { welcome: { min_show: 5s, hide_after: 3s } }
/// ```
/// Good:
/// ```yaml
/// popups: { welcome: { min_show: 3s, hide_after: 5s } }
/// ```
public enum MinShowOverHideAfter: Lint {
    public static let check = Check.scheduleMinShowOverHideAfter

    public static func findings(in subject: LintSubject) -> [Diagnostic] {
        subject.model.popups.entries.compactMap { popup in
            guard let least = popup.timing.minShow, let most = popup.timing.hideAfter,
                least.value > most.value
            else { return nil }
            return .neverKept(least.range, most: most.range, of: popup.name.value)
        }
    }
}

extension Diagnostic {
    fileprivate static func neverKept(
        _ least: SourceRange, most: SourceRange, of popup: String
    ) -> Self {
        Diagnostic(
            .scheduleMinShowOverHideAfter, message: "`min_show` is longer than `hide_after`",
            at: least,
            label: "shown for at least this long", subject: "popup `\(popup)`",
            secondary: [Label("shown for at most this long", at: most)],
            notes: ["`min_show` takes precedence, so the popup hides later than `hide_after`"],
            help: ["decrease `min_show`, or increase `hide_after`"])
    }
}

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
/// ```yaml
/// popups: { pause: { trigger: start, cap: { per_session: 3, every: 1h } } }
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
        zip(subject.model.popups.entries, subject.rules.popups).compactMap { model, popup in
            if popup.triggers.count == 1, case .occasion(.start) = popup.triggers[0],
                popup.caps.lifetime == nil, let cap = model.limits.cap?.value.perSession,
                cap.value > 1
            {
                return .neverSoOften(cap, trigger: model.trigger?.range, of: model.name.value)
            }
            guard subject.rules.sessionTimeout != nil else { return nil }
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
    fileprivate static func neverSoOften(
        _ cap: Located<Int>, trigger: SourceRange?, of popup: String
    ) -> Self {
        Diagnostic(
            .scheduleStartOrSession,
            message: "`start` triggers the popup once per app start, not \(cap.value) times in a"
                + " session",
            at: cap.range, label: "the trigger does not reach this number",
            subject: "popup `\(popup)`",
            secondary: trigger.map { [Label("fires once, when the app starts", at: $0)] } ?? [],
            notes: ["a popup shows again only if a trigger fires again, not because time passes"],
            help: [
                "add a trigger that fires several times in a session, such as an event of the app,"
                    + " or use `per_session: 1`"
            ])
    }

    fileprivate static func asks(
        at cap: SourceRange, trigger: SourceRange?, of popup: String
    ) -> Self {
        Diagnostic(
            .scheduleStartOrSession,
            message: "`start` triggers the popup once for several sessions, but the popup's cap"
                + " counts per session",
            at: cap, label: "counts per session", subject: "popup `\(popup)`",
            secondary: trigger.map {
                [Label("fires once for all sessions until the app ends", at: $0)]
            }
                ?? [],
            notes: [
                "`start` fires when the app starts, but not when a session starts in an app that"
                    + " came back from the background"
            ],
            help: [
                "if the popup should show in each session, use `trigger: session`, which also fires"
                    + " in the first session after a start",
                "if the popup should show only after a start of the app, keep the rule, and add a"
                    + " comment such as `# poprules:ignore[P0520] once per start`",
            ])
    }
}

/// A cap for each day on a popup that only the start of the app triggers: in an app that stays open
/// nothing brings it back on the next day.
///
/// Bad:
/// ```yaml
/// popups:
///   tip: { trigger: start, cap: { windows: [{ max: 1, per: calendar_day, zone: local }] } }
/// ```
/// Good:
/// ```yaml
/// events: { home.opened: {} }
/// popups:
///   tip:
///     trigger: [start, { event: home.opened }]
///     cap: { windows: [{ max: 1, per: calendar_day, zone: local }] }
/// ```
public enum OnceADayAtStart: Lint {
    public static let check = Check.scheduleOnceADayAtStart

    public static func findings(in subject: LintSubject) -> [Diagnostic] {
        zip(subject.model.popups.entries, subject.rules.popups).compactMap { model, popup in
            guard popup.isEnabled, popup.caps.lifetime == nil, popup.triggers.count == 1,
                case .occasion(.start) = popup.triggers[0],
                popup.timing.schedule.allSatisfy(\.isOfEveryDay),
                let day = (model.limits.cap?.value.windows?.value ?? []).lazy
                    .compactMap(\.value.per).first(where: { $0.value == .calendar(.day) })
            else { return nil }
            return .onceADay(day.range, trigger: model.trigger?.range, of: model.name.value)
        }
    }
}

extension Schedule {
    /// True if it has neither dates nor days of the week.
    fileprivate var isOfEveryDay: Bool { from == nil && until == nil && days == nil }
}

extension Diagnostic {
    fileprivate static func onceADay(
        _ day: SourceRange, trigger: SourceRange?, of popup: String
    ) -> Self {
        Diagnostic(
            .scheduleOnceADayAtStart,
            message: "`\(popup)` may show again each calendar day, but is triggered only when the"
                + " app starts",
            at: day, label: "a new day does not trigger the popup", subject: "popup `\(popup)`",
            secondary: trigger.map { [Label("fires once, when the app starts", at: $0)] } ?? [],
            help: [
                "to show the popup again on a new day without an app start, add a trigger such as"
                    + " `{ event: home.opened }`, an event that the app sends each time the user"
                    + " opens a screen; the cap still applies"
            ])
    }
}

/// A pause after closing that an action such as `later` does not start, because no action of the
/// template is a refusal.
///
/// Bad:
///
/// ```yaml
/// templates: { rating: { actions: [rate, later] } }
/// popups: { rate: { template: rating, trigger: session, cap: { after_close: 60d } } }
/// ```
///
/// Good:
///
/// ```yaml
/// templates: { rating: { actions: [rate, { later: { refusal: true } }] } }
/// popups: { rate: { template: rating, trigger: session, cap: { after_close: 60d } } }
/// ```
///
/// ```yaml
/// templates: { rating: { actions: [rate, later] } }
/// popups:
///   rate:
///     template: rating
///     trigger: session
///     cap: { after_close: { close: 60d, later: 60d } }
/// ```
public enum UncountedActions: Lint {
    public static let check = Check.scheduleUncountedActions

    /// Common names of actions for no, or not now.
    private static let namesOfRefusals: Set<String> = [
        "cancel", "close", "decline", "deny", "dismiss", "later", "maybe_later", "never", "no",
        "no_thanks", "not_now", "refuse", "reject", "remind", "remind_later", "skip", "snooze",
    ]

    public static func findings(in subject: LintSubject) -> [Diagnostic] {
        zip(subject.model.popups.entries, subject.rules.popups).compactMap { model, popup in
            // A popup that shows once needs no time until it shows again.
            guard popup.isEnabled, popup.caps.lifetime != 1,
                let time = model.limits.cap?.value.afterClose?.value.all
            else { return nil }
            // An action refuses if the template of the popup or of any of its variants marks it.
            let templates = popup.templates.compactMap { subject.model.templates[$0] }
            let actions = templates.flatMap { $0.actions?.value ?? [] }
            guard actions.allSatisfy({ $0.refusal?.value != true }),
                let refusal = actions.first(where: { namesOfRefusals.contains($0.name.value) })
            else { return nil }
            return .uncounted(refusal.name, time: time, of: model.name.value)
        }
    }
}

extension Diagnostic {
    fileprivate static func uncounted(
        _ action: Located<String>, time: Located<Duration>, of popup: String
    ) -> Self {
        let length = timeText(time.value)
        return Diagnostic(
            .scheduleUncountedActions,
            message: "the action `\(action.value)` does not start the time of `after_close`",
            at: time.range, label: "this time starts only when a user closes the popup",
            subject: "popup `\(popup)`",
            secondary: [Label("`\(action.value)` is not marked as a refusal", at: action.range)],
            help: [
                "if `\(action.value)` is a refusal, mark it in the template, such as"
                    + " `\(action.value): { refusal: true }`",
                "to suppress the popup after `\(action.value)` too, set a time for it, such as `after_close: { close: \(length),"
                    + " \(action.value): \(length) }`",
            ])
    }
}
