public import PopCEL
public import PopRuleFiles
public import PopScheduler

/// A set of rules that lints look at.
public struct LintSubject: Sendable {
    /// The rules as written, with places.
    public let model: RuleModel
    /// The compiled rules.
    public let rules: RuleSet
    /// The time for which advice about dates is given; nil for no such advice.
    public let now: Timestamp?
    /// The parts with errors; nil for rules without errors.
    public let gaps: Gaps?
    /// Context keys, by index, that a condition, a trigger, a rollout, a cap, a placeholder or
    /// `locales` reads.
    public let usedKeys: Set<KeyIndex>
    /// Named conditions, by index, that another condition uses.
    public let usedConditions: Set<ConditionIndex>

    /// The parts of rules that are unknown because of errors in popups, conditions and groups.
    public struct Gaps: Sendable {
        /// The popups that are not fully known.
        public let popups: Set<PopupIndex>
        /// The subjects of findings about parts that are fully known.
        public let clearSubjects: Set<String>

        public init(popups: Set<PopupIndex>, clearSubjects: Set<String>) {
            self.popups = popups
            self.clearSubjects = clearSubjects
        }
    }

    /// Precondition: the rules were compiled from the model, and errors are about nothing but the
    /// gaps.
    public init(_ model: RuleModel, rules: RuleSet, now: Timestamp?, gaps: Gaps? = nil) {
        self.model = model
        self.rules = rules
        self.now = now
        self.gaps = gaps
        var keys: Set<KeyIndex> = []
        var conditions: Set<ConditionIndex> = []
        for program in rules.programs {
            for slot in program.slots {
                switch rules.slots[slot] {
                case .key(let key): keys.insert(key)
                case .condition(let condition): conditions.insert(condition)
                case .now, .session, .shownCount, .lastShown, .lastReason, .variant,
                    .exposedCount, .lastAction,
                    .closedCount, .converted, .acted, .lastActed, .eventCount, .lastEvent,
                    .sinceEvent, .eventSum,
                    .scheduleOpen, .payload, .payloadField:
                    break
                }
            }
        }
        for popup in rules.popups {
            if let rollout = popup.audience.rollout { keys.insert(rollout.key) }
            if let experiment = popup.audience.experiment { keys.insert(experiment.assignment.key) }
            let zones = popup.timing.schedule.map(\.zone) + popup.caps.windows.compactMap(\.zone)
            for case .key(let key) in zones { keys.insert(key) }
            keys.formUnion(popup.caps.windows.compactMap(\.key))
            if let key = popup.caps.closesPer { keys.insert(key) }
            for case .changed(let key) in popup.triggers { keys.insert(key) }
        }
        for case .key(let key)? in rules.sharedCaps.map(\.zone) { keys.insert(key) }
        keys.formUnion(rules.sharedCaps.compactMap(\.key))
        if let locales = rules.locales { keys.insert(locales.key) }
        if let holdout = rules.holdout { keys.insert(holdout.key) }
        if case .key(let key)? = rules.quiet?.zone { keys.insert(key) }
        let placeholders = model.placeholders
        for key in model.context.entries.places
        where placeholders.contains(model.context.entries[key].name.value) {
            keys.insert(key)
        }
        usedKeys = keys
        usedConditions = conditions
    }
}

extension RuleSet {
    /// The programs of all conditions.
    fileprivate var programs: [Program] {
        var all = conditions.map(\.condition.program)
        all += groups.compactMap(\.when?.program)
        for popup in popups {
            all += popup.ownConditions.map(\.program)
            all += popup.eventConditions.map(\.condition.program)
        }
        return all
    }
}
