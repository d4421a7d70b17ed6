internal import PopCEL

/// What the scheduler asks of a rule at every step, in less than a cache line; a rule itself has
/// several.
struct PopupTraits: Sendable {
    let id: String
    let priority: Int
    /// Where the condition stands in the scheduler's table; `none` for a hand-made popup.
    let condition: ConditionTable.Place
    private let scheduler: Int32
    /// Whether a task is dropped when it is passed over.
    let isDiscardable: Bool
    /// Whether there is a condition, and it reads no slots that are worked out.
    let isUsual: Bool
    /// Whether nothing but its condition and the cap of its scheduler decides when the popup may
    /// show, and no time of its own when it goes on the screen or leaves the queue.
    var isPlain: Bool
    /// What its content takes to be filled in; nothing for a hand-made popup.
    let needs: ContentNeeds
    /// Whether it is not shown in quiet hours.
    let isQuiet: Bool
    /// Whether others come after it.
    let isPredecessor: Bool
    /// Whether it takes the screen from any of lower priority.
    let isUrgent: Bool
    /// Whether users see variants of it, or nothing.
    let hasExperiment: Bool

    /// `slots` are those of the rule set.
    init(
        _ rule: PopupRule, slots: [SlotMeaning], condition: ConditionTable.Place = .none,
        isForeign: Bool = false, isPredecessor: Bool = false, isLocalized: Bool = false,
        isQuiet: Bool = false
    ) {
        id = rule.id
        priority = rule.priority
        self.isPredecessor = isPredecessor
        isUrgent = rule.isUrgent
        hasExperiment = !isForeign && rule.hasExperiment
        self.condition = condition
        scheduler = Int32(rule.scheduler.number)
        let needs = rule.contentNeeds.union(isLocalized ? .language : [])
        self.needs = isForeign ? [] : needs
        isDiscardable = rule.untriggered == .discard
        isUsual = rule.when?.program.slots.allSatisfy { !slots[$0].isComputed } ?? false
        self.isQuiet = isQuiet
        isPlain =
            !isForeign && !isQuiet && rule.isEnabled && rule.hasNoLimits && rule.group == nil
            && rule.after.isEmpty
    }

    var lane: LaneIndex { LaneIndex(Int(scheduler)) }
}

extension RuleSet {
    /// Whether a popup is not shown in quiet hours.
    package func isQuiet(_ popup: PopupIndex) -> Bool {
        guard let quiet, !popups[popup].isEssential else { return false }
        return quiet.popups.includes(popups[popup].scheduler, tags: popups[popup].texts.tags)
    }

    /// The traits of all popups, and their conditions.
    func traitsOfPopups() -> (ParallelArray<PopupIndex, PopupTraits>, ConditionTable) {
        // By position: going through the rules themselves copies each.
        let programs = popups.places.map { popups[$0].when?.program }
        let (conditions, places) = ConditionTable.holding(programs)
        let predecessors = Set(popups.places.lazy.flatMap { popups[$0].after.map { $0.popup } })
        let localized = Set(templates.filter { !$0.localizedFields.isEmpty }.map { $0.name })
        let traits = popups.places.map {
            PopupTraits(
                popups[$0], slots: slots, condition: places[$0.number],
                isPredecessor: predecessors.contains($0),
                isLocalized: !localized.isEmpty
                    && !localized.isDisjoint(with: popups[$0].templates),
                isQuiet: isQuiet($0))
        }
        return (ParallelArray(traits), conditions)
    }
}
