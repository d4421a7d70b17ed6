internal import PopCEL
public import PopRuleFiles
internal import PopScenario
public import PopScheduler
public import PopSource

/// Checks of relations between popups: popups that never show because of another one, and popups
/// whose order only the files determine.
public enum PairChecks {
    /// Returns the findings about rules. Ties on the schedulers in `lanes` are reported elsewhere.
    /// Parts with errors, and parts that may depend on them, are left out.
    public static func findings(
        in model: RuleModel, rules: RuleSet, withoutTiesOn lanes: Set<LaneIndex> = [],
        without broken: BrokenParts = BrokenParts(), limits: AnalysisLimits = .standard
    ) -> Diagnostics {
        findings(
            in: model, rules: rules, withoutTiesOn: lanes, without: broken, limits: limits,
            check: {})
    }

    /// Returns the same findings. `check` is called repeatedly, and can end the analysis by
    /// throwing.
    public static func findings(
        in model: RuleModel, rules: RuleSet, withoutTiesOn lanes: Set<LaneIndex>,
        without broken: BrokenParts, limits: AnalysisLimits = .standard,
        check: () throws -> Void
    ) rethrows -> Diagnostics {
        let claims = try PairClaims(
            rules, withoutTiesOn: lanes, without: broken, limits: limits, check: check)
        var findings = Diagnostics()
        for shadow in claims.shadows {
            findings.report(.shadowed(shadow, model: model, rules: rules))
        }
        for tie in claims.ties { findings.report(.tied(tie, model: model, rules: rules)) }
        return findings
    }
}

/// The claims about popups that meet.
package struct PairClaims: Sendable {
    package let shadows: [Shadow]
    package let ties: [Tie]

    package init(
        _ rules: RuleSet, withoutTiesOn lanes: Set<LaneIndex> = [],
        without broken: BrokenParts = BrokenParts(), limits: AnalysisLimits = .standard
    ) {
        self.init(rules, withoutTiesOn: lanes, without: broken, limits: limits, check: {})
    }

    /// Makes the same claims. `check` is called repeatedly, and can end the analysis by throwing.
    init(
        _ rules: RuleSet, withoutTiesOn lanes: Set<LaneIndex>, without broken: BrokenParts,
        limits: AnalysisLimits, check: () throws -> Void
    ) rethrows {
        var clear = rules
        for popup in broken.unclear { clear.popups[popup].isEnabled = false }
        var meetings = PairAnalysis(clear, leavingOpen: broken.conditions, limits: limits)
        shadows = try meetings.shadows(check: check)
        ties = try meetings.ties(leavingOut: lanes, check: check)
    }
}

extension Diagnostic {
    fileprivate static func shadowed(
        _ shadow: Shadow, model: RuleModel, rules: RuleSet
    ) -> Self {
        let popup = model.popups.entries[shadow.popup].name
        let other = model.popups.entries[shadow.other].name
        let user = shadow.story.beginning.userText
        return Diagnostic(
            .scheduleShadowed,
            message: "`\(popup.value)` never shows unless the app refuses to show `\(other.value)`",
            at: popup.range, label: "never shows", subject: "popup `\(popup.value)`",
            secondary: [Label("shows first", at: other.range)],
            notes: [
                "all users who may see `\(popup.value)` may also see `\(other.value)`; whenever"
                    + " `\(popup.value)` is queued, `\(other.value)` is queued, too, and shows"
                    + " first",
                "\(user.map { "with \($0) " } ?? "")`\(other.value)` shows, and after that"
                    + " `\(popup.value)` cannot show anymore",
            ],
            help: [
                "give `\(popup.value)` a higher `priority`, or let it show to users who have seen"
                    + " `\(other.value)`"
            ])
    }

    fileprivate static func tied(_ tie: Tie, model: RuleModel, rules: RuleSet) -> Self {
        let scheduler = rules.schedulers[rules.popups[tie.winner].scheduler]
        let isNewestFirst =
            scheduler.strategy == .lifo
            || scheduler.strategy == .priority && scheduler.tieBreak == .lifo
        let order = isNewestFirst ? tie.popups.reversed() : tie.popups
        let names = order.map { model.popups.entries[$0].name }
        let others = names.count == 2 ? "`\(names[1].value)`" : "\(names.count - 1) others"
        let isRanked = scheduler.strategy == .priority
        var notes = [
            "popups that are queued at the same time show in the"
                + " \(isNewestFirst ? "reverse order" : "order") of the file names and of the lines"
                + " in each file"
        ]
        if tie.isLost {
            let loser = rules.popups[tie.loser].id
            notes.insert("`\(loser)` then does not show at all: \(tie.loss.code)", at: 0)
        }
        var finding = Diagnostic(
            .scheduleTie,
            message: "`\(names[0].value)` shows before \(others)"
                + "\(isRanked ? " of the same priority" : "") only because of the"
                + " \(tie.isOfFiles ? "file names" : "order of their lines")",
            at: names[0].range, label: "shows first", subject: "popup `\(names[0].value)`",
            secondary: names.dropFirst().prefix(4).enumerated().map { index, popup in
                let text = "shows after `\(names[0].value)`"
                return Label(index == 0 ? text : "also \(text)", at: popup.range)
            },
            notes: notes,
            help: [
                isRanked
                    ? "give the more important popup a higher `priority`"
                    : "move \(tie.isOfFiles ? "them into one file, with " : "")the popup that must"
                        + " show first"
                        + " \(isNewestFirst ? "below" : "above") the others: `\(scheduler.name)`"
                        + " ignores their `priority`"
            ])
        if tie.isLost { finding.level = .warning }
        return finding
    }
}

extension LoserOutcome {
    fileprivate var code: String {
        switch self {
        case .postponed: ""
        case .lost(let reason), .keptAway(let reason, _), .starved(let reason), .lapsed(let reason):
            reason.rawValue
        }
    }
}

extension ScenarioStart {
    /// The context that the app has set, such as `user.plan: "pro"`; nil if it is empty.
    package var userText: String? {
        if context.isEmpty { return nil }
        return context.sorted { $0.key < $1.key }
            .map { "`\($0.key): \($0.value.yaml)`" }.joined(separator: ", ")
    }
}
