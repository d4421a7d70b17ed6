internal import PopCEL
internal import PopRuleFiles
internal import PopScheduler
public import PopSource

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
        let beginning = Beginning(subject.rules)
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

    init(_ rules: RuleSet) {
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
        var users = ParallelArray<ConditionIndex, [ConditionIndex]>(
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
                [Label("the popup does not wait until it may show", at: $0.range)]
            } ?? [],
            notes: [
                "values that the app sets before the start count; values that it sets later do not"
            ],
            help: [
                "use `untriggered: await` to let it wait, or trigger it later with"
                    + " `trigger: { changed: \(awaited.name) }`"
            ])
    }
}
