internal import PopCEL

/// What the scheduler asks of a rule at every step, in half a cache line; a rule itself has several.
struct PopupTraits: Sendable {
    let when: Program?
    /// Whether the condition reads slots that are worked out.
    let readsComputed: Bool
    let lane: Int
    let priority: Int
    /// Whether a task is dropped when it is passed over.
    let isDiscardable: Bool
    /// Whether nothing but its condition and the cap of its scheduler decides when the popup may show, and no time of its
    /// own when it goes on the screen or leaves the queue.
    let isPlain: Bool

    /// `slots` are those of the rule set.
    init(_ rule: PopupRule, _ slots: [SlotMeaning], isForeign: Bool = false) {
        when = rule.when?.program
        readsComputed = when?.slots.contains { slots[$0].isComputed } ?? false
        lane = rule.scheduler
        priority = rule.priority
        isDiscardable = rule.untriggered == .discard
        isPlain =
            !isForeign && rule.isEnabled && rule.hasNoRareKeys && rule.group == nil
            && rule.after.isEmpty && rule.delay == .zero && rule.grace == .zero
    }
}
