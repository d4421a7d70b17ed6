internal import PopCEL
internal import PopRuleFiles
internal import PopScheduler
public import PopSource

extension Lints {
    /// Lints about experiments.
    static let experiments: [any Lint.Type] = [
        NoGoal.self, SameSalt.self, OwnImpressions.self, SameVariants.self,
    ]
}

/// An experiment of which no popup has a goal: the effects of its arms are not compared.
///
/// Bad:
///
/// ```yaml
/// context: { user.id: { type: string, default: "" } }
/// popups:
///   offer: { experiment: { by: user.id, control: 10, variants: { as_is: {} } } }
/// ```
///
/// Good:
///
/// ```yaml
/// context: { user.id: { type: string, default: "" } }
/// events: { order.paid: {} }
/// popups:
///   offer:
///     experiment: { by: user.id, control: 10, variants: { as_is: {} } }
///     goals: [{ name: buy, event: order.paid, within: 7d }]
/// ```
public enum NoGoal: Lint {
    public static let check = Check.hygieneNoGoal
    public static let asksForAll = true

    public static func findings(in subject: LintSubject) -> [Diagnostic] {
        let popups = subject.model.popups.entries
        var measured: Set<String> = []
        for popup in popups where popup.limits.goals != nil {
            if let name = popup.limits.experiment?.value.of { measured.insert(name.value) }
        }
        return popups.compactMap { popup in
            guard let experiment = popup.limits.experiment, popup.limits.goals == nil else {
                return nil
            }
            // Of several popups with one experiment one speaks for all.
            if let name = experiment.value.of, !measured.insert(name.value).inserted { return nil }
            return .noGoal(of: popup.name)
        }
    }
}

extension Diagnostic {
    fileprivate static func noGoal(of popup: Located<String>) -> Self {
        Diagnostic(
            .hygieneNoGoal, message: "`\(popup.value)` has an experiment and no `goals`",
            at: popup.range, label: "without goals, you cannot compare the variants",
            help: [
                "name the event that the popup should lead to, such as"
                    + " `goals: [{ name: buy, event: order.paid, within: 7d }]`"
            ])
    }
}

/// Two experiments that assign users to arms by the same key with the same salt.
///
/// Bad:
///
/// ```yaml
/// context: { user.id: { type: string, default: "" } }
/// popups:
///   offer: { experiment: { by: user.id, salt: q1, variants: { short: {}, long: {} } } }
///   tour: { experiment: { by: user.id, salt: q1, variants: { short: {}, long: {} } } }
/// ```
///
/// Good:
///
/// ```yaml
/// context: { user.id: { type: string, default: "" } }
/// popups:
///   offer: { experiment: { by: user.id, salt: q1-offer, variants: { short: {}, long: {} } } }
///   tour: { experiment: { by: user.id, salt: q1-tour, variants: { short: {}, long: {} } } }
/// ```
///
/// ```yaml
/// context: { user.id: { type: string, default: "" } }
/// popups:
///   offer:
///     rollout: { range: [0, 50], by: user.id, salt: half }
///     experiment: { by: user.id, salt: q1, variants: { short: {}, long: {} } }
///   tour:
///     rollout: { range: [50, 100], by: user.id, salt: half }
///     experiment: { by: user.id, salt: q1, variants: { short: {}, long: {} } }
/// ```
///
/// ```yaml
/// context: { user.id: { type: string, default: "" } }
/// experiments: { tone: { by: user.id, salt: q1, variants: { short: 1, long: 1 } } }
/// popups:
///   offer: { experiment: { of: tone, variants: { short: {} } } }
///   tour: { experiment: { of: tone, variants: { long: {} } } }
/// ```
public enum SameSalt: Lint {
    public static let check = Check.hygieneSameSalt
    public static let asksForAll = true

    /// The input of the assignment; experiments of one layer have the same users, or none in
    /// common.
    private struct Draw: Hashable {
        let key: String
        let salt: String
    }

    /// An experiment, and the rollouts of its popups; nil is one that reaches everybody.
    private struct Drawn {
        let name: Located<String>
        let division: DivisionModel
        let rollouts: [Reach?]

        /// Returns true if a user may be in both.
        func mayMeet(_ other: Drawn) -> Bool {
            if let layer = division.layer?.value, layer == other.division.layer?.value {
                return false
            }
            return rollouts.contains { one in
                other.rollouts.contains { two in
                    guard let one, let two else { return true }
                    return one.mayMeet(two)
                }
            }
        }
    }

    public static func findings(in subject: LintSubject) -> [Diagnostic] {
        var earlier: [Draw: [Drawn]] = [:]
        return all(of: subject.model).compactMap { drawn in
            let draw = draw(of: drawn, in: subject.model)
            // No more than these are compared with each other.
            let others = earlier[draw, default: []].prefix(32)
            earlier[draw, default: []].append(drawn)
            guard let other = others.first(where: { $0.mayMeet(drawn) }) else { return nil }
            let place = drawn.division.salt?.range ?? drawn.name.range
            return .sameArms(
                Located(drawn.name.value, at: place), as: other.name, salt: draw.salt)
        }
    }

    private static func draw(of drawn: Drawn, in model: RuleModel) -> Draw {
        let division = drawn.division
        let layer = division.layer.flatMap { model.layers[$0.value] }
        return Draw(
            key: (division.by ?? layer?.by)?.value ?? "",
            salt: division.salt?.value ?? drawn.name.value)
    }

