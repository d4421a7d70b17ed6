internal import PopCEL
internal import PopRuleFiles
internal import PopScheduler
public import PopSource

/// A popup that is dismissed by a condition that must be true for the popup to show.
///
/// Bad:
///
/// ```yaml
/// context: { user.plan: { type: string, default: free } }
/// popups: { promo: { when: user.plan == "free", dismiss_when: user.plan == "free" } }
/// ```
///
/// ```yaml
/// context:
///   user.plan: { type: string, default: free }
///   app.screen: { type: string, default: "" }
/// popups:
///   promo:
///     when: user.plan == "free" && app.screen == "home"
///     dismiss_when: user.plan == "free"
/// ```
///
/// ```yaml
/// popups: { promo: { dismiss_when: true } }
/// ```
///
/// ```yaml
/// popups: { promo: { schedule: { until: 2027-02-01T00:00:00Z }, dismiss_when: schedule.open } }
/// ```
///
/// ```yaml
/// context:
///   user.plan: { type: string, default: free }
///   app.screen: { type: string, default: "" }
/// popups:
///   promo:
///     when: user.plan == "free"
///     dismiss_when: user.plan == "free" || app.screen == "home"
/// ```
///
/// Good:
///
/// ```yaml
/// popups: { promo: { schedule: { until: 2027-02-01T00:00:00Z }, dismiss_when: "!schedule.open" } }
/// ```
///
/// ```yaml
/// context: { user.plan: { type: string, default: free } }
/// popups: { promo: { when: user.plan == "free", dismiss_when: user.plan != "free" } }
/// ```
///
/// ```yaml
/// context:
///   user.plan: { type: string, default: free }
///   app.screen: { type: string, default: "" }
/// popups:
///   promo:
///     when: user.plan == "free" || app.screen == "home"
///     dismiss_when: user.plan == "free"
/// ```
public enum DismissedAtOnce: Lint {
    public static let check = Check.scheduleDismissedAtOnce

    public static func findings(in subject: LintSubject) -> [Diagnostic] {
        zip(subject.model.popups.entries, subject.rules.popups).compactMap { model, popup in
            if let always = model.dismissWhen, always.value.constant == true {
                return .alwaysDismissed(model.name.value, at: always.range)
            }
            if let place = model.dismissWhen?.range, asksForOpenSchedule(popup, in: subject.rules) {
                return .dismissedWhileOpen(
                    model.name.value, hasSchedule: !popup.timing.schedule.isEmpty, at: place)
            }
            guard let when = popup.when?.program.expression.description,
                let dismissal = popup.dismissWhen?.program.expression.description,
                let place = model.dismissWhen?.range, let whenPlace = model.when?.range
            else { return nil }
            if isPart(dismissal, of: when) {
                return .neverShows(
                    model.name.value, opposite: opposite(of: dismissal), at: place, when: whenPlace)
            }
            guard let part = alternatives(in: dismissal).first(where: { isPart($0, of: when) })
            else { return nil }
            return .neverShows(model.name.value, part: part, at: place, when: whenPlace)
        }
    }

    /// Returns true if an open schedule is enough for its `dismiss_when`, since the schedule is
    /// open whenever the popup shows.
    private static func asksForOpenSchedule(_ popup: PopupRule, in rules: RuleSet) -> Bool {
        guard let dismissal = popup.dismissWhen?.program,
            dismissal.slots.contains(where: { rules.slots[$0] == .scheduleOpen })
        else { return false }
        let text = dismissal.expression.description
        return text == "schedule.open" || alternatives(in: text).contains("schedule.open")
    }

    /// Returns true if a condition is the other one, or one of those that it joins by `&&`.
    private static func isPart(_ condition: String, of whole: String) -> Bool {
        if condition == whole { return true }
        return whole.split(separator: " && ").contains { $0 == condition }
            && !whole.contains(#/\|\|| \? |[()\[\]]/#)
    }

    /// The conditions that one joins by `||`.
    private static func alternatives(in condition: String) -> [String] {
        guard condition.contains(" || "), !condition.contains(#/&&| \? |[()\[\]]/#) else {
            return []
        }
        return condition.split(separator: " || ").map(String.init)
    }

    /// A condition that is true when the other is not.
    private static func opposite(of condition: String) -> String {
        let isOne = !condition.contains(#/&&|\|\||\?/#)
        if isOne, condition.contains(" == ") { return condition.replacing(" == ", with: " != ") }
        if isOne, condition.contains(" != ") { return condition.replacing(" != ", with: " == ") }
        let isName = condition.wholeMatch(of: #/[\w.]+/#) != nil
        return isName ? "!\(condition)" : "!(\(condition))"
    }
}

extension Diagnostic {
    fileprivate static func alwaysDismissed(_ popup: String, at range: SourceRange) -> Self {
        Diagnostic(
            .scheduleDismissedAtOnce,
            message: "the popup never shows, because `dismiss_when` is always true",
            at: range, label: "prevents the popup from showing", subject: "popup `\(popup)`",
            help: ["remove `dismiss_when`, or write when the popup must be dismissed"])
    }

    fileprivate static func dismissedWhileOpen(
        _ popup: String, hasSchedule: Bool, at range: SourceRange
    ) -> Self {
        let taken =
            "use `dismiss_when: \"!schedule.open\"` to dismiss the popup when its schedule closes"
        return Diagnostic(
            .scheduleDismissedAtOnce,
            message: hasSchedule
                ? "the popup never shows, because it is dismissed while its schedule is open"
                : "the popup never shows, because `schedule.open` is always true without a"
                    + " `schedule`",
            at: range, label: "prevents the popup from showing", subject: "popup `\(popup)`",
            help: hasSchedule
                ? [taken]
                : ["remove `dismiss_when`, or add a `schedule` and \(taken)"])
    }

    fileprivate static func neverShows(
        _ popup: String, part: String, at range: SourceRange, when: SourceRange
    ) -> Self {
        var diagnostic = neverShows(popup, opposite: part, at: range, when: when)
        diagnostic.help = ["remove `\(part)` from `dismiss_when`, or replace it with its opposite"]
        return diagnostic
    }

    fileprivate static func neverShows(
        _ popup: String, opposite: String, at range: SourceRange, when: SourceRange
    ) -> Self {
        let text = "'\(opposite.replacing("'", with: "''"))'"
        return Diagnostic(
            .scheduleDismissedAtOnce,
            message:
                "the popup never shows, because `dismiss_when` is true whenever `when` is true",
            at: range,
            label: "prevents the popup from showing", subject: "popup `\(popup)`",
            secondary: [Label("must be true for the popup to show", at: when)],
            help: ["use `dismiss_when: \(text)` to dismiss the popup when `when` is no longer true"]
        )
    }
}
