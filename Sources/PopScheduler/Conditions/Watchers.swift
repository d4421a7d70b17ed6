/// Who has to be woken when something changes: by the number of that thing.
///
/// Whoever is woken is taken out, so that a change that comes again before anyone has looked costs nothing.
struct Watchers: Sendable {
    /// Mostly one popup alone asks for a thing, and needs no set.
    private enum Group: Sendable {
        case nobody
        case one(Int)
        case many(Set<Int>)
    }

    private var groups: [Group]

    init(count: Int) { groups = Array(repeating: .nobody, count: count) }

    mutating func add(_ watcher: Int, to keys: [Int]) {
        for key in keys { add(watcher, to: key) }
    }

    private mutating func add(_ watcher: Int, to key: Int) {
        switch groups[key] {
        case .nobody: groups[key] = .one(watcher)
        case .one(let other): if other != watcher { groups[key] = .many([other, watcher]) }
        case .many(var set):
            // Out of its place, so that it is not copied.
            groups[key] = .nobody
            set.insert(watcher)
            groups[key] = .many(set)
        }
    }

    mutating func remove(_ watcher: Int, from keys: [Int]) {
        for key in keys { remove(watcher, from: key) }
    }

    private mutating func remove(_ watcher: Int, from key: Int) {
        switch groups[key] {
        case .nobody: break
        case .one(let other): if other == watcher { groups[key] = .nobody }
        case .many(var set):
            groups[key] = .nobody
            set.remove(watcher)
            groups[key] = set.isEmpty ? .nobody : .many(set)
        }
    }

    func isWatched(_ key: Int) -> Bool {
        if case .nobody = groups[key] { false } else { true }
    }

    /// In no particular order.
    mutating func take(_ key: Int) -> [Int] {
        switch groups[key] {
        case .nobody: return []
        case .one(let watcher):
            groups[key] = .nobody
            return [watcher]
        case .many(let set):
            groups[key] = .nobody
            return Array(set)
        }
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
