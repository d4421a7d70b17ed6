internal import PopCEL
internal import PopRuleFiles
public import PopSource

/// A rollout by a key that has few values: users with the same value see the popup all together, or
/// none of them.
///
/// Bad:
/// ```yaml
/// context: { user.plan: { type: string, values: [free, pro], default: free } }
/// popups: { welcome: { rollout: { percent: 20, by: user.plan } } }
/// ```
/// Good:
/// ```yaml
/// context: { user.id: { type: string, default: "" } }
/// popups: { welcome: { rollout: { percent: 20, by: user.id } } }
/// ```
public enum RolloutByFewValues: Lint {
    public static let check = Check.hygieneRolloutByFewValues

    /// With as many values a percent is met well enough.
    private static let enough = 100

    public static func findings(in subject: LintSubject) -> [Diagnostic] {
        subject.model.popups.entries.compactMap { popup in
            guard let rollout = popup.limits.rollout?.value, let by = rollout.by,
                let percent = rollout.percent, percent.value > 0, percent.value < 100,
                let key = subject.model.context[by.value], let count = key.count, count < enough
            else { return nil }
            return .fewValues(by, count: count, declaration: key.name.range, of: popup.name.value)
        }
    }
}

extension ContextKeyModel {
    /// How many values the key can have; nil when its declaration does not say.
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
        _ by: Located<String>, count: Int, declaration: SourceRange, of popup: String
    ) -> Self {
        let values = count == 1 ? "one value" : "\(count) values"
        return Diagnostic(
            .hygieneRolloutByFewValues,
            message: "the rollout draws by `\(by.value)`, which has \(values) only", at: by.range,
            label: "all users with the same value see the popup, or none",
            subject: "popup `\(popup)`",
            secondary: [Label("declared here", at: declaration)],
            help: ["draw by a key that tells users apart, such as their id"])
    }
}
