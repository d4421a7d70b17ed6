/// Who has to be woken when something changes: by the number of that thing, its key.
///
/// Whoever is woken is taken out, so that a change that comes again before anyone has looked costs
/// nothing. All of it is plain integers in a few arrays; putting in and taking out are constant for
/// each key.
struct Watchers: Sendable {
    /// What one watcher watches or watched last: a row of `places`, one for each key.
    struct Post: Sendable {
        fileprivate var start: Int32 = 0
        fileprivate var count: Int32 = 0
    }

    /// One watcher at one key, linked with the others of the key.
    private struct Place: Sendable {
        var key: Int32
        var watcher: Int32
        var next = Place.none
        /// `none` for the first of the key.
        var previous = Place.out

        static let none: Int32 = -1
        /// It has been woken or taken out.
        static let out: Int32 = -2

        var isIn: Bool { previous != Self.out }
    }

    /// The first place that watches a key, and its watcher, which is so known a look into memory
    /// earlier.
    private struct First: Sendable {
        var place = Place.none
        var watcher: Int32 = 0
    }

    /// By the key.
    private var firsts: [First]
    private var places: [Place] = []
    /// Rows that nobody uses, by the number of their places.
    private var vacant: [Int: [Int32]] = [:]

    init(count: Int) { firsts = Array(repeating: First(), count: count) }

    func isWatched(_ key: Int) -> Bool { firsts[key].place != Place.none }

    /// Watches exactly these keys from now on. Mostly they are the same as before, and all but one
    /// are watched still.
    mutating func watch(_ keys: ArraySlice<Int>, as watcher: Int, at post: inout Post) {
        if !isPost(post, for: keys) {
            giveUp(post)
            post = makePost(keys, as: watcher)
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

    /// Takes one of those who watch a key out, in no particular order; nil when there is none.
    mutating func take(_ key: Int) -> Int? {
        let first = firsts[key]
        guard first.place != Place.none else { return nil }
        exit(Int(first.place))
        return Int(first.watcher)
    }

    private func isPost(_ post: Post, for keys: ArraySlice<Int>) -> Bool {
        guard keys.count == Int(post.count) else { return false }
        for (place, key) in zip(Int(post.start)..., keys) where Int(places[place].key) != key {
            return false
        }
        return true
    }

    private mutating func giveUp(_ post: Post) {
        leave(post)
        if post.count > 0 { vacant[Int(post.count), default: []].append(post.start) }
    }

    /// A post for keys that nobody watches from there yet.
    private mutating func makePost(_ keys: ArraySlice<Int>, as watcher: Int) -> Post {
        if keys.isEmpty { return Post() }
        let post: Post
        if !vacant.isEmpty, let start = vacant[keys.count]?.popLast() {
            post = Post(start: start, count: Int32(keys.count))
        } else {
            post = Post(start: Int32(places.count), count: Int32(keys.count))
            for _ in keys { places.append(Place(key: 0, watcher: 0)) }
        }
        for (place, key) in zip(Int(post.start)..., keys) {
            places[place] = Place(key: Int32(key), watcher: Int32(watcher))
        }
        return post
    }

    private mutating func enter(_ place: Int) {
        let key = Int(places[place].key)
        let next = firsts[key].place
        firsts[key] = First(place: Int32(place), watcher: places[place].watcher)
        places[place].next = next
        places[place].previous = Place.none
        if next != Place.none { places[Int(next)].previous = Int32(place) }
    }

    private mutating func exit(_ place: Int) {
        let (next, previous) = (places[place].next, places[place].previous)
        places[place].previous = Place.out
        if next != Place.none { places[Int(next)].previous = previous }
        if previous == Place.none {
            firsts[Int(places[place].key)] = First(
                place: next, watcher: next == Place.none ? 0 : places[Int(next)].watcher)
        } else {
            places[Int(previous)].next = next
        }
    }
}

/// The numbers of what may be watched: slots first, then what else eligibility hangs on.
struct WatchKeys: Sendable {
    private let slots: Int
    private let groups: Int
    private let lanes: Int
    private let popups: Int

    init(_ rules: RuleSet, slots: Int) {
        self.slots = slots
        groups = rules.groups.count
        lanes = rules.schedulers.count
        popups = rules.popups.count
    }

    var count: Int { slots + groups + lanes + popups }

    func groupCap(_ group: Int) -> Int { slots + group }
    func laneCap(_ lane: Int) -> Int { slots + groups + lane }
    func predecessor(_ popup: Int) -> Int { slots + groups + lanes + popup }
}
