import PopCEL
import PopExplanations
import PopScheduler
import PopSource
import PopStories

extension PopupExplanation {
    /// Returns the whole answer to `why`: the reason, the deciding facts, and the popup's rule.
    func lines(in rules: RuleSet) -> [String] {
        var lines = [sentence]
        if let place = position {
            lines.append("position \(place) of \(waiting) in the queue of `\(scheduler)`")
        }
        if let occupant, occupant != popup { lines.append("`\(occupant)` is on the screen") }
        if let until { lines.append("until \(until)") }
        if let ending = lastEnding {
            lines.append("last time: \(ending.meaning) (\(ending.rawValue))")
        }
        lines += conditionLines
        if let rule = rules.popups.first(where: { $0.id == popup }) {
            lines += ["", "rule"]
            lines += rule.lines(in: rules).map { "  " + $0 }
        }
        let rest = lines.count - PlayLimits.answer
        return rest > 0 ? lines.prefix(PlayLimits.answer) + ["… \(rest) more lines"] : lines
    }

    private var conditionLines: [String] {
        guard let report = conditionReport else { return [] }
        return ["", "\(role?.rawValue ?? "condition"): \(report.decision)"]
            + report.facts.map { "  " + $0 }
            + report.tree(marksDeciding: true).map { "    " + $0 }
    }
}

extension PopupRule {
    fileprivate func lines(in rules: RuleSet) -> [String] {
        let triggers = triggers.map { rules.text(of: $0) }.joined(separator: " or ")
        let after = after.map { "`\(rules.popups[$0.popup].id)`\($0.how)" }
        return [
            "priority \(priority) on `\(rules.schedulers[scheduler].name)`, `switch: \(self.switch.rawValue)`",
            "trigger: \(triggers)",
            after.isEmpty ? nil : "after \(after.joined(separator: ", "))",
            group.map { "in the group `\(rules.groups[$0].name)`" },
            texts.description,
        ].compactMap { $0 }
    }
}
