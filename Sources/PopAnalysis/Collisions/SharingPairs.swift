internal import PopScheduler

/// The number of pairs of popups that share something. A pair counts once even if it shares several
/// things.
struct SharingPairs {
    let count: Int
    /// True if `count` is exact; if not, it is an upper bound.
    let isExact: Bool

    /// Counts the wanted pairs that are in one of several lists together. The count is exact if
    /// there are at most `most` kinds of popups, where popups in the same lists are of one kind.
    init(_ wanted: Collisions.Wanted, of lists: [[PopupIndex]], atMostKinds most: Int) {
        var shared: [PopupIndex: [Int]] = [:]
        for (place, list) in lists.enumerated() where list.count > 1 {
            for popup in list { shared[popup, default: []].append(place) }
        }
        let exact: Int? =
            switch wanted {
            case .all: Kinds(shared, atMost: most)?.pairs
            case .among(let some):
                Kinds(shared.filter { some.contains($0.key) }, atMost: most)?.pairs
            case .of(let some):
                Kinds(shared, atMost: most).flatMap { all in
                    Kinds(shared.filter { !some.contains($0.key) }, atMost: most)
                        .map { all.pairs - $0.pairs }
                }
            case .pairs(let table): Kinds(shared, atMost: most)?.pairs(of: table)
            }
        isExact = exact != nil
        count = exact ?? lists.reduce(0) { $0 + WantedPairs(wanted, of: $1).mostPairs }
    }

    /// Kinds of popups. Popups that are in the same lists are of one kind.
    private struct Kinds {
        /// The kind of each popup that is in a list.
        private var kinds: [PopupIndex: Int] = [:]
        private var counts: [Int] = []
        /// By kind, the lists that contain it: a bit for each list.
        private var lists: [[UInt64]] = []

        /// Creates the kinds; nil if there are more than `most`.
        init?(_ shared: [PopupIndex: [Int]], atMost most: Int) {
            var known: [[Int]: Int] = [:]
            let words = (shared.values.lazy.compactMap(\.last).max() ?? -1) / 64 + 1
            for (popup, places) in shared {
                let kind = known[places] ?? counts.count
                if kind == counts.count {
                    guard kind < most else { return nil }
                    known[places] = kind
                    counts.append(0)
                    var bits = [UInt64](repeating: 0, count: words)
                    for place in places { bits[place / 64] |= 1 << UInt64(place % 64) }
                    lists.append(bits)
                }
                counts[kind] += 1
                kinds[popup] = kind
            }
        }

        /// Returns true if popups of two kinds are in a list together.
        private func share(_ one: Int, _ other: Int) -> Bool {
            zip(lists[one], lists[other]).contains { $0 & $1 != 0 }
        }

        /// The number of pairs of popups that are in a list together.
        var pairs: Int {
            var pairs = 0
            for (kind, count) in counts.enumerated() {
                pairs += count * (count - 1) / 2
                for other in (kind + 1)..<max(counts.count, kind + 1) where share(kind, other) {
                    pairs += count * counts[other]
                }
            }
            return pairs
        }

        /// Returns the number of pairs of a table that are in a list together.
        func pairs(of table: PairTable) -> Int {
            var known: [Bool?] = Array(repeating: nil, count: counts.count * counts.count)
            var pairs = 0
            for popup in table.popups {
                guard let kind = kinds[popup] else { continue }
                for other in table.partners(of: popup) where other < popup {
                    guard let second = kinds[other] else { continue }
                    let place = kind * counts.count + second
                    let isShared = known[place] ?? share(kind, second)
                    known[place] = isShared
                    if isShared { pairs += 1 }
                }
            }
            return pairs
        }
    }
}
