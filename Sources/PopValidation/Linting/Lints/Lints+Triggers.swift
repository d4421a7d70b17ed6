internal import PopCEL
internal import PopRuleFiles
internal import PopScheduler
public import PopSource

extension Lints {
    /// Lints about triggers and the events that fire them.
    static let triggers: [any Lint.Type] = [
        OwnTrigger.self, EndedByTrigger.self, StaleEvent.self, EmptyPlaceholder.self,
    ]
}

/// A trigger on an action of the popup itself: its task still exists when the action is used, so
/// no second one is made.
///
/// Bad:
///
/// ```yaml
/// templates: { question: { actions: [accept, later] } }
/// popups: { tip: { template: question, trigger: [start, { popup: tip, action: later }] } }
/// ```
///
/// Good:
///
/// ```yaml
/// templates: { question: { actions: [accept, later] } }
/// popups: { tip: { template: question, trigger: session, cap: { after_close: { later: 1d } } } }
/// ```
public enum OwnTrigger: Lint {
    public static let check = Check.scheduleOwnTrigger

    public static func findings(in subject: LintSubject) -> [Diagnostic] {
        subject.model.popups.entries.flatMap { popup -> [Diagnostic] in
            let triggers = popup.trigger?.value ?? []
            let own = triggers.compactMap { trigger -> Diagnostic? in
                guard case .acted(let other, let action) = trigger.value,
                    other.value == popup.name.value
                else { return nil }
                return .ownTrigger(other, action: action.value)
            }
            // `AwaitForever` reports a popup without other triggers: it never shows at all.
            return popup.isEnabled?.value == false || own.count == triggers.count ? [] : own
        }
    }
}

extension Diagnostic {
    fileprivate static func ownTrigger(_ popup: Located<String>, action: String) -> Self {
        let pause = action == "close" ? "7d" : "{ \(action): 7d }"
        return Diagnostic(
            .scheduleOwnTrigger,
            message: "`\(popup.value)` cannot be triggered again by its own action `\(action)`",
            at: popup.range,
            label: "`\(popup.value)` is still on screen when a user acts on it",
            subject: "popup `\(popup.value)`",
            help: [
                "to show the popup again, use another trigger, such as `{ event: home.opened }`",
                "to suppress the popup for a time after the action, use a cap, such as"
                    + " `cap: { after_close: \(pause) }`",
            ])
    }
}

/// A popup whose triggers are events that are goals which end it: goals come first, so that no
/// trigger ever makes a task. The same holds for an event that its `when` requires.
///
/// Bad:
/// ```yaml
/// events: { order.paid: {} }
/// popups:
///   thanks:
///     trigger: { event: order.paid }
///     goals: [{ name: buy, event: order.paid, within: 7d, ends: true }]
/// ```
/// ```yaml
/// events: { order.paid: {} }
/// popups:
///   thanks:
///     when: event_count("order.paid") >= 1
///     goals: [{ name: buy, event: order.paid, within: 7d, ends: true }]
/// ```
/// Good:
/// ```yaml
/// events: { order.paid: {}, order.begun: {} }
/// popups:
///   offer:
///     trigger: { event: order.begun }
///     goals: [{ name: buy, event: order.paid, within: 7d, ends: true }]
/// ```
public enum EndedByTrigger: Lint {
    public static let check = Check.scheduleEndedByTrigger

    public static func findings(in subject: LintSubject) -> [Diagnostic] {
        zip(subject.model.popups.entries, subject.rules.popups).compactMap { model, popup in
            guard !popup.goals.isEmpty,
                let goal = model.limits.goals?.value.first(where: {
                    $0.value.ends.flatMap(\.value) != nil
                })
            else { return nil }
            if let trigger = model.trigger?.value.first?.range,
                popup.triggers.allSatisfy({ $0.isEnded(by: popup.goals) })
            {
                return .endedByTrigger(model.name.value, trigger: trigger, goal: goal.range)
            }
            guard let event = popup.eventNeededAndEnding(in: subject.rules) else { return nil }
            let goals = model.limits.goals?.value ?? []
            let place = goals.indices.contains(event.goal) ? goals[event.goal].range : goal.range
            return .endedByCondition(model.name.value, event, goal: place)
        }
    }
}

