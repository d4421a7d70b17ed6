internal import PopCEL
internal import PopRuleFiles
internal import PopScheduler
public import PopSource

extension Lints {
    /// Lints about conditions that keep popups from showing.
    static let conditions: [any Lint.Type] = [
        WhenFalse.self, DiscardBeforeTrue.self, DismissedAtOnce.self,
    ]
}

/// `when: false`, which was left over from switching the popup off, or a goal or a trigger
/// that no event reaches.
///
/// Bad:
///
/// ```yaml
/// popups: { welcome: { when: false } }
/// ```
///
/// ```yaml
/// popups: { welcome: { when: "false" } }
/// ```
///
/// ```yaml
/// popups: { welcome: { when: [false] } }
/// ```
///
/// ```yaml
/// events: { order.paid: {} }
/// popups: { offer: { goals: [{ name: buy, event: order.paid, where: false, within: 1d }] } }
/// ```
///
/// ```yaml
/// events: { order.paid: {} }
/// popups: { offer: { trigger: { event: order.paid, where: false } } }
/// ```
///
/// ```yaml
/// events: { order.paid: {} }
/// popups: { offer: { trigger: { event: order.paid, where: "false" } } }
/// ```
///
/// Good:
///
/// ```yaml
/// popups: { welcome: { enabled: false } }
/// ```
public enum WhenFalse: Lint {
    public static let check = Check.hygieneWhenFalse

    public static func findings(in subject: LintSubject) -> [Diagnostic] {
        subject.model.popups.entries.flatMap { popup -> [Diagnostic] in
            let goals = (popup.limits.goals?.value ?? []).compactMap(\.value.where)
            let triggers = (popup.trigger?.value ?? []).compactMap(\.value.where)
            let unreached = (triggers.map { ($0, "trigger") } + goals.map { ($0, "goal") })
                .filter { $0.0.value.constant == false }
                .map { Diagnostic.neverReached($0.0.range, by: $0.1, of: popup.name.value) }
            guard let when = popup.when, when.value.constant == false else { return unreached }
            return [.leftOver(when.range, of: popup.name.value)] + unreached
        }
    }
}

extension TriggerModel {
    fileprivate var `where`: Located<ConditionModel>? {
        if case .event(let trigger) = self { trigger.where } else { nil }
    }
}

extension Diagnostic {
    fileprivate static func neverReached(
        _ range: SourceRange, by what: String, of popup: String
    ) -> Self {
        Diagnostic(
            .hygieneWhenFalse,
            message: "no event matches the \(what), because its `where` is `false`",
            at: range, label: "no event matches", subject: "popup `\(popup)`",
            help: ["remove the \(what), or change `where` so that some events match"])
    }

    fileprivate static func leftOver(_ range: SourceRange, of popup: String) -> Self {
        Diagnostic(
            .hygieneWhenFalse, message: "the popup never shows, because its `when` is `false`",
            at: range,
            label: "never true", subject: "popup `\(popup)`",
            help: [
                "to switch off the popup, write `enabled: false` instead of this `when`",
                "to show the popup, correct or remove this `when`",
            ])
    }
}

/// A popup that is dropped if it may not show immediately, although its condition cannot be true
/// yet.
///
/// Bad:
///
/// ```yaml
/// context: { app.screen: string }
/// popups: { hint: { when: 'has(app.screen) && app.screen == "map"', untriggered: discard } }
/// ```
///
/// ```yaml
/// context: { user.plan: { type: string, default: free } }
/// conditions: { paying: user.plan == "pro" }
/// popups: { hint: { when: paying, untriggered: discard } }
/// ```
///
/// Good:
///
/// ```yaml
/// context: { app.screen: string }
/// popups:
///   hint:
///     when: has(app.screen) && app.screen == "map"
///     trigger: { changed: app.screen }
///     untriggered: discard
/// ```
///
/// ```yaml
/// popups:
///   welcome: {}
///   tour: { when: popups.welcome.shown_count > 0, untriggered: discard }
/// ```
///
/// ```yaml
/// context: { user.plan: { type: string, default: free } }
/// conditions: { old: session.started > timestamp("2026-01-01T00:00:00Z") }
/// popups: { hint: { when: old && user.plan == "pro", untriggered: discard } }
/// ```
public enum DiscardBeforeTrue: Lint {
    public static let check = Check.scheduleDiscardBeforeTrue

    public static func findings(in subject: LintSubject) -> [Diagnostic] {
        let candidates = zip(subject.model.popups.entries, subject.rules.popups)
            .filter { isDroppedAtStart($1) }
        if candidates.isEmpty { return [] }
        guard let beginning = Beginning(subject.rules, deciding: candidates.compactMap(\.1.when))
        else { return [] }
        return candidates.compactMap { model, popup in
            guard let when = model.when, let condition = popup.when,
                let keys = beginning.keysThatKeepFalse(condition.program)
            else { return nil }
            return .dropped(model, when: when.range, keys: keys.map { subject.rules.keys[$0] })
        }
    }

    /// Returns true if only the start of the app puts a popup into the queue, and it does not stay
    /// there.
    private static func isDroppedAtStart(_ popup: PopupRule) -> Bool {
        guard popup.isEnabled, popup.untriggered == .discard, popup.timing.delay.lowerBound == .zero
        else {
            return false
        }
        return popup.triggers.allSatisfy { trigger in
            switch trigger {
            case .occasion(let occasion): occasion.comesWithStart
            case .event, .changed, .acted: false
            }
        }
    }
}

