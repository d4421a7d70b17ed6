internal import PopCEL
internal import PopSource

/// A popup or lane whose status may change when something else changes.
enum Watcher: Sendable {
    /// A popup whose task waits, is chosen or is on a screen.
    case popup(PopupIndex)
    /// A lane whose visible popup has a `dismiss_when`.
    case lane(LaneIndex)
}

/// The watchers to wake when something changes, by the slot that changes.
///
/// A woken watcher is taken out, so that another change before the watcher is examined costs
/// nothing. Everything is stored as plain integers in a few arrays; putting in and taking out are
/// constant for each key.
struct Watchers: Sendable {
    /// The slots that one watcher watches or watched last: a row of `places`, one for each slot.
    struct Post: Sendable {
        fileprivate var start: Int32 = 0
        fileprivate var count: Int32 = 0
    }

    /// One watcher at one slot, linked with the others of the slot.
    private struct Place: Sendable {
        var slot: Int32
        var watcher: PackedWatcher
        var next = Place.none
        /// `none` for the first of the slot.
        var previous = Place.out

        static let none: Int32 = -1
        /// The watcher was woken or taken out.
        static let out: Int32 = -2

        var isIn: Bool { previous != Self.out }
    }

    /// The first place that watches a slot, together with its watcher, which saves one access to
    /// memory.
    private struct First: Sendable {
        var place = Place.none
        var watcher = PackedWatcher.nobody
    }

    private var firsts: TypedArray<SlotIndex, First>
    private var places: [Place] = []
    /// Unused rows, by the number of their places.
    private var vacant: [Int: [Int32]] = [:]

    init(count: Int) { firsts = TypedArray(repeating: First(), count: count) }

    func isWatched(_ slot: SlotIndex) -> Bool { firsts[slot].place != Place.none }

    /// Watches exactly these slots from now on. Usually they are the same as before, and all but
    /// one are still watched.
    mutating func watch(_ slots: ArraySlice<SlotIndex>, as watcher: Watcher, at post: inout Post) {
        if !isPost(post, for: slots) {
            giveUp(post)
            post = makePost(slots, as: watcher)
        }
        resume(post)
    }

    /// Watches again the slots at which the watcher was woken or taken out.
    mutating func resume(_ post: Post) {
        for place in Int(post.start)..<Int(post.start + post.count)
        where !places[place].isIn {
            enter(place)
        }
    }

    /// Stops watching all slots. The post remains for the next time.
    mutating func leave(_ post: Post) {
        for place in Int(post.start)..<Int(post.start + post.count)
        where places[place].isIn {
            exit(place)
        }
    }

    /// Takes out one of the watchers of a slot, in no particular order; nil if the slot has no
    /// watcher.
    mutating func take(_ slot: SlotIndex) -> Watcher? {
        let first = firsts[slot]
        guard first.place != Place.none else { return nil }
        exit(Int(first.place))
        return first.watcher.watcher
    }

    private func isPost(_ post: Post, for slots: ArraySlice<SlotIndex>) -> Bool {
        guard slots.count == Int(post.count) else { return false }
        for (place, slot) in zip(Int(post.start)..., slots)
        where Int(places[place].slot) != slot.number {
            return false
        }
        return true
    }

    private mutating func giveUp(_ post: Post) {
        leave(post)
        if post.count > 0 { vacant[Int(post.count), default: []].append(post.start) }
    }

    /// Returns a new post for slots, which doesn't watch them yet.
    private mutating func makePost(_ slots: ArraySlice<SlotIndex>, as watcher: Watcher) -> Post {
        if slots.isEmpty { return Post() }
        let post: Post
        if !vacant.isEmpty, let start = vacant[slots.count]?.popLast() {
            post = Post(start: start, count: Int32(slots.count))
        } else {
            post = Post(start: Int32(places.count), count: Int32(slots.count))
            for _ in slots { places.append(Place(slot: 0, watcher: .nobody)) }
        }
        let packed = PackedWatcher(watcher)
        for (place, slot) in zip(Int(post.start)..., slots) {
            places[place] = Place(slot: Int32(slot.number), watcher: packed)
        }
        return post
    }

