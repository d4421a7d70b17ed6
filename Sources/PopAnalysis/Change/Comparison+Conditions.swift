package import PopCEL
internal import PopExplanations
internal import PopLogic
internal import PopScenario
internal import PopScheduler
internal import PopSource

// The comparison of conditions of both rule sets by the users who meet them.
extension Comparison {
    /// Returns the source of a condition together with the definitions of its names.
    func signature(of condition: Condition, in rules: RuleSet) -> String {
        signature(of: condition.program, in: rules)
    }

    func signature(of program: Program, in rules: RuleSet) -> String {
        let named = rules.conditions(usedBy: program).map { rules.conditions[$0] }
            .map { "\($0.name): \($0.condition.program.expression.description)" }.sorted()
        return ([program.expression.description] + named).joined(separator: "\n")
    }

    /// Returns the signatures of a demand's conditions, which are equal only if all conditions are
    /// the same.
    func signatures(_ demand: Requirement) -> [[ExactText]] {
        let rules = demand.isLater ? later : earlier
        return [demand.met, demand.unmet, demand.either]
            .map { $0.map { ExactText(signature(of: $0, in: rules)) } }
    }

    /// Returns the signature of the earlier condition with the same meaning, or a new one if no
    /// condition has it.
    func signature(of condition: Condition, beside old: FormerConditions) -> String {
        former(of: condition, beside: old).map { signature(of: $0, in: earlier) }
            ?? "now " + signature(of: condition, in: later)
    }

    /// Returns the condition as text for users, as the earlier popup writes it if the meaning is
    /// the same.
    func words(for condition: Condition, beside old: FormerConditions) -> String {
        if let former = former(of: condition, beside: old) {
            return "`\(former.program.expression.description)`"
        }
        let text = condition.program.expression.description
        guard let alike = old.byText[ExactText(text)] else { return "`\(text)`" }
        let demands = [
            Requirement([alike.program]), Requirement([condition.program], isLater: true),
        ]
        let unset = keysWithOtherDefault(readBy: demands)
        if unset.isEmpty || signatures(demands[0]) != signatures(demands[1]) {
            return "`\(text)` with the current meaning of its names"
        }
        return "`\(text)` with the current default of \(unset.joined(separator: ", "))"
    }

    /// Returns a condition of the earlier popup with the same meaning as a later one; preferably
    /// the one with the same source.
    private func former(of condition: Condition, beside old: FormerConditions) -> Condition? {
        let after = Requirement([condition.program], isLater: true)
        func isSame(_ other: Condition) -> Bool {
            limits.budget.charge(.comparedPairs, Self.pairsPerComparison)
                && isEqual(Requirement([other.program]), to: after)
        }
        let text = ExactText(condition.program.expression.description)
        if let alike = old.byText[text], isSame(alike) { return alike }
        return old.all.first { limits.budget.rest(of: .comparedPairs) > 0 && isSame($0) }
    }

    /// The number of pairs that take as long to compare as two conditions.
    private static let pairsPerComparison = 300

    /// Returns true if the same users certainly meet both.
    func isEqual(_ before: Requirement, to after: Requirement) -> Bool {
        guard othersRead(by: [before, after]).isEmpty,
            let settings = settings(of: [before, after])
        else { return false }
        if signatures(before) == signatures(after), settings.count == 1 { return true }
        return settings.allSatisfy { setting in
            var logic = Logic(
                of: before.conditions, declarations: setting.declarations, limits: limits.logic)
            if case .yes = logic.implies(before, after), case .yes = logic.implies(after, before) {
                return true
            }
            return false
        }
    }
}

// MARK: Different declarations

extension Comparison {
    /// The known facts if the app hasn't set some of the keys with a different default.
    struct Setting {
        let declarations: Declarations
        /// The names of the keys that aren't set.
        let unset: [String]
    }

    /// The maximum number of keys with a different default that are considered together.
    private static let mostUnset = 3

    /// Returns all combinations of set and unset for the keys with a different default that demands
    /// read. The combination with all keys set comes first. Returns nil if there are too many.
    func settings(of demands: [Requirement]) -> [Setting]? {
        let keys = entriesRead(by: demands).filter { declarations.hasOtherDefault($0) }
        let sorted = keys.map { ($0.conditionText, $0) }.sorted { $0.0 < $1.0 }
        guard sorted.count <= Self.mostUnset else { return nil }
        return (0..<(1 << sorted.count)).map { number in
            let unset = sorted.indices.filter { number >> $0 & 1 == 1 }.map { sorted[$0] }
            return Setting(
                declarations: declarations.leavingUnset(Set(unset.map { $0.1 })),
                unset: unset.map { $0.0 })
        }
    }

