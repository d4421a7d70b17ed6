/// Who has to be woken when something changes: by the number of that thing.
///
/// Whoever is woken is taken out, so that a change that comes again before anyone has looked costs nothing.
struct Watchers: Sendable {
    private var sets: [Set<Int>]

    init(count: Int) { sets = Array(repeating: [], count: count) }

    mutating func add(_ watcher: Int, to keys: [Int]) {
        for key in keys { sets[key].insert(watcher) }
    }

    mutating func remove(_ watcher: Int, from keys: [Int]) {
        for key in keys { sets[key].remove(watcher) }
    }

    func isWatched(_ key: Int) -> Bool { !sets[key].isEmpty }

    /// In no particular order.
    mutating func take(_ key: Int) -> Set<Int> {
        guard !sets[key].isEmpty else { return [] }
        let taken = sets[key]
        sets[key] = []
        return taken
    }
}

/// The numbers of what may be watched: slots first, then what else eligibility hangs on.
struct WatchKeys: Sendable {
    private let slots: Int
    private let groups: Int
    private let lanes: Int
    private let popups: Int

    init(_ rules: RuleSet) {
        slots = rules.slots.count
        groups = rules.groups.count
        lanes = rules.schedulers.count
        popups = rules.popups.count
    }

    var count: Int { slots + groups + lanes + popups }

    func groupCap(_ group: Int) -> Int { slots + group }
    func laneCap(_ lane: Int) -> Int { slots + groups + lane }
    func firstDismissal(of popup: Int) -> Int { slots + groups + lanes + popup }
}