/// An event that a condition requires, and that ends the popup for good.
private struct EndingEvent {
    var name: String
    /// The part of the condition that requires it.
    var part: SourceRange
    /// Its call of `event_count`.
    var call: String
    var count: Int64
    /// Which goal of the popup ends it.
    var goal: Int
}

extension PopupRule {
    /// Returns an event that must have been sent before the popup shows, and that reaches a goal
    /// which ends the popup for good.
    fileprivate func eventNeededAndEnding(in rules: RuleSet) -> EndingEvent? {
        guard let condition = when?.program.expression, condition.calls("event_count") else {
            return nil
        }
        let tree = condition.tree
        for node in tree.conjuncts {
            guard let (call, count) = Self.neededCount(node, in: tree),
                case .string(let name)? = tree.literal(tree.child(call, at: 0)),
                let goal = goals.firstIndex(where: {
                    $0.ends == .forGood && $0.where == nil && rules.events[$0.event].name == name
                })
            else { continue }
            return EndingEvent(
                name: name, part: tree.range(node), call: condition.text(of: call), count: count,
                goal: goal)
        }
        return nil
    }

    /// Returns the call in a comparison of `event_count` that is false for a count of 0, and the
    /// least count.
    private static func neededCount(
        _ node: NodeID, in tree: SyntaxTree
    ) -> (call: NodeID, count: Int64)? {
        guard let sign = tree.operation(node) else { return nil }
        let sides = tree.children(of: node)
        guard sides.count == 2 else { return nil }
        for (call, number, sign) in [(0, 1, sign), (1, 0, sign.mirrored)]
        where [.equal, .greater, .greaterOrEqual].contains(sign) {
            guard tree.kind(of: sides[call]) == .call, tree.name(sides[call]) == "event_count",
                tree.childCount(sides[call]) == 1,
                case .int(let count)? = tree.literal(sides[number]), count < .max
            else { continue }
            let least = sign == .greater ? count + 1 : count
            return least > 0 ? (sides[call], least) : nil
        }
        return nil
    }
}

extension PopScheduler.Trigger {
    /// Returns true if each event that fires it also ends the popup.
    fileprivate func isEnded(by goals: [Goal]) -> Bool {
        guard case .event(let trigger) = self else { return false }
        return goals.contains {
            $0.event == trigger.event && $0.ends != nil
                && ($0.where == nil || $0.where == trigger.where)
        }
    }
}

extension Diagnostic {
    fileprivate static func endedByTrigger(
        _ popup: String, trigger: SourceRange, goal: SourceRange
    ) -> Self {
        Diagnostic(
            .scheduleEndedByTrigger,
            message: "`\(popup)` never shows, because the event that triggers it also ends it",
            at: trigger, label: "this event triggers the popup", subject: "popup `\(popup)`",
            secondary: [Label("the same event reaches this goal, which ends the popup", at: goal)],
            help: [
                "use different events in the trigger and in the goal, or remove `ends`; to limit how"
                    + " often the popup shows, use `cap`"
            ])
    }
}

extension Diagnostic {
    fileprivate static func endedByCondition(
        _ popup: String, _ event: EndingEvent, goal: SourceRange
    ) -> Self {
        Diagnostic(
            .scheduleEndedByTrigger,
            message: "`\(popup)` requires the event `\(event.name)`, which also ends it",
            at: event.part, label: "true only after `\(event.name)`",
            subject: "popup `\(popup)`",
            secondary: [Label("the same event reaches this goal, which ends the popup", at: goal)],
            notes: [
                "only users whose app sent `\(event.name)` before the app loaded this goal can see"
                    + " `\(popup)`"
            ],
            help: [
                "to show the popup until the next `\(event.name)`, remove `ends` from the goal, and"
                    + " use `\(event.call) == \(event.count)` in the condition",
                "to end the popup for another reason, use another event in the goal",
            ])
    }
}