    private func keysWithOtherDefault(readBy demands: [Requirement]) -> [String] {
        entriesRead(by: demands).filter { declarations.hasOtherDefault($0) }
            .map { "`\($0.conditionText)`" }.sorted()
    }

    /// Returns the names of entries that demands read and whose type has changed.
    func othersRead(by demands: [Requirement]) -> [String] {
        let words = AudienceText(rules: later, declarations: declarations)
        return entriesRead(by: demands).filter { declarations.isDeclaredOtherwise($0) }
            .map { words.name($0) }.sorted()
    }

    /// Returns the entries that demands read, directly or through named conditions, by their common
    /// names.
    private func entriesRead(by demands: [Requirement]) -> Set<SlotTable.Entry> {
        var found: Set<SlotTable.Entry> = []
        for demand in demands {
            let rules = demand.isLater ? later : earlier
            let named = demand.conditions.flatMap { rules.conditions(usedBy: $0) }
                .map { rules.conditions[$0].condition.program }
            for program in demand.conditions + named {
                for (_, entry) in program.slotEntries {
                    found.insert(declarations.commonEntry(entry, isLater: demand.isLater))
                }
            }
        }
        return found
    }
}

/// The conditions of an earlier popup, indexed by their source.
final class FormerConditions {
    let all: [Condition]
    /// The conditions by their source; the first one for each source.
    private(set) lazy var byText = Dictionary(
        all.map { (ExactText($0.program.expression.description), $0) },
        uniquingKeysWith: { first, _ in first })

    init(of popup: PopupRule) {
        all = popup.ownConditions + popup.eventConditions.map { $0.condition }
    }
}

// The events that trigger a popup, before and after.
extension Comparison {
    /// Compares the events that each trigger lets pass; nil if the triggers themselves differ.
    func triggers(from old: PopupRule, to new: PopupRule) -> Finding? {
        let (one, other) = (triggers(of: old, in: earlier), triggers(of: new, in: later))
        guard let one, let other, Set(one.keys) == Set(other.keys) else { return nil }
        var finding = Finding()
        for (name, latter) in other.sorted(by: { $0.key < $1.key }) {
            guard let former = one[name] else { continue }
            let before = Requirement(either: former)
            let after = Requirement(either: latter, isLater: true)
            guard let sides = sides(from: before, to: after) else {
                finding.add(notCompared("trigger", demands: [before, after]))
                continue
            }
            if sides.directions.isEmpty { continue }
            let line = RuleChanges.Line(
                key: "trigger", text: "\(name): \(sides.text(of: "events"))",
                details: sides.details)
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
        let words = RulePhrases(rules)
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
        Set(old.eventConditions.map { ExactText(signature(of: $0.condition, in: earlier)) })
            != Set(new.eventConditions.map { ExactText(signature(of: $0.condition, in: later)) })
    }

    /// Compares the users who meet both the condition of the only trigger and those of the popup;
    /// nil if there are several triggers.
    func together(from old: PopupRule, to new: PopupRule) -> Sides? {
        guard old.triggers.count == 1, new.triggers.count == 1,
            case .event(let one) = old.triggers[0], case .event(let other) = new.triggers[0],
            one.occurrence == other.occurrence,
            earlier.events[one.event].name == later.events[other.event].name
        else { return nil }
        let before = Requirement([one.where?.program].compactMap { $0 })
        let after = Requirement([other.where?.program].compactMap { $0 }, isLater: true)
        return sides(
            from: old.demand(in: earlier).joined(before),
            to: new.demand(in: later, isLater: true).joined(after))
    }
}

extension Requirement {
    /// Creates a demand that one of some conditions is true; without conditions, nothing is
    /// required.
    init(either conditions: [Condition], isLater: Bool = false) {
        self.init([], isLater: isLater)
        either = conditions.map { $0.program }
    }
}

extension SlotTable.Entry {
    /// The entry as conditions write it.
    package var conditionText: String {
        switch self {
        case .variable(let identity): return identity
        case .call(let function, let arguments):
            let texts = arguments.map { argument in
                guard case .duration(let duration) = argument else { return argument.description }
                return "duration(\"\(YAMLText.duration(duration))\")"
            }
            return "\(function)(\(texts.joined(separator: ", ")))"
        }
    }
}
