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
    /// In the order of the ids of their checks.
    public static let all: [any Lint.Type] = [
        DuplicateItem.self, UnusedCondition.self, UnusedGroup.self, UnusedKey.self,
        UnusedDefault.self, UnusedExperiment.self, UnusedLimit.self,
        DiscardBeforeTrue.self, AwaitForever.self, SwitchIgnored.self,
        ZeroTiming.self, MinShowOverHideAfter.self, LatentEqualPriority.self, CapUnreachable.self,
        Expired.self, NoZone.self, DSTGap.self, NoEnd.self, ZoneLetters.self,
        EmptyPlaceholder.self, NoOwner.self, NoDescription.self, WhenFalse.self, OnePriority.self,
        RolloutToNobody.self, FractionOfPercent.self, RolloutByFewValues.self, DismissedAtOnce.self,
        MaxWaitTooShort.self, EndedByTrigger.self, StepsGoDown.self, NoGoal.self,
        ContainedEntry.self, AlwaysQuiet.self, NoSchedule.self, StartOrSession.self,
        SameSalt.self, DrawnByMoment.self, SectionAsPopup.self,
        LongDelay.self, OwnTrigger.self, StaleEvent.self, UncountedActions.self,
        OnceADayAtStart.self, QuietByDay.self, OwnImpressions.self, SmallPriorities.self,
    ]

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