    /// Returns all experiments, those with a name first.
    private static func all(of model: RuleModel) -> [Drawn] {
        var reached: [String: [Reach?]] = [:]
        var own: [Drawn] = []
        for popup in model.popups.entries {
            guard let experiment = popup.limits.experiment?.value else { continue }
            let reach = Reach(popup)
            if let name = experiment.of?.value {
                reached[name, default: []].append(reach)
            } else {
                own.append(
                    Drawn(
                        name: popup.name, division: experiment.division, rollouts: [reach]))
            }
        }
        let named = model.experiments.entries.map {
            Drawn(
                name: $0.name, division: $0.division,
                rollouts: reached[$0.name.value] ?? [nil])
        }
        return named + own
    }
}

/// The part of the users that the rollout of a popup reaches.
private struct Reach {
    let key: String?
    let salt: String
    let part: Range<Double>

    /// Nil for a popup that reaches everybody.
    init?(_ popup: PopupModel) {
        guard let rollout = popup.limits.rollout?.value, let part = rollout.largestPart else {
            return nil
        }
        key = rollout.by?.value
        salt = rollout.salt?.value ?? popup.name.value
        self.part = part
    }

    /// Returns true if a user may be in both: nothing is known of two different assignments.
    func mayMeet(_ other: Reach) -> Bool {
        key != other.key || salt != other.salt || part.overlaps(other.part)
    }
}

extension RolloutModel {
    /// The largest part of the users that it ever reaches; nil if that cannot be read.
    var largestPart: Range<Double>? {
        if let percent = percent?.value { return 0..<percent }
        return range?.value ?? steps.map { 0..<($0.value.map(\.percent.value).max() ?? 0) }
    }
}

extension Diagnostic {
    fileprivate static func sameArms(
        _ name: Located<String>, as other: Located<String>, salt: String
    ) -> Self {
        Diagnostic(
            .hygieneSameSalt,
            message:
                "the experiments `\(name.value)` and `\(other.value)` use the same context key and"
                + " salt",
            at: name.range, label: "uses the same context key and the salt `\(salt)`",
            secondary: [Label("uses the same context key and salt", at: other.range)],
            notes: [
                "with the same context key and salt, the variant of a user in one experiment"
                    + " depends on the user's variant in the other experiment, so you cannot"
                    + " separate the effects of the two experiments"
            ],
            help: [
                "give each experiment its own `salt`",
                "if the popups belong together, define one experiment under `experiments`, and use"
                    + " this experiment in all these popups with `of`",
            ])
    }
}

/// A popup with a condition on its own impressions, of which the control group has none: the arms
/// of its experiment are then not compared alike.
///
/// Bad:
///
/// ```yaml
/// context: { user.id: { type: string, default: "" } }
/// popups:
///   offer:
///     when: popups.offer.shown_count == 0
///     experiment: { by: user.id, control: 10, variants: { as_is: {} } }
/// ```
///
/// Good:
///
/// ```yaml
/// context: { user.id: { type: string, default: "" } }
/// popups:
///   offer:
///     cap: { lifetime: 1 }
///     experiment: { by: user.id, control: 10, variants: { as_is: {} } }
/// ```
public enum OwnImpressions: Lint {
    public static let check = Check.hygieneOwnImpressions

    public static func findings(in subject: LintSubject) -> [Diagnostic] {
        zip(subject.model.popups.entries, subject.rules.popups.places).compactMap { model, index in
            let popup = subject.rules.popups[index]
            guard let experiment = popup.experiment, experiment.assignment.control > 0 else {
                return nil
            }
            let group = popup.group.flatMap { subject.rules.groups[$0].when }
            let conditions =
                popup.ownConditions + [group].compactMap { $0 }
                + popup.eventConditions.map(\.condition)
            let asked = conditions.lazy.compactMap { condition in
                subject.rules.impressions(of: index, readBy: condition.program)
                    .map { Located($0, at: condition.range) }
            }.first
            return asked.map { .ownImpressions($0, of: model.name.value) }
        }
    }
}

extension RuleSet {
    /// Returns the fact about the impressions of a popup that a condition reads, also through named
    /// conditions; nil if it reads none.
    fileprivate func impressions(of popup: PopupIndex, readBy program: Program) -> String? {
        let used = conditions(usedBy: program).map { conditions[$0].condition.program }
        let impressions: [SlotMeaning: String] = [
            .shownCount(popup: popup): "shown_count", .lastShown(popup: popup): "last_shown",
            .lastReason(popup: popup): "last_reason",
        ]
        return ([program] + used).flatMap(\.slots).lazy.compactMap { impressions[slots[$0]] }.first
    }
}

extension Diagnostic {
    fileprivate static func ownImpressions(_ read: Located<String>, of popup: String) -> Self {
        Diagnostic(
            .hygieneOwnImpressions,
            message:
                "`\(popup)` checks its own impressions (`\(read.value)`), but users in the control"
                + " group have no impressions",
            at: read.range, label: "has no effect on users in the control group",
            subject: "popup `\(popup)`",
            help: [
                "use a cap, which also counts users in the control group, such as"
                    + " `cap: { lifetime: 1 }` or `cap: { every: 7d }`"
            ])
    }
}