/// Content with a field of the event, in a popup that a cap can block: it may show much later, with
/// the values of that event.
///
/// Bad:
///
/// ```yaml
/// events: { price.dropped: { price: string } }
/// popups:
///   offer:
///     trigger: { event: price.dropped }
///     content: { title: "Now {{event.price}}" }
///     cap: { windows: [{ max: 1, per: 1d }] }
/// ```
///
/// ```yaml
/// limits: [{ max: 1, per: 1d }]
/// events: { price.dropped: { price: string } }
/// popups:
///   offer: { trigger: { event: price.dropped }, content: { title: "Now {{event.price}}" } }
/// ```
///
/// ```yaml
/// schedulers: { main: { cap: { max: 1, per: 1d } } }
/// events: { price.dropped: { price: string } }
/// popups:
///   offer: { trigger: { event: price.dropped }, content: { title: "Now {{event.price}}" } }
/// ```
///
/// Good:
///
/// ```yaml
/// events: { price.dropped: { price: string } }
/// popups:
///   offer:
///     trigger: { event: price.dropped }
///     content: { title: "Now {{event.price}}" }
///     cap: { windows: [{ max: 1, per: 1d }] }
///     max_wait: 1h
/// ```
///
/// ```yaml
/// events: { price.dropped: { price: string } }
/// popups:
///   offer:
///     trigger: { event: price.dropped }
///     content: { title: "Now {{event.price}}" }
///     cap: { lifetime: 1 }
/// ```
public enum StaleEvent: Lint {
    public static let check = Check.scheduleStaleEvent

    public static func findings(in subject: LintSubject) -> [Diagnostic] {
        zip(subject.model.popups.entries, subject.rules.popups).compactMap { model, popup in
            guard popup.isEnabled, popup.untriggered == .await, popup.timing.maxWait == nil,
                popup.triggers.contains(where: { if case .event = $0 { true } else { false } }),
                subject.rules.mayHoldBack(popup),
                let place = subject.model.placeholders(in: model)
                    .first(where: { $0.name.hasPrefix("event.") })
            else { return nil }
            return .stale(place.name, at: place.range, of: model.name.value)
        }
    }
}

extension RuleSet {
    /// Returns true if a cap may keep a task of the popup waiting until a later time.
    ///
    /// A cap of a lifetime never releases a task, so that nothing shows late, and the caps of a
    /// popup never block a popup that shows once.
    fileprivate func mayHoldBack(_ popup: PopupRule) -> Bool {
        let own = popup.caps
        if own.lifetime != 1, !popup.isTriggeredOnce,
            own.every != nil || own.afterClose != nil || own.closesPer != nil
                || !own.windows.isEmpty || own.perSession != nil && sessionTimeout != nil
        {
            return true
        }
        guard !popup.isEssential else { return false }
        if popup.group.map({ !groups[$0].caps.isEmpty }) ?? false { return true }
        if schedulers[popup.scheduler].cap != nil { return true }
        return limits.contains { $0.popups.includes(popup.scheduler, tags: popup.texts.tags) }
    }
}

extension PopupRule {
    /// True if its only trigger fires once for a user.
    fileprivate var isTriggeredOnce: Bool {
        guard triggers.count == 1, case .event(let event) = triggers[0],
            case .nth = event.occurrence
        else { return false }
        return true
    }
}

extension Diagnostic {
    fileprivate static func stale(
        _ field: String, at place: SourceRange, of popup: String
    ) -> Self {
        Diagnostic(
            .scheduleStaleEvent,
            message: "a cap may delay `\(popup)` until the value of `\(field)` is out of date",
            at: place, label: "shows the value at the time of the event",
            subject: "popup `\(popup)`",
            help: [
                "use `max_wait` to drop popups that wait too long, such as `max_wait: 1h`, or"
                    + " `untriggered: discard` to drop popups that a cap blocks"
            ])
    }
}

