import PopAnalysis
import PopCEL
import PopLogic
import PopScheduler
import PopSource

/// A comparison that finds out if fixes change the audiences of popups, by the diagrams of their
/// conditions.
enum AudienceDifference {
    /// Returns the popups that could be read before a fix and have another audience after it, each
    /// with a user who is in only one of the two audiences.
    ///
    /// Popups with errors could not be read: a fix of an error, such as of a misspelled key, gives
    /// them a meaning that they didn't have before.
    static func changed(from before: AdvisedWorkspace, to after: AdvisedWorkspace) -> [String] {
        guard let old = before.rules, let new = after.rules,
            let broken = BrokenParts(Diagnostics(before.findings), of: old)
        else { return [] }
        var declarations = Declarations(earlier: old, later: new)
        declarations = declarations.whileShowing()
        return old.popups.places.filter { !broken.hides($0) }.flatMap { popup -> [String] in
            let id = old.popups[popup].id
            guard let place = new.popups.firstPlace(where: { $0.id == id }) else {
                return ["\(id) is gone"]
            }
            let pairs = zip(old.demands(of: popup), new.demands(of: place))
            return pairs.compactMap { earlier, later in
                difference(earlier, later, declarations).map { "\(id): \($0)" }
            }
        }
    }

    private static func difference(
        _ earlier: Requirement, _ later: Requirement, _ declarations: Declarations
    ) -> String? {
        var later = later
        later.isLater = true
        var logic = Logic(
            of: earlier.conditions + later.conditions, declarations: declarations)
        if case .no(let witness) = logic.implies(earlier, later) { return "not \(witness.facts)" }
        if case .no(let witness) = logic.implies(later, earlier) { return "also \(witness.facts)" }
        return nil
    }
}

extension RuleSet {
    /// Returns the conditions that decide who may see a popup: first the popup's own and its
    /// group's, then those of its schedule and of its events.
    fileprivate func demands(of popup: PopupIndex) -> [Requirement] {
        let rule = popups[popup]
        let group = rule.group.flatMap { groups[$0].when }
        let shown = Requirement(
            [group, rule.when].compactMap { $0?.program },
            unmet: [rule.dismissWhen].compactMap { $0?.program })
        let windows = rule.timing.schedule.map { Requirement([$0.when].compactMap { $0?.program }) }
        return [shown] + windows + rule.eventConditions.map { Requirement([$0.condition.program]) }
    }
}
