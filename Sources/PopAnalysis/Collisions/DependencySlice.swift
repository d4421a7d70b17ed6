internal import PopCEL
internal import PopLogic
internal import PopScheduler

/// The popups that may take part in scenarios of some popups, so that the others can be left out.
struct DependencySlice: Sendable {
    private struct Place: Hashable {
        let scheduler: LaneIndex
        let trigger: CommonTrigger
    }

    /// The enabled popups; if priorities decide, the highest first.
    private var members: [Place: [PopupIndex]] = [:]
    /// By popup, the popups that its actions trigger.
    private var triggered: [PopupIndex: [PopupIndex]] = [:]

    init(_ rules: RuleSet) {
        for popup in rules.popups.places where rules.popups[popup].isEnabled {
            let scheduler = rules.popups[popup].scheduler
            for trigger in rules.popups[popup].commonTriggers {
                members[Place(scheduler: scheduler, trigger: trigger), default: []].append(popup)
                if case .acted(let other, _) = trigger {
                    triggered[other, default: []].append(popup)
                }
            }
        }
        for (place, popups) in members
        where rules.schedulers[place.scheduler].strategy == .priority {
            members[place] = popups.sorted {
                let (one, other) = (rules.popups[$0].priority, rules.popups[$1].priority)
                return one == other ? $0 < $1 : one > other
            }
        }
    }

    /// Returns the given popups, those that may come before one of them when triggers fire, and
    /// those that a cap counts with them and that may come then on any screen, unless there are too
    /// many. Adds all popups on which any of these depends. Sorted in the order of the rules; nil
    /// if there are more than `most`.
    func popups(
        around popups: [PopupIndex], at triggers: [CommonTrigger], counted: Set<PopupIndex>,
        in rules: RuleSet, atMost most: Int
    ) -> [PopupIndex]? {
        var found = Set(popups)
        let beside = self.counted(counted, at: triggers, in: rules)
        if beside.count <= most / 2 { found.formUnion(beside) }
        for lane in Set(popups.map { rules.popups[$0].scheduler }) {
            let own = popups.map { rules.popups[$0] }.filter { $0.scheduler == lane }
            let isRanked = rules.schedulers[lane].strategy == .priority
            let lowest = isRanked ? own.map(\.priority).min() ?? .min : .min
            for trigger in Set(triggers + [.launch]) {
                let members = members[Place(scheduler: lane, trigger: trigger)] ?? []
                found.formUnion(
                    members.prefix(most + 1).prefix { rules.popups[$0].priority >= lowest })
                if found.count > most { return nil }
            }
        }
        var pending = Array(found)
        while let popup = pending.popLast() {
            let asked = rules.popupsAsked(by: popup).union(triggered[popup] ?? [])
            for other in asked where found.insert(other).inserted { pending.append(other) }
            if found.count > most { return nil }
        }
        return found.sorted()
    }

    /// Returns the counted popups that come when triggers fire, or at the start.
    private func counted(
        _ counted: Set<PopupIndex>, at triggers: [CommonTrigger], in rules: RuleSet
    ) -> [PopupIndex] {
        if counted.isEmpty { return [] }
        return rules.schedulers.places.flatMap { lane in
            Set(triggers + [.launch]).flatMap { trigger in
                (members[Place(scheduler: lane, trigger: trigger)] ?? []).filter(counted.contains)
            }
        }
    }
}

extension RuleSet {
    /// Returns the popups on which one depends: it comes after them, their actions trigger it, or
    /// its conditions read their history.
    fileprivate func popupsAsked(by popup: PopupIndex) -> Set<PopupIndex> {
        let rule = popups[popup]
        var found = Set(rule.after.map(\.popup))
        for case .acted(let other, _) in rule.triggers { found.insert(other) }
        let group = rule.group.flatMap { groups[$0].when }
        let conditions =
            rule.ownConditions + rule.eventConditions.map { $0.condition }
            + [group].compactMap { $0 }
        for program in conditions.map(\.program) {
            let used = self.conditions(usedBy: program)
            for one in [program] + used.map({ self.conditions[$0].condition.program }) {
                found.formUnion(one.slots.compactMap { slots[$0].popup })
            }
        }
        return found
    }

    /// Returns the rules with only these popups, in this order. None of them may depend on others.
    func keeping(_ members: [PopupIndex]) -> RuleSet {
        var places: [PopupIndex: PopupIndex] = [:]
        for (place, popup) in members.enumerated() { places[popup] = PopupIndex(place) }
        func place(_ popup: PopupIndex) -> PopupIndex { places[popup] ?? 0 }
        var rules = self
        rules.popups = members.map { popup in
            var rule = popups[popup]
            for index in rule.after.indices {
                rule.after[index].popup = place(rule.after[index].popup)
            }
            rule.triggers = rule.triggers.map { trigger in
                guard case .acted(let other, let action) = trigger else { return trigger }
                return .acted(popup: place(other), action: action)
            }
            return rule
        }
        // Slots that no condition reads anymore may have any meaning.
        rules.slots = slots.map { $0.moved(place) }
        return rules
    }
}

/// The popups that shared caps count: those that are enabled and not essential.
struct CountedPopups: Sendable {
    /// All of these popups in the order of the rules, which all lists use.
    let all: [PopupIndex]
    private let lanes: [PopupIndex: LaneIndex]
    private var ofGroup: [GroupIndex: [PopupIndex]] = [:]
    private var ofLane: [LaneIndex: [PopupIndex]] = [:]
    private var ofTag: [String: [PopupIndex]] = [:]

    /// Creates the lists. Linear in the popups and their tags.
    init(_ rules: RuleSet) {
        all = rules.popups.places.filter {
            rules.popups[$0].isEnabled && !rules.popups[$0].isEssential
        }
        var lanes: [PopupIndex: LaneIndex] = [:]
        for popup in all {
            let rule = rules.popups[popup]
            lanes[popup] = rule.scheduler
            if let group = rule.group { ofGroup[group, default: []].append(popup) }
            ofLane[rule.scheduler, default: []].append(popup)
            for tag in rule.texts.tags { ofTag[tag, default: []].append(popup) }
        }
        self.lanes = lanes
    }

    /// Returns the counted popups of a group.
    func popups(of group: GroupIndex) -> [PopupIndex] { ofGroup[group] ?? [] }

    /// Returns the counted popups of a scheduler.
    func popups(of lane: LaneIndex) -> [PopupIndex] { ofLane[lane] ?? [] }

    /// Returns the steps to find the popups of a selection, which is at least the number of popups.
    func steps(of selection: PopupSelection) -> Int {
        if !selection.tags.isEmpty {
            return selection.tags.reduce(0) { $0 + (ofTag[$1]?.count ?? 0) }
        }
        if selection.schedulers.isEmpty { return all.count }
        return selection.schedulers.reduce(0) { $0 + (ofLane[$1]?.count ?? 0) }
    }

    /// Returns the counted popups of a selection.
    func popups(of selection: PopupSelection) -> [PopupIndex] {
        if !selection.tags.isEmpty {
            let schedulers = Set(selection.schedulers)
            return Set(selection.tags.flatMap { ofTag[$0] ?? [] }).filter { popup in
                schedulers.isEmpty || lanes[popup].map(schedulers.contains) ?? false
            }.sorted()
        }
        if selection.schedulers.isEmpty { return all }
        return Set(selection.schedulers.flatMap { ofLane[$0] ?? [] }).sorted()
    }
}
