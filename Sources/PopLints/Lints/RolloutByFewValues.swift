internal import PopCEL
internal import PopRuleFiles
public import PopSource

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
            secondary: [Label("declared here", at: declaration)],
            help: ["assign by a key that identifies users, such as their id"])
    }
}
