internal import PopCEL
internal import PopSource

/// The dependencies among the slots of a rule set: computed once, read at every change.
struct SlotGraph: Sendable {
    /// For each slot, the slots of the named conditions that read it directly.
    private(set) var readers: ParallelArray<SlotIndex, [SlotIndex]>
    /// For each slot, its place in an order in which every named condition comes after the slots
    /// that it reads.
    private(set) var ranks: ParallelArray<SlotIndex, Int>
    /// For each slot, true if its value changes by the mere passing of time.
    private(set) var isTimed: ParallelArray<SlotIndex, Bool>
    /// By the slot: its meaning's `isComputed`.
    private(set) var isComputed: ParallelArray<SlotIndex, Bool>
    /// True if a slot is a named condition.
    private(set) var hasConditions = false
    /// The slots of named conditions that read each other in a cycle.
    private(set) var cyclic: Set<SlotIndex> = []

    private(set) var nowSlot: SlotIndex?
    /// The slot of `schedule.open`; nil if no condition reads it.
    private(set) var scheduleSlot: SlotIndex?
    private let slotsOfKeys: ParallelArray<KeyIndex, SlotIndex>
    private(set) var slotsOfPopup: [PopupIndex: [SlotIndex]] = [:]
    private(set) var slotsOfEvent: [String: [SlotIndex]] = [:]
    private(set) var sessionSlots: [SlotIndex] = []
    private(set) var payloadSlots: [SlotIndex] = []

    init(_ rules: RuleSet) {
        let slots = Self.slotsOfKeys(rules)
        slotsOfKeys = slots
        let count = max(rules.slots.count, (slots.max()?.number ?? -1) + 1)
        readers = ParallelArray(repeating: [], count: count)
        ranks = ParallelArray(repeating: 0, count: count)
        isTimed = ParallelArray(repeating: false, count: count)
        isComputed = ParallelArray(repeating: false, count: count)
        for slot in rules.slots.places {
            isComputed[slot] = rules.slots[slot].isComputed
            index(slot, meaning: rules.slots[slot], in: rules)
        }
        sort(rules)
    }

    /// The number of slots.
    var count: Int { readers.count }

    func slot(ofKey key: KeyIndex) -> SlotIndex { slotsOfKeys[key] }

    /// Returns the slots by the key's index. Keys that nothing reads have slots too, after those of
    /// the rules.
    static func slotsOfKeys(_ rules: RuleSet) -> ParallelArray<KeyIndex, SlotIndex> {
        var known = ParallelArray<KeyIndex, SlotIndex?>(repeating: nil, count: rules.keys.count)
        for slot in rules.slots.places {
            if case .key(let key) = rules.slots[slot] { known[key] = slot }
        }
        var next = rules.slots.places.upperBound
        return ParallelArray(
            rules.keys.places.map { key in
                if let slot = known[key] { return slot }
                defer { next = next.advanced(by: 1) }
                return next
            })
    }

    private mutating func index(_ slot: SlotIndex, meaning: SlotMeaning, in rules: RuleSet) {
        switch meaning {
        case .key: break
        case .session: sessionSlots.append(slot)
        case .condition(let condition):
            hasConditions = true
            for read in rules.conditions[condition].condition.program.slots {
                readers[read].append(slot)
            }
        case .now:
            nowSlot = slot
            isTimed[slot] = true
        case .shownCount(let popup), .lastShown(let popup), .lastReason(let popup),
            .variant(let popup), .exposedCount(let popup), .lastAction(let popup),
            .closedCount(let popup), .converted(let popup), .acted(let popup, _),
            .lastActed(let popup, _):
            slotsOfPopup[popup, default: []].append(slot)
        case .eventCount(let event, let within):
            slotsOfEvent[event, default: []].append(slot)
            isTimed[slot] = within != nil
        case .lastEvent(let event): slotsOfEvent[event, default: []].append(slot)
        case .sinceEvent(let event):
            slotsOfEvent[event, default: []].append(slot)
            isTimed[slot] = true
        case .eventSum(let sum):
            slotsOfEvent[sum.event, default: []].append(slot)
            isTimed[slot] = true
        case .scheduleOpen: scheduleSlot = slot
        case .payload, .payloadField: payloadSlots.append(slot)
        }
    }

    /// Ranks the slots whose inputs are all ranked, one after the other; the remaining slots are in
    /// a cycle.
    private mutating func sort(_ rules: RuleSet) {
        var open = ParallelArray<SlotIndex, Int>(
            rules.slots.map { meaning in
                guard case .condition(let condition) = meaning else { return 0 }
                return rules.conditions[condition].condition.program.slots.count
            })
        var ready = open.indices.filter { open[$0] == 0 }
        var next = 0
        while next < ready.count {
            let slot = ready[next]
            ranks[slot] = next
            next += 1
            for reader in readers[slot] {
                isTimed[reader] = isTimed[reader] || isTimed[slot]
                open[reader] -= 1
                if open[reader] == 0 { ready.append(reader) }
            }
        }
        cyclic = Set(open.indices.filter { open[$0] > 0 })
    }

    /// Returns the slots of the named conditions that depend on some slots, directly or not, in the
    /// order of `ranks`.
    func dependents(of slots: [SlotIndex]) -> [SlotIndex] {
        // Most slots are read only by popups.
        guard slots.contains(where: { !readers[$0].isEmpty }) else { return [] }
        var found: Set<SlotIndex> = []
        var pending = slots
        while let slot = pending.popLast() {
            for reader in readers[slot] where found.insert(reader).inserted {
                pending.append(reader)
            }
        }
        return found.ordered { (ranks[$0], $0) < (ranks[$1], $1) }
    }
}
