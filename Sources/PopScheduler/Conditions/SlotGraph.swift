internal import PopCEL

/// Which slots of a rule set hang on which: worked out once, read at every change.
struct SlotGraph: Sendable {
    /// For each slot the slots of the named conditions that read it themselves.
    private(set) var readers: [[Int]]
    /// For each slot its place in an order in which every named condition stands behind what it
    /// reads.
    private(set) var ranks: [Int]
    /// Whether the value of a slot changes by the mere passing of time.
    private(set) var isTimed: [Bool]
    /// By the slot: its meaning's `isComputed`.
    private(set) var isComputed: [Bool]
    /// Whether a slot stands for a named condition.
    private(set) var hasConditions = false
    /// Slots of named conditions that read each other in a circle.
    private(set) var cyclic: Set<Int> = []

    private(set) var nowSlot: Int?
    /// By the key's index.
    private let slotsOfKeys: [Int]
    private(set) var slotsOfPopup: [Int: [Int]] = [:]
    private(set) var slotsOfEvent: [String: [Int]] = [:]
    private(set) var payloadSlots: [Int] = []

    init(_ rules: RuleSet) {
        let slots = Self.slotsOfKeys(rules)
        slotsOfKeys = slots
        let count = max(rules.slots.count, (slots.max() ?? -1) + 1)
        readers = Array(repeating: [], count: count)
        ranks = Array(repeating: 0, count: count)
        isTimed = Array(repeating: false, count: count)
        isComputed = Array(repeating: false, count: count)
        for (slot, meaning) in rules.slots.enumerated() {
            isComputed[slot] = meaning.isComputed
            index(slot, meaning: meaning, in: rules)
        }
        sort(rules)
    }

    /// How many slots there are.
    var count: Int { readers.count }

    func slot(ofKey key: Int) -> Int { slotsOfKeys[key] }

    /// By the key's index. Keys that nothing reads have slots too, behind those of the rules.
    static func slotsOfKeys(_ rules: RuleSet) -> [Int] {
        var slots = Array(repeating: -1, count: rules.keys.count)
        for (slot, meaning) in rules.slots.enumerated() {
            if case .key(let key) = meaning { slots[key] = slot }
        }
        var next = rules.slots.count
        for key in slots.indices where slots[key] < 0 {
            slots[key] = next
            next += 1
        }
        return slots
    }

    private mutating func index(_ slot: Int, meaning: SlotMeaning, in rules: RuleSet) {
        switch meaning {
        case .key, .sessionStarted: break
        case .condition(let condition):
            hasConditions = true
            for read in rules.conditions[condition].condition.program.slots {
                readers[read].append(slot)
            }
        case .now:
            nowSlot = slot
            isTimed[slot] = true
        case .shownCount(let popup), .lastShown(let popup), .lastReason(let popup):
            slotsOfPopup[popup, default: []].append(slot)
        case .eventCount(let event, let within):
            slotsOfEvent[event, default: []].append(slot)
            isTimed[slot] = within != nil
        case .lastEvent(let event): slotsOfEvent[event, default: []].append(slot)
        case .payload, .payloadField: payloadSlots.append(slot)
        }
    }

    /// Takes the slots whose inputs are all placed, one after the other; what is left over stands
    /// in a circle.
    private mutating func sort(_ rules: RuleSet) {
        var open = rules.slots.map { meaning -> Int in
            guard case .condition(let condition) = meaning else { return 0 }
            return rules.conditions[condition].condition.program.slots.count
        }
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

    /// The slots of the named conditions that hang on some slots, also through others, in the order
    /// of `ranks`.
    func dependents(of slots: [Int]) -> [Int] {
        // Most slots are read by popups alone.
        guard slots.contains(where: { !readers[$0].isEmpty }) else { return [] }
        var found: Set<Int> = []
        var pending = slots
        while let slot = pending.popLast() {
            for reader in readers[slot] where found.insert(reader).inserted {
                pending.append(reader)
            }
        }
        return found.sorted { (ranks[$0], $0) < (ranks[$1], $1) }
    }
}
