internal import PopCEL
internal import PopLogic
package import PopScheduler
internal import PopSource

/// A search for scenarios that show a change.
package struct ChangeStorySearch {
    let earlier: RuleSet
    let later: RuleSet
    let stages: ChangeStages
    let limits: AnalysisLimits
    private var meetings: [Meetings]
    /// The fields that conditions of each rule set read, for the payloads of events.
    private let readFields: [ReadFields]

    package init(from earlier: RuleSet, to later: RuleSet, limits: AnalysisLimits = .standard) {
        self.earlier = earlier
        self.later = later
        self.limits = limits
        stages = ChangeStages(earlier: PreparedRules(earlier), later: PreparedRules(later))
        meetings = [later, earlier].map { Meetings($0, limits: limits) }
        readFields = [later, earlier].map { ReadFields($0) }
    }

    /// Returns the reason why no scenario is searched for a key of a popup; nil if one is searched.
    package static func reasonAgainst(_ key: String) -> String? {
        unseen.contains(key) ? "on its own it does not change what an app shows" : nil
    }

    private static let unseen: Set = [
        "description", "owner", "tags", "type", "default", "values", "min", "max", "fields",
        "actions", "localized", "locales",
    ]

    /// Returns the reason why no scenario is searched for changed triggers; nil if one is searched.
    package func reasonAgainst(triggersOf id: String) -> String? {
        guard let old = earlier.popups.first(where: { $0.id == id }),
            let new = later.popups.first(where: { $0.id == id })
        else { return nil }
        func names(_ popup: PopupRule, _ rules: RuleSet) -> Set<String> {
            let own = popup.triggers.filter {
                if case .occasion(.manual) = $0 { false } else { true }
            }
            return Set(own.map { RuleWords(rules).text($0) })
        }
        return names(old, earlier) == names(new, later)
            ? "an app can request a popup with or without the trigger `manual`" : nil
    }

    /// Searches for a scenario in which a popup shows that only one of the rule sets has; nil if
    /// none was found.
    package mutating func storyOfPresence(of id: String) -> ChangeStory? {
        for opening in beginnings(about: [id]) {
            guard var duet = duet(opening, about: [id]) else { return nil }
            duet.isOfLater = !earlier.popups.contains { $0.id == id }
            let story = present(id, opening, of: "presence", in: &duet) {
                $0.isShowing != $1.isShowing
            }
            if let story { return story }
        }
        return nil
    }

    /// Searches for a scenario about a changed key of a popup; nil if none was found.
    package mutating func story(of key: String, popup id: String) -> ChangeStory? {
        guard let old = earlier.popups.first(where: { $0.id == id }),
            let new = later.popups.first(where: { $0.id == id })
        else { return nil }
        let change = PopupChange(key: key, old: old, new: new)
        for beginning in beginnings(about: [id]) {
            if let story = story(of: change, beginning) { return story }
        }
        if Self.orderKeys.contains(key) { return orderStory(of: change) }
        if key == "group" { return sharedStory(of: key, among: groupMembers(of: change)) }
        return nil
    }

    /// Searches for a scenario with a user who sees a popup with only one of the rule sets, because
    /// the result of a condition differs.
    package mutating func story(of affected: RuleChanges.Affected) -> ChangeStory? {
        for known in beginnings(about: [affected.popup])
        where affected.isGained == known.isLater {
            var opening = known
            let meetings = meetings[known.isLater ? 0 : 1]
            guard let popup = opening.rules.popups.first(where: { $0.id == affected.popup }) else {
                continue
            }
            opening.take(affected.facts, of: popup, as: meetings)
            opening.carried = affected.person.payload
            guard meetings.draw(for: [popup], into: &opening.beginning)
            else { continue }
            let key = affected.event == nil ? "audience" : "trigger"
            guard var duet = duet(opening, about: [affected.popup]) else { return nil }
            // Acts in a scenario may reverse the difference.
            let story = present(affected.popup, opening, of: key, in: &duet) {
                $0.differs(from: $1, because: Self.conditionReasons)
                    && (affected.isGained ? $1 : $0).isShowing
            }
            if let story { return story }
        }
        return nil
    }

    private static let conditionReasons: Set<ReasonCode> = [
        .conditionFalse, .conditionError, .groupConditionFalse, .dismissCondition,
        .triggerFiltered,
    ]

    private static let orderKeys: Set = ["priority", "order", "switch", "urgent"]

    private func groupMembers(of change: PopupChange) -> [String] {
        let others = [(earlier, change.old), (later, change.new)].flatMap { rules, popup in
            rules.popups.filter { $0.group == popup.group && popup.group != nil }.map { $0.id }
        }
        return [change.id] + others.filter { $0 != change.id }
    }

    /// Returns beginnings with a user who sees popups with the later rules, and with the earlier
    /// rules.
    mutating func beginnings(about ids: [String]) -> [Opening] {
        var openings: [Opening] = []
        for position in meetings.indices {
            let rules = meetings[position].rules
            let places = ids.compactMap { id in rules.popups.firstPlace { $0.id == id } }
            guard places.count == ids.count, let first = places.first, let last = places.last else {
                continue
            }
            var demand = Demand([])
            for place in Set(places) {
                let triggers = rules.popups[place].triggers.compactMap(CommonTrigger.init)
                let asked = triggers.compactMap { meetings[position].demand(of: $0, by: [place]) }
                if asked.count == rules.popups[place].triggers.count, let one = asked.first {
                    demand = demand.joined(one)
                }
            }
            // Conditions on the history of other popups may fail if these show again.
            let asked = Set(places.flatMap { meetings[position].popupsRead(by: $0) })
                .subtracting(places)
            let kept = Demand(
                [], unmet: asked.sorted().compactMap { rules.popups[$0].when?.program })
            for demand in kept.isEmpty ? [demand] : [demand, demand.joined(kept)] {
                let known = meetings[position].opening(for: first, and: last, meeting: demand)
                if let known {
                    openings.append(
                        Opening(
                            known, of: rules, isLater: position == 0, carrying: readFields))
                }
            }
        }
        return openings
    }

    /// A user, and the ways in which popups are triggered for them.
    struct Opening {
        var beginning: StoryBeginning
        let rules: RuleSet
        let isLater: Bool
        private var payloads: [EventIndex: [String: Value]]
        /// Further fields that events carry, including those that only the other rule set declares.
        fileprivate var carried: [String: Value] = [:]
        private let readFields: [ReadFields]

        fileprivate init(
            _ opening: Meetings.Opening, of rules: RuleSet, isLater: Bool,
            carrying readFields: [ReadFields]
        ) {
            self.readFields = readFields
            beginning = opening.beginning
            payloads = opening.payloads
            self.rules = rules
            self.isLater = isLater
        }

        /// Replaces the facts about the user.
        fileprivate mutating func take(
            _ facts: [Witness.Fact], of popup: PopupRule, as meetings: Meetings
        ) {
            let facts = meetings.moved(facts, for: [popup], to: beginning.start)
            for fact in facts where fact.value == nil {
                guard case .key(let key)? = meetings.meanings[fact.entry] else { continue }
                beginning.context[rules.keys[key].name] = nil
            }
            let carried = beginning.take(facts, meanings: meetings.meanings, of: rules)
            payloads.merge(carried) { old, new in old.merging(new) { $1 } }
        }

        /// Returns the acts that trigger a popup, regardless of the acts before.
        func firing(_ id: String) -> [StoryAct] {
            guard let popup = rules.popups.first(where: { $0.id == id }),
                let event = popup.eventTriggers.first
            else { return [.enqueue(id)] }
            let before = min(event.occurrence.first, Self.mostSends) - 1
            let apart = [send(event), .wait(Self.betweenSends)]
            return Array(repeating: apart, count: before).flatMap { $0 } + [send(event)]
        }

        func send(_ event: EventTrigger) -> StoryAct {
            let name = rules.events[event.event].name
            let payload = (payloads[event.event] ?? [:]).merging(carried) { $1 }
            return .send(
                name, readFields.reduce(payload) { $1.completed($0, ofEvent: name) })
        }

        private static let mostSends = 20
        /// The interval between events that a popup counts.
        private static let betweenSends = Duration.seconds(60)
    }

    /// Returns the beginning for another user.
    func opening(
        _ opening: Opening, for facts: [Witness.Fact], of popup: PopupRule
    ) -> Opening {
        var opening = opening
        opening.take(facts, of: popup, as: meetings[opening.isLater ? 0 : 1])
        return opening
    }

    /// Returns both rule sets at the beginning of a scenario; nil if the budget is used up.
    func duet(_ opening: Opening, about ids: [String]) -> Duet? {
        guard limits.budget.charge(.judgedPopups, stages.costOfStart) else { return nil }
        return Duet(opening.beginning, about: ids, on: stages, within: limits.budget)
    }
}

/// A popup before and after, and the key that is compared.
struct PopupChange {
    let key: String
    let old: PopupRule
    let new: PopupRule

    var id: String { new.id }
}