/// A placeholder with a value that may be missing, so that the string has a gap.
///
/// Bad:
///
/// ```yaml
/// context: { user.name: string }
/// popups: { hello: { content: { title: 'Hi {{user.name}}!' } } }
/// ```
///
/// ```yaml
/// events: { order.paid: { total: double }, order.failed: {} }
/// popups:
///   thanks:
///     trigger: [{ event: order.paid }, { event: order.failed }]
///     content: { title: 'You paid {{event.total}}' }
/// ```
///
/// Good:
///
/// ```yaml
/// context: { user.name: string }
/// popups: { hello: { content: { title: 'Hi {{user.name | there}}!' } } }
/// ```
///
/// ```yaml
/// context: { user.name: { type: string, default: you } }
/// popups: { hello: { content: { title: 'Hi {{user.name}}!' } } }
/// ```
///
/// ```yaml
/// context: { user.name: string }
/// popups: { hello: { when: has(user.name), content: { title: 'Hi {{user.name}}!' } } }
/// ```
///
/// ```yaml
/// events: { order.paid: { total: double } }
/// popups:
///   thanks: { trigger: { event: order.paid }, content: { title: 'You paid {{event.total}}' } }
/// ```
public enum EmptyPlaceholder: Lint {
    public static let check = Check.contentEmptyPlaceholder

    public static func findings(in subject: LintSubject) -> [Diagnostic] {
        zip(subject.model.popups.entries, subject.rules.popups).flatMap { model, popup in
            subject.model.placeholders(in: model).filter { $0.fallback == nil }
                .compactMap { finding(on: $0, in: popup, of: subject) }
        }
    }

    private static func finding(
        on placeholder: NamedPlaceholder, in popup: PopupRule, of subject: LintSubject
    ) -> Diagnostic? {
        if let key = subject.model.context.place(of: placeholder.name) {
            let declared = subject.rules.keys[key]
            guard declared.defaultValue == nil,
                !subject.rules.keys(readBy: popup.conditions(of: subject.rules)).contains(key)
            else { return nil }
            return .noDefault(placeholder, of: popup.id, declared: declared.range)
        }
        guard placeholder.name.hasPrefix("event.") else { return nil }
        let field = placeholder.name.dropFirst("event.".count)
        let has = popup.triggers.map { trigger in
            guard case .event(let trigger) = trigger else { return false }
            return subject.rules.events[trigger.event].fields.contains { $0.name == field }
        }
        // One that no event carries names nothing, which has been reported.
        guard has.contains(true), has.contains(false) else { return nil }
        return .otherTrigger(placeholder, of: popup.id)
    }
}

extension PopupRule {
    /// Returns the conditions that must hold for it to show. If they read a key, the author has
    /// thought of a missing value.
    fileprivate func conditions(of rules: RuleSet) -> [Program] {
        let group = group.flatMap { rules.groups[$0].when }
        return [when, group].compactMap { $0?.program }
    }
}

extension Diagnostic {
    fileprivate static func noDefault(
        _ placeholder: NamedPlaceholder, of popup: String, declared: SourceRange
    ) -> Self {
        gap(placeholder, of: popup, label: "has no value until the app sets it", declared: declared)
    }

    fileprivate static func otherTrigger(
        _ placeholder: NamedPlaceholder, of popup: String
    ) -> Self {
        gap(placeholder, of: popup, label: "not every trigger of the popup has this field")
    }

    private static func gap(
        _ placeholder: NamedPlaceholder, of popup: String, label: String,
        declared: SourceRange? = nil
    ) -> Self {
        Diagnostic(
            .contentEmptyPlaceholder,
            message: "`{{\(placeholder.name)}}` may have no value, which leaves a gap in the text",
            at: placeholder.range, label: label, subject: "popup `\(popup)`",
            secondary: declared.map { [Label("declared without a default", at: $0)] } ?? [],
            help: [
                "add a fallback after `|`, which users see if there is no value:"
                    + " `{{\(placeholder.name) | …}}`"
            ]
                + (declared == nil
                    ? [] : ["or add a `default` to `\(placeholder.name)` under `context`"]))
    }
}
