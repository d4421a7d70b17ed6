internal import PopCEL
internal import PopRuleFiles
internal import PopScheduler
public import PopSource

extension Lints {
    /// Lints about the parts of the users who see popups.
    static let rollouts: [any Lint.Type] = [
        RolloutToNobody.self, FractionOfPercent.self, DecreasingRollout.self,
        RolloutByFewValues.self, RolloutKeyedByMomentaryValue.self, LargeControl.self,
    ]
}

/// A rollout, a range or step of a rollout, a holdout, a share or a control below one percent,
/// whose number may be meant as a fraction, such as 0.2 for 20 percent.
///
/// Bad:
/// ```yaml
/// context: { user.id: { type: string, default: "" } }
/// popups: { welcome: { rollout: { percent: 0.2, by: user.id } } }
/// ```
/// ```yaml
/// context: { user.id: { type: string, default: "" } }
/// holdout: { percent: 0.05, by: user.id }
/// popups: { welcome: {} }
/// ```
/// ```yaml
/// context: { user.id: { type: string, default: "" } }
/// popups: { welcome: { experiment: { by: user.id, share: 0.5, variants: { a: {}, b: {} } } } }
/// ```
/// ```yaml
/// context: { user.id: { type: string, default: "" } }
/// popups: { welcome: { rollout: { range: [0.5, 1], by: user.id } } }
/// ```
/// ```yaml
/// context: { user.id: { type: string, default: "" } }
/// popups: { welcome: { rollout: { steps: { 2027-05-03: 0.05, 2027-05-10: 100 }, by: user.id } } }
/// ```
/// Good:
/// ```yaml
/// context: { user.id: { type: string, default: "" } }
/// popups: { welcome: { rollout: { percent: 20, by: user.id } } }
/// ```
public enum FractionOfPercent: Lint {
    public static let check = Check.hygieneFractionOfPercent

    public static func findings(in subject: LintSubject) -> [Diagnostic] {
        let model = subject.model
        let popups = model.popups.entries.flatMap { popup in
            let experiment = popup.limits.experiment?.value.division
            let rollout = popup.limits.rollout?.value
            let steps = rollout?.steps?.value.map { Optional($0.percent) } ?? []
            return ([rollout?.percent, experiment?.share, experiment?.control] + steps)
                .map { ($0, "popup `\(popup.name.value)`") }
        }
        let experiments = model.experiments.entries.flatMap { experiment in
            [experiment.division.share, experiment.division.control]
                .map { ($0, "experiment `\(experiment.name.value)`") }
        }
        let all = [(model.holdout?.value.percent, "`holdout`")] + experiments + popups
        // A value of `defaults` has one place for many popups.
        var seen: Set<SourceRange> = []
        let fractions = all.compactMap { percent, subject -> Diagnostic? in
            guard let percent, percent.value > 0, percent.value < 1,
                seen.insert(percent.range).inserted
            else { return nil }
            return .fraction(percent, of: subject)
        }
        let parts = model.popups.entries.compactMap { popup -> Diagnostic? in
            guard let part = popup.limits.rollout?.value.range, part.value.upperBound <= 1,
                seen.insert(part.range).inserted
            else { return nil }
            return .fraction(part, of: "popup `\(popup.name.value)`")
        }
        return fractions + parts
    }
}

extension Diagnostic {
    fileprivate static func fraction(_ part: Located<Range<Double>>, of subject: String) -> Self {
        let bounds = [part.value.lowerBound, part.value.upperBound].map { text(hundredfold($0)) }
        let meant = "[\(bounds.joined(separator: ", "))]"
        return Diagnostic(
            .hygieneFractionOfPercent,
            message: "`range` is in percent, and this range ends at"
                + " \(text(part.value.upperBound)) percent of the users",
            at: part.range, label: "within the first 1 % of the users", subject: subject,
            help: [
                "if you mean from \(bounds[0]) to \(bounds[1]) percent, write `\(meant)`",
                "to keep this value, add a comment such as"
                    + " `# poprules:ignore[P0806] first test with few users`",
            ],
            fixes: [
                Fix(
                    "write `\(meant)`", edits: [.init(part.range, replacement: meant)],
                    isSafe: false)
            ])
    }

    fileprivate static func fraction(_ percent: Located<Double>, of subject: String) -> Self {
        let hundredfold = hundredfold(percent.value)
        let meant = text(hundredfold)
        var diagnostic = Diagnostic(
            .hygieneFractionOfPercent,
            message: "\(percent.value) percent is \(part(percent.value))",
            at: percent.range, label: "less than 1 % of the users", subject: subject,
            help: [
                "to keep this value, add a comment such as"
                    + " `# poprules:ignore[P0806] first test with few users`"
            ])
        // A much smaller number can't have been meant as a part of a hundred.
        guard hundredfold >= 0.01 else { return diagnostic }
        diagnostic.help.insert("if you mean \(meant) percent, write `\(meant)`", at: 0)
        diagnostic.fixes = [
            Fix(
                "write `\(meant)`", edits: [.init(percent.range, replacement: meant)],
                isSafe: false)
        ]
        return diagnostic
    }

