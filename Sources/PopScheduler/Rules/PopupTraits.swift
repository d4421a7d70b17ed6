internal import PopCEL

/// The properties of a rule that the scheduler reads at every step, in less than a cache line; a
/// rule itself takes several.
struct PopupTraits: Sendable {
    let id: String
    let priority: Int
    /// The place of the condition in the scheduler's table; `none` for a hand-made popup.
    let condition: ConditionTable.Place
    private let scheduler: Int32
    /// True if a task is dropped when it is passed over.
    let isDiscardable: Bool
    /// True if there is a condition that reads no computed slots.
    let isUsual: Bool
    /// True if only its condition and caps that all popups of its scheduler share decide when the
    /// popup may show, and if it has no times of its own for entering the screen or leaving the
    /// queue.
    var isPlain: Bool
    /// The needs of its content; empty for a hand-made popup.
    let needs: ContentNeeds
    /// True if it isn't shown in quiet hours.
    let isQuiet: Bool
    /// True if other popups come after it.
    let isPredecessor: Bool
    /// True if it takes the screen from popups of lower priority.
    let isUrgent: Bool
    /// True if users see variants of it, or nothing.
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
    /// Returns true if a popup isn't shown in quiet hours.
    package func isQuiet(_ popup: PopupIndex) -> Bool {
        guard let quiet, !popups[popup].isEssential else { return false }
        return quiet.popups.includes(popups[popup].scheduler, tags: popups[popup].texts.tags)
    }

    /// The traits of all popups, and their conditions.
    func traitsOfPopups() -> (ParallelArray<PopupIndex, PopupTraits>, ConditionTable) {
        // By position: iterating over the rules themselves copies each.
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
