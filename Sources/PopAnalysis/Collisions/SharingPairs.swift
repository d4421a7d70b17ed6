internal import PopScheduler

/// How many pairs of popups share something, each counted once whatever it shares.
struct SharingPairs {
    let count: Int
    /// Whether there are so many indeed; otherwise there are no more.
    let isExact: Bool

    /// Of the pairs that are wanted, those in one of several lists; one by one where there are no
    /// more kinds of popups, by the lists that they are in, than so many.
    init(_ wanted: Collisions.Wanted, of lists: [[PopupIndex]], atMostKinds most: Int) {
        var shared: [PopupIndex: [Int]] = [:]
        for (place, list) in lists.enumerated() where list.count > 1 {
            for popup in list { shared[popup, default: []].append(place) }
        }
        func pairs(_ isCounted: (PopupIndex) -> Bool) -> Int? {
            Self.pairs(shared.filter { isCounted($0.key) }.map { $0.value }, atMostKinds: most)
        }
        let exact: Int? =
            switch wanted {
            case .all: pairs { _ in true }
            case .among(let some): pairs(some.contains)
            case .of(let some):
                pairs { _ in true }.flatMap { all in
                    pairs { !some.contains($0) }.map { all - $0 }
                }
            case .pairs(let named):
                named.count { pair in
                    let lists = pair.map { Set(shared[$0] ?? []) }
                    return lists.count > 1 && !lists[0].isDisjoint(with: lists[1])
                }
            }
        isExact = exact != nil
        count = exact ?? lists.reduce(0) { $0 + WantedPairs(wanted, of: $1).count }
    }

    /// The pairs of popups that are in a list together, given the lists of each.
    private static func pairs(_ shared: [[Int]], atMostKinds most: Int) -> Int? {
        var kinds: [[Int]: Int] = [:]
        for lists in shared { kinds[lists, default: 0] += 1 }
        guard kinds.count <= most else { return nil }
        let counted = kinds.map { (lists: Set($0.key), count: $0.value) }
        var pairs = 0
        for (place, kind) in counted.enumerated() {
            pairs += kind.count * (kind.count - 1) / 2
            for other in counted[(place + 1)...] where !kind.lists.isDisjoint(with: other.lists) {
                pairs += kind.count * other.count
            }
        }
        return pairs
    }
}