    /// To six decimal places, in which doubles are exact enough to be read.
    private static func hundredfold(_ part: Double) -> Double {
        (part * 100_000_000).rounded() / 1_000_000
    }

    /// A number without a point where it is whole.
    private static func text(_ number: Double) -> String {
        number == number.rounded() ? "\(Int(number))" : "\(number)"
    }

    /// Returns a percentage as one of a number of users.
    private static func part(_ percent: Double) -> String {
        let users = (100 / percent).rounded()
        guard users <= 1_000_000_000 else { return "less than one user in 1000000000" }
        return "\(users * percent == 100 ? "" : "about ")one user in \(Int(users))"
    }
}

/// A step of a rollout that reaches fewer users than the one before.
///
/// Bad:
/// ```yaml
/// context: { user.id: { type: string, default: "" } }
/// popups:
///   welcome:
///     rollout: { by: user.id, steps: { 2027-01-10: 50, 2027-01-20: 10 } }
/// ```
/// Good:
/// ```yaml
/// context: { user.id: { type: string, default: "" } }
/// popups:
///   welcome:
///     rollout: { by: user.id, steps: { 2027-01-10: 10, 2027-01-20: 50 } }
/// ```
public enum DecreasingRollout: Lint {
    public static let check = Check.hygieneStepsGoDown

    public static func findings(in subject: LintSubject) -> [Diagnostic] {
        subject.model.popups.entries.flatMap { popup -> [Diagnostic] in
            guard let steps = popup.limits.rollout?.value.steps?.value else { return [] }
            let outOfOrder = zip(steps, steps.dropFirst()).filter { first, next in
                first.begins.value > next.begins.value
                    && first.percent.value < next.percent.value
            }
            // The percentages are as meant, and so a date is not.
            if !outOfOrder.isEmpty {
                return outOfOrder.map { .dates($0, $1, of: popup.name.value) }
            }
            let ordered = steps.sorted { $0.begins.value < $1.begins.value }
            return zip(ordered, ordered.dropFirst()).compactMap { earlier, later in
                later.percent.value < earlier.percent.value
                    ? .stepDown(later, after: earlier, of: popup.name.value) : nil
            }
        }
    }
}

extension Diagnostic {
    fileprivate static func dates(
        _ step: RolloutStepModel, _ next: RolloutStepModel, of popup: String
    ) -> Self {
        Diagnostic(
            .hygieneStepsGoDown,
            message: "the steps of the rollout are not in the order of their dates",
            at: step.begins.range, label: "later than the date of the next step",
            subject: "popup `\(popup)`",
            secondary: [Label("the date of the next step", at: next.begins.range)],
            notes: [
                "in the order of the dates, the rollout goes back to fewer users: users who leave"
                    + " the rollout no longer see the popup"
            ],
            help: [
                "correct the date that is wrong, so that each step has a later date than the step"
                    + " before"
            ])
    }

    fileprivate static func stepDown(
        _ step: RolloutStepModel, after earlier: RolloutStepModel, of popup: String
    ) -> Self {
        Diagnostic(
            .hygieneStepsGoDown, message: "the rollout goes back to fewer users",
            at: step.percent.range, label: "less than in the step before",
            subject: "popup `\(popup)`",
            secondary: [Label("the step before", at: earlier.percent.range)],
            notes: ["users who leave the rollout no longer see the popup"],
            help: [
                "write a number that is at least as large as in the step before, or remove this"
                    + " step"
            ])
    }
}

/// A rollout, an experiment or a holdout by a key that has few values: users with the same value
/// are treated all alike.
///
/// Bad:
///
/// ```yaml
/// context: { user.plan: { type: string, values: [free, pro], default: free } }
/// popups: { welcome: { rollout: { percent: 20, by: user.plan } } }
/// ```
///
/// ```yaml
/// context: { user.plan: { type: string, values: [free, pro], default: free } }
/// popups: { welcome: { experiment: { by: user.plan, variants: { short: {}, long: {} } } } }
/// ```
///
/// ```yaml
/// context: { user.plan: { type: string, values: [free, pro], default: free } }
/// popups: { welcome: { rollout: { range: [50, 100], by: user.plan } } }
/// ```
///
/// Good:
///
/// ```yaml
/// context: { user.id: { type: string, default: "" } }
/// popups: { welcome: { rollout: { percent: 20, by: user.id } } }
/// ```
public enum RolloutByFewValues: Lint {
    public static let check = Check.hygieneRolloutByFewValues

    /// With as many values a percent is met well enough.
    private static let enough = 100

    public static func findings(in subject: LintSubject) -> [Diagnostic] {
        let popups = subject.model.popups.entries
        let rollouts = popups.compactMap { popup -> Draw? in
            guard let rollout = popup.limits.rollout?.value, rollout.drawsUsers else { return nil }
            return Draw(by: rollout.by, what: "rollout", subject: "popup `\(popup.name.value)`")
        }
        let experiments =
            popups.map { ("popup `\($0.name.value)`", $0.limits.experiment?.value.division.by) }
            + subject.model.experiments.entries
            .map { ("experiment `\($0.name.value)`", $0.division.by) }
        let holdout = Draw(
            by: subject.model.holdout?.value.by, what: "holdout", subject: "`holdout`")
        let others = experiments.map { Draw(by: $1, what: "experiment", subject: $0) } + [holdout]
        return (rollouts + others).compactMap { draw in
            guard let by = draw.by, let key = subject.model.context[by.value],
                let count = key.count, count < enough
            else { return nil }
            return .fewValues(by, count: count, declaration: key.name.range, of: draw)
        }
    }
}

