internal import PopCEL
internal import PopLogic
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
    func signatures(_ demand: Demand) -> [[String]] {
        let rules = demand.isLater ? later : earlier
        return [demand.met, demand.unmet, demand.either]
            .map { $0.map { signature(of: $0, in: rules) } }
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
        guard let alike = old.byText[text] else { return "`\(text)`" }
        let demands = [Demand([alike.program]), Demand([condition.program], isLater: true)]
        let unset = keysWithOtherDefault(readBy: demands)
        if unset.isEmpty || signatures(demands[0]) != signatures(demands[1]) {
            return "`\(text)` with the current meaning of its names"
        }
        return "`\(text)` with the current default of \(unset.joined(separator: ", "))"
    }

    /// Returns a condition of the earlier popup with the same meaning as a later one; preferably
    /// the one with the same source.
    private func former(of condition: Condition, beside old: FormerConditions) -> Condition? {
        let after = Demand([condition.program], isLater: true)
        func isSame(_ other: Condition) -> Bool {
            limits.budget.charge(.comparedPairs, Self.pairsPerComparison)
                && isEqual(Demand([other.program]), to: after)
        }
        if let alike = old.byText[condition.program.expression.description], isSame(alike) {
            return alike
        }
        return old.all.first { limits.budget.rest(of: .comparedPairs) > 0 && isSame($0) }
    }

    /// The number of pairs that take as long to compare as two conditions.
    private static let pairsPerComparison = 300

    /// Returns true if the same users certainly meet both.
    func isEqual(_ before: Demand, to after: Demand) -> Bool {
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
    func settings(of demands: [Demand]) -> [Setting]? {
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

    private func keysWithOtherDefault(readBy demands: [Demand]) -> [String] {
        entriesRead(by: demands).filter { declarations.hasOtherDefault($0) }
            .map { "`\($0.conditionText)`" }.sorted()
    }

    /// Returns the names of entries that demands read and whose type has changed.
    func othersRead(by demands: [Demand]) -> [String] {
        let words = TestWords(rules: later, declarations: declarations)
        return entriesRead(by: demands).filter { declarations.isDeclaredOtherwise($0) }
            .map { words.name($0) }.sorted()
    }

    /// Returns the entries that demands read, directly or through named conditions, by their common
    /// names.
    private func entriesRead(by demands: [Demand]) -> Set<SlotTable.Entry> {
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
        all.map { ($0.program.expression.description, $0) }, uniquingKeysWith: { first, _ in first }
    )

    init(of popup: PopupRule) {
        all = popup.ownConditions + popup.eventConditions.map { $0.condition }
    }
}
