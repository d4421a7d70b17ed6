internal import PopCEL
internal import PopLogic
internal import PopScheduler

// The events that trigger a popup, before and after.
extension Comparison {
    /// Compares the events that each trigger lets pass; nil if the triggers themselves differ.
    func triggers(from old: PopupRule, to new: PopupRule) -> Finding? {
        let (one, other) = (triggers(of: old, in: earlier), triggers(of: new, in: later))
        guard let one, let other, Set(one.keys) == Set(other.keys) else { return nil }
        var finding = Finding()
        for (name, latter) in other.sorted(by: { $0.key < $1.key }) {
            guard let former = one[name] else { continue }
            let before = Demand(either: former)
            let after = Demand(either: latter, isLater: true)
            guard let sides = sides(from: before, to: after) else {
                finding.add(notCompared("trigger", demands: [before, after]))
                continue
            }
            if sides.words.isEmpty { continue }
            let line = RuleChanges.Line(
                key: "trigger", text: "\(name): \(sides.text)", details: sides.details)
            let event = new.eventTriggers.first.map { later.events[$0.event].name }
            let affected =
                new.triggers.count > 1 || event == nil
                ? []
                : sides.affected.map {
                    RuleChanges.Affected(
                        popup: new.id, person: $0.person, isGained: $0.isGained, facts: $0.facts,
                        event: event)
                }
            finding.add(
                Finding(lines: [line], affected: affected, isDecided: sides.isDecided))
        }
        return finding
    }

    /// Returns the conditions of triggers by their names. An event must meet one of the conditions;
    /// an empty list lets all events pass. Returns nil if two triggers have the same name and count
    /// events.
    private func triggers(of popup: PopupRule, in rules: RuleSet) -> [String: [Condition]]? {
        let words = RuleWords(rules)
        var all: [String: [Condition]] = [:]
        for trigger in popup.triggers {
            var condition: Condition?
            if case .event(let event) = trigger { condition = event.where }
            let name = words.name(of: trigger)
            guard let known = all[name] else {
                all[name] = condition.map { [$0] } ?? []
                continue
            }
            if case .event(let event) = trigger, event.occurrence != .any { return nil }
            all[name] = known.isEmpty ? [] : condition.map { known + [$0] } ?? []
        }
        return all
    }

    /// Returns true if the conditions on events differ.
    func hasOtherTriggers(_ old: PopupRule, than new: PopupRule) -> Bool {
        Set(old.eventConditions.map { signature(of: $0.condition, in: earlier) })
            != Set(new.eventConditions.map { signature(of: $0.condition, in: later) })
    }

    /// Compares the users who meet both the condition of the only trigger and those of the popup;
    /// nil if there are several triggers.
    func together(from old: PopupRule, to new: PopupRule) -> Sides? {
        guard old.triggers.count == 1, new.triggers.count == 1,
            case .event(let one) = old.triggers[0], case .event(let other) = new.triggers[0],
            one.occurrence == other.occurrence,
            earlier.events[one.event].name == later.events[other.event].name
        else { return nil }
        let before = Demand([one.where?.program].compactMap { $0 })
        let after = Demand([other.where?.program].compactMap { $0 }, isLater: true)
        return sides(
            from: old.demand(in: earlier).joined(before),
            to: new.demand(in: later, isLater: true).joined(after))
    }
}

extension Demand {
    /// Creates a demand that one of some conditions is true; without conditions, nothing is
    /// required.
    init(either conditions: [Condition], isLater: Bool = false) {
        self.init([], isLater: isLater)
        either = conditions.map { $0.program }
    }
}