extension RolloutModel {
    /// True if some users see the popup and others do not, at some time.
    fileprivate var drawsUsers: Bool {
        let ends =
            [percent?.value, range?.value.upperBound].compactMap { $0 }
            + (steps?.value ?? []).map(\.percent.value)
        return ends.contains { $0 > 0 && $0 < 100 }
            || range.map { $0.value.lowerBound > 0 } ?? false
    }
}

/// An assignment of users by a key.
private struct Draw {
    let by: Located<String>?
    let what: String
    let subject: String
}

extension ContextKeyModel {
    /// The number of values that the key can have; nil if its declaration does not bound it.
    fileprivate var count: Int? {
        if let values = allowedValues?.value { return Set(values.map(\.value)).count }
        if type?.value == .bool { return 2 }
        guard case .int(let low)? = minimum?.value, case .int(let high)? = maximum?.value,
            low <= high
        else { return nil }
        let (span, isHuge) = high.subtractingReportingOverflow(low)
        return isHuge || span == .max ? nil : Int(span) + 1
    }
}

extension Diagnostic {
    fileprivate static func fewValues(
        _ by: Located<String>, count: Int, declaration: SourceRange, of draw: Draw
    ) -> Self {
        let values = count == 1 ? "one value" : "\(count) values"
        return Diagnostic(
            .hygieneRolloutByFewValues,
            message: "the \(draw.what) assigns users by `\(by.value)`, which has only \(values)",
            at: by.range,
            label: "all users with the same value are treated alike",
            subject: draw.subject,
            secondary: [Label("`\(by.value)` is declared here", at: declaration)],
            help: ["use a key that identifies users, such as the user id"])
    }
}

/// Users that are assigned by a momentary key: the same user is in at one time and out at another.
///
/// Bad:
/// ```yaml
/// context: { app.screen: { type: string, default: "", momentary: true } }
/// popups: { welcome: { rollout: { percent: 20, by: app.screen } } }
/// ```
/// ```yaml
/// context: { app.screen: { type: string, default: "", momentary: true } }
/// holdout: { percent: 5, by: app.screen }
/// popups: { welcome: {} }
/// ```
/// Good:
/// ```yaml
/// context: { user.id: { type: string, default: "" } }
/// popups: { welcome: { rollout: { percent: 20, by: user.id } } }
/// ```
/// ```yaml
/// context: { app.screen: { type: string, default: "", momentary: true } }
/// popups: { welcome: { rollout: { percent: 100, by: app.screen } } }
/// ```
public enum RolloutKeyedByMomentaryValue: Lint {
    public static let check = Check.hygieneDrawnByMoment

    public static func findings(in subject: LintSubject) -> [Diagnostic] {
        let model = subject.model
        let popups = model.popups.entries.flatMap { popup in
            [popup.limits.rollout?.value.keyThatDraws, popup.limits.experiment?.value.division.by]
        }
        let shared =
            [model.holdout?.value.keyThatDraws] + model.layers.entries.map(\.by)
            + model.experiments.entries.map(\.division.by)
        // A value of `defaults` has one place for many popups.
        var seen: Set<SourceRange> = []
        return (shared + popups).compactMap(\.self).compactMap { by in
            guard let key = model.context[by.value], let momentary = key.isMomentary,
                momentary.value, seen.insert(by.range).inserted
            else { return nil }
            return .momentary(by, declaration: momentary.range)
        }
    }
}

/// Returns true if a part of the users is neither none nor all of them.
private func isPart(_ percent: Double) -> Bool { percent > 0 && percent < 100 }

extension RolloutModel {
    /// Nil if no user is assigned by it, because all are in or none is.
    fileprivate var keyThatDraws: Located<String>? {
        let bounds =
            [percent?.value, range?.value.lowerBound, range?.value.upperBound].compactMap(\.self)
            + (steps?.value.map(\.percent.value) ?? [])
        return bounds.contains(where: isPart) ? by : nil
    }
}

extension HoldoutModel {
    /// Nil if no user is assigned by it.
    fileprivate var keyThatDraws: Located<String>? {
        percent.map { isPart($0.value) } ?? false ? by : nil
    }
}

extension Diagnostic {
    fileprivate static func momentary(_ by: Located<String>, declaration: SourceRange) -> Self {
        Diagnostic(
            .hygieneDrawnByMoment,
            message:
                "users are assigned by `\(by.value)`, which describes the situation, not the user",
            at: by.range, label: "if this value changes, the user is assigned again",
            secondary: [
                Label("`\(by.value)` is declared as describing the situation", at: declaration)
            ],
            help: ["use a key that stays the same for a user, such as the user id"])
    }
}
