internal import PopCEL

/// Whose eligibility may change with something.
enum Watcher: Sendable {
    /// A popup whose task waits, is chosen or is on a screen.
    case popup(PopupIndex)
    /// A lane whose visible popup has a `dismiss_when`.
    case lane(LaneIndex)
}

/// Who has to be woken when something changes: by the slot of that thing.
///
/// Whoever is woken is taken out, so that a change that comes again before anyone has looked costs
/// nothing. All of it is plain integers in a few arrays; putting in and taking out are constant for
/// each key.
struct Watchers: Sendable {
    /// What one watcher watches or watched last: a row of `places`, one for each slot.
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
        /// It has been woken or taken out.
        static let out: Int32 = -2

        var isIn: Bool { previous != Self.out }
    }

    /// The first place that watches a slot, and its watcher, which is so known a look into memory
    /// earlier.
    private struct First: Sendable {
        var place = Place.none
        var watcher = PackedWatcher.nobody
    }

    private var firsts: ParallelArray<SlotIndex, First>
    private var places: [Place] = []
    /// Rows that nobody uses, by the number of their places.
    private var vacant: [Int: [Int32]] = [:]

    init(count: Int) { firsts = ParallelArray(repeating: First(), count: count) }

    func isWatched(_ slot: SlotIndex) -> Bool { firsts[slot].place != Place.none }

    /// Watches exactly these slots from now on. Mostly they are the same as before, and all but one
    /// are watched still.
    mutating func watch(_ slots: ArraySlice<SlotIndex>, as watcher: Watcher, at post: inout Post) {
        if !isPost(post, for: slots) {
            giveUp(post)
            post = makePost(slots, as: watcher)
        }
        resume(post)
    }

    /// Watches again what has been taken out since.
    mutating func resume(_ post: Post) {
        for place in Int(post.start)..<Int(post.start + post.count)
        where !places[place].isIn {
            enter(place)
        }
    }

    /// Watches nothing any more. The post remains, for the next time.
    mutating func leave(_ post: Post) {
        for place in Int(post.start)..<Int(post.start + post.count)
        where places[place].isIn {
            exit(place)
        }
    }

    /// Takes one of those who watch a slot out, in no particular order; nil when there is none.
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

    /// A post for slots that nobody watches from there yet.
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

/// What else eligibility hangs on is watched as though it were in slots, behind those of the rules.
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
