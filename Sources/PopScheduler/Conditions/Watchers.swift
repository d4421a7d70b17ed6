/// Who has to be woken when something changes: by the number of that thing, its key.
///
/// Whoever is woken is taken out, so that a change that comes again before anyone has looked costs nothing. All of it is
/// plain integers in a few arrays; putting in and taking out are constant for each key.
struct Watchers: Sendable {
    /// What one watcher watches or watched last: a row of `places`, one for each key.
    struct Post: Sendable {
        fileprivate var start: Int32 = 0
        fileprivate var count: Int32 = 0
    }

    /// One watcher at one key.
    private struct Place: Sendable {
        var key: Int32
        /// Where it stands in the group of the key, -1 when it has been woken or taken out.
        var position: Int32
        var watcher: Int32
    }

    /// The places that watch one key. Mostly there is one, which needs no array.
    private struct Group: Sendable {
        var first: Int32 = -1
        var others: [Int32] = []
    }

    private var groups: [Group]
    private var places: [Place] = []
    /// Rows that nobody uses, by the number of their places.
    private var vacant: [Int: [Int32]] = [:]

    init(count: Int) { groups = Array(repeating: Group(), count: count) }

    func isWatched(_ key: Int) -> Bool { groups[key].first >= 0 }

    /// Watches exactly these keys from now on. Mostly they are the same as before, and all but one are watched still.
    mutating func watch(_ keys: [Int], as watcher: Int, at post: inout Post) {
        if !isPost(post, for: keys) {
            giveUp(post)
            post = newPost(keys, watcher)
        }
        resume(post)
    }

    /// Watches again what has been taken out since.
    mutating func resume(_ post: Post) {
        for place in Int(post.start)..<Int(post.start + post.count)
        where places[place].position < 0 {
            enter(place)
        }
    }

    /// Watches nothing any more. The post remains, for the next time.
    mutating func leave(_ post: Post) {
        for place in Int(post.start)..<Int(post.start + post.count)
        where places[place].position >= 0 {
            exit(place)
        }
    }

    /// Takes one of those who watch a key out, in no particular order; nil when there is none.
    mutating func take(_ key: Int) -> Int? {
        let place = Int(groups[key].others.popLast() ?? groups[key].first)
        guard place >= 0 else { return nil }
        if places[place].position == 0 { groups[key].first = -1 }
        places[place].position = -1
        return Int(places[place].watcher)
    }

    private func isPost(_ post: Post, for keys: [Int]) -> Bool {
        guard keys.count == Int(post.count) else { return false }
        for offset in keys.indices
        where Int(places[Int(post.start) + offset].key) != keys[offset] {
            return false
        }
        return true
    }

    private mutating func giveUp(_ post: Post) {
        leave(post)
        if post.count > 0 { vacant[Int(post.count), default: []].append(post.start) }
    }

    private mutating func newPost(_ keys: [Int], _ watcher: Int) -> Post {
        if keys.isEmpty { return Post() }
        let post: Post
        if !vacant.isEmpty, let start = vacant[keys.count]?.popLast() {
            post = Post(start: start, count: Int32(keys.count))
        } else {
            post = Post(start: Int32(places.count), count: Int32(keys.count))
            for _ in keys { places.append(Place(key: 0, position: -1, watcher: 0)) }
        }
        for (offset, key) in keys.enumerated() {
            places[Int(post.start) + offset] = Place(
                key: Int32(key), position: -1, watcher: Int32(watcher))
        }
        return post
    }

    private mutating func enter(_ place: Int) {
        let key = Int(places[place].key)
        if groups[key].first < 0 {
            groups[key].first = Int32(place)
            places[place].position = 0
        } else {
            groups[key].others.append(Int32(place))
            places[place].position = Int32(groups[key].others.count)
        }
    }

    /// The last of the group takes its position.
    private mutating func exit(_ place: Int) {
        let key = Int(places[place].key)
        let position = places[place].position
        places[place].position = -1
        guard let last = groups[key].others.popLast() else {
            groups[key].first = -1
            return
        }
        guard Int(last) != place else { return }
        if position == 0 {
            groups[key].first = last
        } else {
            groups[key].others[Int(position) - 1] = last
        }
        places[Int(last)].position = position
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
    func firstDismissal(of popup: Int) -> Int { slots + groups + lanes + popup }
}
