internal import PopCEL
internal import PopLogic
internal import PopScenario
package import PopScheduler
internal import PopSource

/// A search for scenarios that show a change.
package struct ChangeScenarioSearch {
    let earlier: RuleSet
    let later: RuleSet
    let stages: ChangeStages
    let limits: AnalysisLimits
    private var meetings: [PairAnalysis]
    /// The fields that conditions of each rule set read, for the payloads of events.
    private let readFields: [ReadFields]

    package init(from earlier: RuleSet, to later: RuleSet, limits: AnalysisLimits = .standard) {
        self.earlier = earlier
        self.later = later
        self.limits = limits
        stages = ChangeStages(earlier: PreparedRules(earlier), later: PreparedRules(later))
        meetings = [later, earlier].map { PairAnalysis($0, limits: limits) }
        readFields = [later, earlier].map { ReadFields($0) }
    }

    /// Returns the reason why no scenario is searched for a key of a popup; nil if one is searched.
    package static func reasonAgainst(_ key: String) -> String? {
        unseen.contains(key) ? "on its own, this key does not change what an app shows" : nil
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
            return Set(own.map { RulePhrases(rules).text($0) })
        }
        return names(old, earlier) == names(new, later)
            ? "only `manual` changed, and an app can request a popup with or without `manual`" : nil
    }

    /// Searches for a scenario in which a popup shows that only one of the rule sets has; nil if
    /// none was found.
    package mutating func storyOfPresence(of id: String) -> ChangeScenario? {
        for opening in beginnings(about: [id]) {
            guard var runs = runs(opening, about: [id]) else { return nil }
            runs.isOfLater = !earlier.popups.contains { $0.id == id }
            let story = present(id, opening, of: "presence", in: &runs) {
                $0.isShowing != $1.isShowing
            }
            if let story { return story }
        }
        return nil
    }

    /// Searches for a scenario about a changed key of a popup; nil if none was found.
    package mutating func story(of key: String, popup id: String) -> ChangeScenario? {
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
    package mutating func story(of affected: RuleChanges.Affected) -> ChangeScenario? {
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
            guard var runs = runs(opening, about: [affected.popup]) else { return nil }
            // Acts in a scenario may reverse the difference.
            let story = present(affected.popup, opening, of: key, in: &runs) {
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
            var demand = Requirement([])
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
            let kept = Requirement(
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
        var beginning: ScenarioStart
        let rules: RuleSet
        let isLater: Bool
        private var payloads: [EventIndex: [String: Value]]
        /// Further fields that events carry, including those that only the other rule set declares.
        fileprivate var carried: [String: Value] = [:]
        private let readFields: [ReadFields]

        fileprivate init(
            _ opening: PairAnalysis.Opening, of rules: RuleSet, isLater: Bool,
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
            _ facts: [Witness.Fact], of popup: PopupRule, as meetings: PairAnalysis
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
        func firing(_ id: String) -> [ScenarioAct] {
            guard let popup = rules.popups.first(where: { $0.id == id }),
                let event = popup.eventTriggers.first
            else { return [.enqueue(id)] }
            let before = min(event.occurrence.first, Self.mostSends) - 1
            let apart = [send(event), .wait(Self.betweenSends)]
            return Array(repeating: apart, count: before).flatMap { $0 } + [send(event)]
        }

        func send(_ event: EventTrigger) -> ScenarioAct {
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
    func runs(_ opening: Opening, about ids: [String]) -> PairedRun? {
        guard limits.budget.charge(.judgedPopups, stages.costOfStart) else { return nil }
        return PairedRun(opening.beginning, about: ids, on: stages, within: limits.budget)
    }
}

/// A popup before and after, and the key that is compared.
struct PopupChange {
    let key: String
    let old: PopupRule
    let new: PopupRule

    var id: String { new.id }
}

// Scenarios in which a popup that shows is dismissed.
extension ChangeScenarioSearch {
    /// Searches for a scenario in which a condition dismisses the popup with only one of the rule
    /// sets.
    func dismissStory(of change: PopupChange, _ opening: Opening) -> ChangeScenario? {
        let reasons: Set<ReasonCode> = [.dismissCondition, .notTriggered, .outsideHours, .expired]
        for (opening, act) in ends(of: change, opening) {
            guard var runs = runs(opening, about: [change.id]) else { return nil }
            _ = present(change.id, opening, of: change.key, in: &runs) { _, _ in false }
            guard runs.isShowingInBoth(change.id) else { continue }
            runs.take(act)
            runs.take(.wait([change.old, change.new].map { $0.timing.minShow }.max() ?? .zero))
            let story = runs.story(of: change.key) { $0.differs(from: $1, because: reasons) }
            if let story { return story }
        }
        return nil
    }

    /// Returns beginnings, and an act for each while the popup shows.
    private func ends(of change: PopupChange, _ opening: Opening) -> [(Opening, ScenarioAct)] {
        var ends = keysOfEnd(of: change).map { (opening, ScenarioAct.set($0)) }
        if let close = [change.old, change.new].compactMap({ closing(of: $0, opening) }).min() {
            var late = opening
            late.beginning.start = close.later(by: .zero - Self.beforeClosing)
            ends.append((late, .wait(Self.beforeClosing)))
        }
        return ends
    }

    /// Returns context values for which one condition dismisses the popup and the other one
    /// doesn't.
    private func keysOfEnd(of change: PopupChange) -> [[String: Value]] {
        let (old, new) = (change.old.dismissWhen?.program, change.new.dismissWhen?.program)
        let before = old.map { Requirement([$0]) }
        let after = new.map { Requirement([$0], isLater: true) }
        var logic = Logic(
            of: [old, new].compactMap { $0 },
            declarations: Declarations(earlier: earlier, later: later).whileShowing(),
            limits: limits.logic)
        let answers: [Answer] =
            switch (before, after) {
            case (let before?, let after?):
                [logic.implies(before, after), logic.implies(after, before)]
            case (let one?, nil), (nil, let one?): [logic.isNever(one)]
            case (nil, nil): []
            }
        return answers.compactMap { answer in
            guard case .no(let witness) = answer else { return nil }
            var values: [String: Value] = [:]
            for fact in witness.facts {
                guard case .variable(let name) = fact.entry, let value = fact.value,
                    later.keys.contains(where: { $0.name == name })
                else { continue }
                values[name] = value
            }
            return values.isEmpty ? nil : values
        }
    }

    /// Returns the next quarter of an hour at which an open schedule is closed; nil if there is
    /// none.
    private func closing(of popup: PopupRule, _ opening: Opening) -> Timestamp? {
        let start = opening.beginning.start
        let aligned = Timestamp(seconds: start.seconds / 900 * 900)
        let windows = OpenWindows(popup.timing.schedule)
        guard windows.isOpen(at: aligned, within: limits.budget) == true else { return nil }
        return (1...Self.quartersOfDays).lazy.map { aligned.later(by: .seconds(900 * $0)) }
            .first { windows.isOpen(at: $0, within: limits.budget) == false }
    }

    /// The time between the impression of a popup and the end of its schedule.
    private static let beforeClosing = Duration.seconds(5)
}

extension RuleSet {
    /// Returns the caps that count a popup together with others.
    func caps(sharedBy id: String) -> [WindowCap] {
        guard let popup = popups.first(where: { $0.id == id }) else { return [] }
        let limits = self.limits.filter {
            $0.popups.includes(popup.scheduler, tags: popup.texts.tags)
        }
        return (popup.group.map { groups[$0].caps } ?? [])
            + [schedulers[popup.scheduler].cap].compactMap { $0 } + limits.map(\.cap)
    }
}

// Scenarios about the goals of a popup.
extension ChangeScenarioSearch {
    /// Searches for a scenario in which an event reaches a goal, after an impression, with only one
    /// of the rule sets.
    func goalStory(of change: PopupChange, _ opening: Opening) -> ChangeScenario? {
        for old in change.old.goals {
            guard let new = change.new.goals.first(where: { $0.name == old.name }) else { continue }
            let (first, last) = (min(old.within, new.within), max(old.within, new.within))
            let events = [later.events[new.event].name, earlier.events[old.event].name]
            for opening in openings(for: old, new, of: change, opening) {
                for (event, time) in events.flatMap({ event in
                    [.zero, first + (last - first) / 2].map { (event, $0) }
                }) {
                    guard var runs = runs(opening, about: [change.id]) else { return nil }
                    _ = present(change.id, opening, of: change.key, in: &runs) { _, _ in false }
                    guard runs.isShowingInBoth(change.id) else { break }
                    runs.take(.close(change.id))
                    runs.take(.wait(time))
                    runs.take(.send(event, opening.payload(of: event)))
                    if let story = runs.storyOfGoals(of: change.id) { return story }
                }
            }
        }
        return nil
    }

    /// Returns beginnings in which an event meets the earlier goal and not the later one, or vice
    /// versa, or the earlier goal.
    private func openings(
        for old: Goal, _ new: Goal, of change: PopupChange, _ opening: Opening
    ) -> [Opening] {
        let (former, latter) = (old.where?.program, new.where?.program)
        let before = Requirement([former].compactMap { $0 })
        let after = Requirement([latter].compactMap { $0 }, isLater: true)
        if before.isEmpty, after.isEmpty { return [opening] }
        var logic = Logic(
            of: [former, latter].compactMap { $0 },
            declarations: Declarations(earlier: earlier, later: later).whileShowing(),
            limits: limits.logic)
        let answers = [
            logic.implies(before, after), logic.implies(after, before), logic.isNever(before),
        ]
        return answers.compactMap { answer in
            guard case .no(let witness) = answer else { return nil }
            return self.opening(opening, for: witness.facts, of: change.new)
        }
    }
}