/// The values of conditions when an app starts that has not set anything.
private struct Beginning {
    private let rules: RuleSet
    private let values: SlotValues
    /// Named conditions that read something else than context keys, which may differ from start to
    /// start.
    private let unsure: Set<ConditionIndex>

    /// The maximum number of steps of evaluating all conditions, in the unit of `CELLimits.cost`.
    private static let mostSteps = 20_000_000
    /// The size of lists, maps and strings that is assumed for that if none is declared.
    private static let assumedSize = 100

    /// Returns nil if evaluating the named conditions and `conditions` may take too many steps.
    init?(_ rules: RuleSet, deciding conditions: [Condition]) {
        var steps = 0
        for condition in rules.conditions.map(\.condition) + conditions {
            guard let bound = condition.program.costBound(forSizesUpTo: Self.assumedSize),
                bound <= Self.mostSteps
            else { return nil }
            steps += bound
            if steps > Self.mostSteps { return nil }
        }
        self.rules = rules
        let moment = Moment(instant: .zero, date: Timestamp(seconds: 0))
        let scheduler = Scheduler(rules: rules, seed: 0, history: History(), at: moment)
        values = scheduler.slotValues(Array(rules.slots.places), at: moment)
        unsure = Self.unsure(rules)
    }

    /// The keys that a condition reads, when it reads nothing but keys, at least one, and is not
    /// met.
    func keysThatKeepFalse(_ program: Program) -> [KeyIndex]? {
        var keys: Set<KeyIndex> = []
        var seen: Set<ConditionIndex> = []
        var pending = program.slots
        while let slot = pending.popLast() {
            switch rules.slots[slot] {
            case .key(let key): keys.insert(key)
            case .condition(let index):
                if unsure.contains(index) { return nil }
                guard seen.insert(index).inserted else { continue }
                pending += rules.conditions[index].condition.program.slots
            case .now, .session, .shownCount, .lastShown, .lastReason, .variant,
                .exposedCount, .lastAction,
                .closedCount, .converted, .acted, .lastActed, .eventCount, .lastEvent, .sinceEvent,
                .eventSum,
                .scheduleOpen, .payload, .payloadField:
                return nil
            }
        }
        return keys.isEmpty || program.isTrue(values) == .yes ? nil : keys.sorted()
    }

    private static func unsure(_ rules: RuleSet) -> Set<ConditionIndex> {
        var users = TypedArray<ConditionIndex, [ConditionIndex]>(
            repeating: [], count: rules.conditions.count)
        var pending: [ConditionIndex] = []
        for index in rules.conditions.places {
            for slot in rules.conditions[index].condition.program.slots {
                switch rules.slots[slot] {
                case .key: break
                case .condition(let used): users[used].append(index)
                case .now, .session, .shownCount, .lastShown, .lastReason, .variant,
                    .exposedCount, .lastAction,
                    .closedCount, .converted, .acted, .lastActed, .eventCount, .lastEvent,
                    .sinceEvent, .eventSum,
                    .scheduleOpen, .payload, .payloadField:
                    pending.append(index)
                }
            }
        }
        var found: Set<ConditionIndex> = []
        while let index = pending.popLast() {
            if found.insert(index).inserted { pending += users[index] }
        }
        return found
    }
}

extension Diagnostic {
    fileprivate static func dropped(
        _ popup: PopupModel, when: SourceRange, keys: [ContextKey]
    ) -> Self {
        let states = keys.prefix(3).map { key in
            key.defaultValue.map { "`\(key.name)` is \($0)" } ?? "`\(key.name)` has no value"
        }
        // A key without a value is certainly set by the app.
        let awaited = keys.first { $0.defaultValue == nil } ?? keys[0]
        return Diagnostic(
            .scheduleDiscardBeforeTrue,
            message: "`when` is not true yet when the app starts, so the popup is dropped",
            at: when,
            label: states.joined(separator: " and ") + " at the start",
            subject: "popup `\(popup.name.value)`",
            secondary: popup.untriggered.map {
                [Label("a popup that cannot show immediately is dropped", at: $0.range)]
            } ?? [],
            notes: [
                "the check uses values that the app sets before the start, not values that it sets later"
            ],
            help: [
                "use `untriggered: await` to keep the popup waiting, or trigger it later with"
                    + " `trigger: { changed: \(awaited.name) }`"
            ])
    }
}

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
            help: ["remove `dismiss_when`, or change it so that it is not always true"])
    }

    fileprivate static func dismissedWhileOpen(
        _ popup: String, hasSchedule: Bool, at range: SourceRange
    ) -> Self {
        let taken =
            "use `!schedule.open` instead of `schedule.open`, such as"
            + " `dismiss_when: \"!schedule.open\"`, to dismiss the popup when the schedule closes"
        return Diagnostic(
            .scheduleDismissedAtOnce,
            message: hasSchedule
                ? "the popup never shows, because `dismiss_when` is true while the schedule is open"
                : "the popup never shows, because `schedule.open` is always true without a"
                    + " `schedule`",
            at: range, label: "prevents the popup from showing", subject: "popup `\(popup)`",
            help: hasSchedule
                ? [taken]
                : ["remove `dismiss_when`; or add a `schedule`, and \(taken)"])
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
