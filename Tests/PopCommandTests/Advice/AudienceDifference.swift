import PopAnalysis
import PopCEL
import PopLogic
import PopScheduler
import PopSource

/// Whether fixes change whom popups are for, by the diagrams of their conditions.
enum AudienceDifference {
    /// The popups that could be read before a fix and are for others behind it, each with somebody
    /// who is in one of both audiences.
    ///
    /// What has errors could not be read: a fix of it, such as of a misspelt key, gives it a
    /// meaning, which it had not before.
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
        _ earlier: Demand, _ later: Demand, _ declarations: Declarations
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
    /// What decides who may see a popup: first its own conditions and its group's, then what lets
    /// events pass.
    fileprivate func demands(of popup: PopupIndex) -> [Demand] {
        let rule = popups[popup]
        let group = rule.group.flatMap { groups[$0].when }
        let shown = Demand(
            [group, rule.when].compactMap { $0?.program },
            unmet: [rule.dismissWhen].compactMap { $0?.program })
        let windows = rule.timing.schedule.map { Demand([$0.when].compactMap { $0?.program }) }
        return [shown] + windows + rule.eventConditions.map { Demand([$0.condition.program]) }
    }
}
