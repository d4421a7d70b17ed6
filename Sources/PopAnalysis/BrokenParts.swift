internal import PopCEL
public import PopScheduler
public import PopSource

/// The parts of rules that have errors. The analysis makes no claims that could depend on them.
public struct BrokenParts: Sendable {
    /// The popups with errors, and the popups that read facts about such popups.
    private(set) var popups: Set<PopupIndex> = []
    /// The names of conditions with errors, or that read facts about popups with errors.
    private(set) var conditions: Set<String> = []
    private(set) var groups: Set<GroupIndex> = []
    /// The popups about which, or about whose relations to other popups, nothing is known.
    public private(set) var unclear: Set<PopupIndex> = []
    /// The names by which findings refer to the popups, conditions, and groups that no error
    /// affects.
    public private(set) var clearSubjects: Set<String> = []
    /// True if no part has errors.
    public private(set) var isEmpty = true

    /// Creates the value for rules without errors.
    public init() {}

    /// Creates the value from the findings in rules. Returns nil if an error is outside of popups,
    /// named conditions, and groups, because other parts may depend on it.
    public init?(_ findings: Diagnostics, of rules: RuleSet) {
        let errors = findings.list.filter { $0.level == .error }
        if errors.isEmpty { return }
        isEmpty = false
        let names = PartNames(rules)
        for error in errors {
            // Conditions in a cycle, or in long chains, can't be examined one by one.
            guard let part = error.subject.flatMap({ names.parts[$0] }),
                !part.isCondition || error.check != .refCycle && error.check != .conditionCost
            else { return nil }
            switch part {
            case .popup(let popup): popups.insert(popup)
            case .group(let group): groups.insert(group)
            case .condition(let name): conditions.insert(name)
            }
        }
        spread(in: rules)
        clearSubjects = Set(names.parts.filter { isClear($0.value) }.keys)
    }

    private func isClear(_ part: PartNames.Part) -> Bool {
        switch part {
        case .popup(let popup): !unclear.contains(popup)
        case .group(let group): !groups.contains(group)
        case .condition(let name): !conditions.contains(name)
        }
    }

    /// Returns true if a popup, or an entry that its conditions read, has errors.
    public func hides(_ popup: PopupIndex) -> Bool { unclear.contains(popup) }

    /// Adds the parts that read facts about broken popups, and the popups with uncertain relations
    /// to others.
    private mutating func spread(in rules: RuleSet) {
        let broken = popups
        func readsBroken(_ programs: [Program]) -> Bool {
            programs.contains { program in
                program.slots.contains { rules.slots[$0].popup.map(broken.contains) ?? false }
            }
        }
        for named in rules.conditions where readsBroken([named.condition.program]) {
            conditions.insert(named.name)
        }
        for group in rules.groups.places
        where readsBroken([rules.groups[group].when?.program].compactMap { $0 }) {
            groups.insert(group)
        }
        for popup in rules.popups.places where readsBroken(rules.programs(of: popup)) {
            popups.insert(popup)
        }
        let open = conditionsReading(conditions, in: rules)
        func isOpen(_ program: Program) -> Bool {
            program.slots.contains { slot in
                if case .condition(let place) = rules.slots[slot] {
                    open.contains(place)
                } else {
                    false
                }
            }
        }
        let openGroups = groups.union(
            rules.groups.places.filter { rules.groups[$0].when.map { isOpen($0.program) } ?? false }
        )
        unclear = popups.union(
            rules.popups.places.filter { popup in
                rules.popups[popup].group.map(openGroups.contains) ?? false
                    || rules.programs(of: popup).contains(where: isOpen)
            })
    }

    /// Returns the conditions with these names, and those that read them directly or through
    /// others.
    private func conditionsReading(
        _ names: Set<String>, in rules: RuleSet
    ) -> Set<ConditionIndex> {
        var found = Set(
            rules.conditions.places.filter { names.contains(rules.conditions[$0].name) })
        var hasGrown = !found.isEmpty
        while hasGrown {
            let reading = rules.conditions.places.filter { place in
                !found.contains(place)
                    && rules.conditions[place].condition.program.slots.contains { slot in
                        if case .condition(let read) = rules.slots[slot] {
                            found.contains(read)
                        } else {
                            false
                        }
                    }
            }
            found.formUnion(reading)
            hasGrown = !reading.isEmpty
        }
        return found
    }
}

/// The names by which findings refer to the parts of rules.
private struct PartNames {
    enum Part {
        case popup(PopupIndex)
        case condition(String)
        case group(GroupIndex)

        var isCondition: Bool {
            switch self {
            case .condition: true
            case .popup, .group: false
            }
        }
    }

    private(set) var parts: [String: Part] = [:]

    init(_ rules: RuleSet) {
        for popup in rules.popups.places {
            parts["popup `\(rules.popups[popup].id)`"] = .popup(popup)
        }
        for named in rules.conditions {
            parts["condition `\(named.name)`"] = .condition(named.name)
        }
        for group in rules.groups.places {
            parts["group `\(rules.groups[group].name)`"] = .group(group)
        }
    }
}

extension RuleSet {
    /// Returns all conditions that belong to the popup itself.
    fileprivate func programs(of popup: PopupIndex) -> [Program] {
        let rule = popups[popup]
        return (rule.ownConditions + rule.eventConditions.map { $0.condition }).map { $0.program }
    }
}
