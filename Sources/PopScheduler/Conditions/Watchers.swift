internal import PopCEL

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

    private var firsts: ParallelArray<SlotIndex, First>
    private var places: [Place] = []
    /// Unused rows, by the number of their places.
    private var vacant: [Int: [Int32]] = [:]

    init(count: Int) { firsts = ParallelArray(repeating: First(), count: count) }

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