    private mutating func enter(_ place: Int) {
        let slot = SlotIndex(Int(places[place].slot))
        let next = firsts[slot].place
        firsts[slot] = First(place: Int32(place), watcher: places[place].watcher)
        places[place].next = next
        places[place].previous = Place.none
        if next != Place.none { places[Int(next)].previous = Int32(place) }
    }

    private mutating func exit(_ place: Int) {
        let (next, previous) = (places[place].next, places[place].previous)
        places[place].previous = Place.out
        if next != Place.none { places[Int(next)].previous = previous }
        if previous == Place.none {
            firsts[SlotIndex(Int(places[place].slot))] = First(
                place: next, watcher: next == Place.none ? .nobody : places[Int(next)].watcher)
        } else {
            places[Int(previous)].next = next
        }
    }
}

/// A watcher in half a word: the number of a popup, or the complement of that of a lane.
private struct PackedWatcher: Sendable {
    private let bits: Int32

    static let nobody = Self(.popup(0))

    init(_ watcher: Watcher) {
        switch watcher {
        case .popup(let popup): bits = Int32(popup.number)
        case .lane(let lane): bits = ~Int32(lane.number)
        }
    }

    var watcher: Watcher {
        bits < 0 ? .lane(LaneIndex(Int(~bits))) : .popup(PopupIndex(Int(bits)))
    }
}

/// The keys under which other dependencies of eligibility are watched as if they were slots, after
/// the slots of the rules.
struct WatchKeys: Sendable {
    private let slots: Int
    private let caps: Int
    private let popups: Int

    init(_ rules: RuleSet, slots: Int) {
        self.slots = slots
        caps = rules.sharedCaps.count
        popups = rules.popups.count
    }

    var count: Int { slots + caps + popups }

    func sharedCap(_ cap: SharedCapIndex) -> SlotIndex { SlotIndex(slots + cap.number) }
    func predecessor(_ popup: PopupIndex) -> SlotIndex { SlotIndex(slots + caps + popup.number) }
}

/// The dependencies among the slots of a rule set: computed once, read at every change.
struct SlotGraph: Sendable {
    /// For each slot, the slots of the named conditions that read it directly.
    private(set) var readers: TypedArray<SlotIndex, [SlotIndex]>
    /// For each slot, its place in an order in which every named condition comes after the slots
    /// that it reads.
    private(set) var ranks: TypedArray<SlotIndex, Int>
    /// For each slot, true if its value changes by the mere passing of time.
    private(set) var isTimed: TypedArray<SlotIndex, Bool>
    /// By the slot: its meaning's `isComputed`.
    private(set) var isComputed: TypedArray<SlotIndex, Bool>
    /// True if a slot is a named condition.
    private(set) var hasConditions = false
    /// The slots of named conditions that read each other in a cycle.
    private(set) var cyclic: Set<SlotIndex> = []

    private(set) var nowSlot: SlotIndex?
    /// The slot of `schedule.open`; nil if no condition reads it.
    private(set) var scheduleSlot: SlotIndex?
    private let slotsOfKeys: TypedArray<KeyIndex, SlotIndex>
    private(set) var slotsOfPopup: [PopupIndex: [SlotIndex]] = [:]
    private(set) var slotsOfEvent: [String: [SlotIndex]] = [:]
    private(set) var sessionSlots: [SlotIndex] = []
    private(set) var payloadSlots: [SlotIndex] = []

    init(_ rules: RuleSet) {
        let slots = Self.slotsOfKeys(rules)
        slotsOfKeys = slots
        let count = max(rules.slots.count, (slots.max()?.number ?? -1) + 1)
        readers = TypedArray(repeating: [], count: count)
        ranks = TypedArray(repeating: 0, count: count)
        isTimed = TypedArray(repeating: false, count: count)
        isComputed = TypedArray(repeating: false, count: count)
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
    static func slotsOfKeys(_ rules: RuleSet) -> TypedArray<KeyIndex, SlotIndex> {
        var known = TypedArray<KeyIndex, SlotIndex?>(repeating: nil, count: rules.keys.count)
        for slot in rules.slots.places {
            if case .key(let key) = rules.slots[slot] { known[key] = slot }
        }
        var next = rules.slots.places.upperBound
        return TypedArray(
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
        var open = TypedArray<SlotIndex, Int>(
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
