public import PopCEL
public import PopRuleFiles
public import PopScheduler
public import PopSource

/// Advice about rules that are correct: one lint looks for one thing.
///
/// The examples in the documentation of a lint are tested: those under "Bad" get a finding of its
/// check, those under "Good" get none.
public protocol Lint: Sendable {
    /// The check that findings are reported as.
    static var check: Check { get }

    /// True if findings about one part depend on all the others: in rules with errors much would
    /// seem unused.
    static var asksForAll: Bool { get }

    /// Returns the findings about a rule set; at most linear in its size.
    static func findings(in subject: LintSubject) -> [Diagnostic]
}

extension Lint {
    public static var asksForAll: Bool { false }
}

/// All lints.
public enum Lints {
    /// Each topic has a file with its lints and their list.
    public static let all: [any Lint.Type] = [
        unused, rollouts, experiments, conditions, triggers, timing, schedules, hygiene,
    ].flatMap { $0 }

    /// Returns the findings of all lints; if there are gaps, only findings that do not depend on
    /// them.
    public static func findings(in subject: LintSubject) -> Diagnostics {
        findings(in: subject, check: {})
    }

    /// The same; `check` is called again and again, and can end it by throwing.
    public static func findings(
        in subject: LintSubject, check: () throws -> Void
    ) rethrows -> Diagnostics {
        var diagnostics = Diagnostics()
        let clear = subject.gaps?.clearSubjects
        for lint in all where clear == nil || !lint.asksForAll {
            try check()
            for finding in lint.findings(in: subject) {
                if let clear, !(finding.subject.map(clear.contains) ?? false) { continue }
                diagnostics.report(finding)
            }
        }
        return diagnostics
    }
}

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
