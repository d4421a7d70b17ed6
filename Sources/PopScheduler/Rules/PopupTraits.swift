internal import PopCEL

/// What the scheduler asks of a rule at every step, in half a cache line; a rule itself has several.
struct PopupTraits: Sendable {
    /// Here too, so that it is found without another array.
    let rule: PopupRule
    let priority: Int
    /// Where the condition begins in the scheduler's table.
    private let start: Int32
    private let scheduler: Int32
    /// Whether a task is dropped when it is passed over.
    let isDiscardable: Bool
    /// Whether there is a condition, and it reads no slots that are worked out.
    private let isUsual: Bool
    /// Whether nothing but its condition and the cap of its scheduler decides when the popup may show, and no time of its
    /// own when it goes on the screen or leaves the queue.
    let isPlain: Bool

    /// `slots` are those of the rule set.
    init(
        _ rule: PopupRule, _ slots: [SlotMeaning], conditionStart: Int32 = 0,
        isForeign: Bool = false
    ) {
        self.rule = rule
        priority = rule.priority
        start = conditionStart
        scheduler = Int32(rule.scheduler)
        isDiscardable = rule.untriggered == .discard
        isUsual = rule.when?.program.slots.allSatisfy { !slots[$0].isComputed } ?? false
        isPlain =
            !isForeign && rule.isEnabled && rule.hasNoRareKeys && rule.group == nil
            && rule.after.isEmpty && rule.delay == .zero && rule.grace == .zero
    }

    var lane: Int { Int(scheduler) }

    /// Where to evaluate the condition in the scheduler's table; nil when it is not to be evaluated there.
    var conditionStart: Int32? { isUsual ? start : nil }
}

extension RuleSet {
    /// The traits of all popups, and their conditions.
    func traitsOfPopups() -> ([PopupTraits], ConditionTable) {
        let (conditions, starts) = ConditionTable.holding(popups.map { $0.when?.program })
        let traits = popups.indices.map {
            PopupTraits(popups[$0], slots, conditionStart: starts[$0])
        }
        return (traits, conditions)
    }
}
