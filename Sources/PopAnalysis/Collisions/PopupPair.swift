internal import PopLogic
internal import PopScheduler
internal import PopSource

/// An unordered pair of popups, in eight bytes.
struct PopupPair: Hashable, Sendable {
    private let lower: UInt32
    private let upper: UInt32

    init(_ one: PopupIndex, _ other: PopupIndex) {
        lower = UInt32(min(one.number, other.number))
        upper = UInt32(max(one.number, other.number))
    }

    /// The popup that comes first in the rules.
    var first: PopupIndex { PopupIndex(Int(lower)) }
    /// The other popup.
    var second: PopupIndex { PopupIndex(Int(upper)) }
}

/// Pairs of popups, indexed by each of the two. Created once, and then used for many lists of
/// popups.
struct PairTable: Sendable {
    private(set) var count = 0
    /// The partners of each popup, ascending.
    private var partners: [PopupIndex: [PopupIndex]] = [:]

    init(_ pairs: Set<PopupPair>) {
        count = pairs.count
        for pair in pairs {
            partners[pair.first, default: []].append(pair.second)
            partners[pair.second, default: []].append(pair.first)
        }
        for popup in partners.keys { partners[popup]?.sort() }
    }

    /// The popups that belong to a pair.
    var popups: some Collection<PopupIndex> { partners.keys }

    /// Returns the partners of a popup, ascending.
    func partners(of popup: PopupIndex) -> [PopupIndex] { partners[popup] ?? [] }

    /// Returns true if a popup is one of the given partners. Logarithmic in their number.
    static func contains(_ popup: PopupIndex, in partners: [PopupIndex]) -> Bool {
        var (low, high) = (0, partners.count)
        while low < high {
            let middle = (low + high) / 2
            if partners[middle] < popup { low = middle + 1 } else { high = middle }
        }
        return low < partners.count && partners[low] == popup
    }
}

/// The remaining steps for a question about pairs of entries, within its own limit and within the
/// budget of the command or request.
struct PairSteps: Sendable {
    private var rest: Int
    private let budget: WorkBudget

    init(_ limits: AnalysisLimits) {
        rest = limits.pairSteps
        budget = limits.logic.budget
    }

    /// True if a step was refused.
    private(set) var isUsedUp = false

    /// Takes steps. Returns true if the work may be done. After a refusal, all further steps are
    /// refused.
    mutating func take(_ count: Int = 1) -> Bool {
        guard !isUsedUp, count <= rest, budget.charge(.comparedPairs, count) else {
            if !isUsedUp { budget.leaveUndecided() }
            isUsedUp = true
            return false
        }
        rest -= count
        return true
    }
}

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

extension Collisions {
    /// A selection of pairs of popups.
    enum Wanted {
        case all
        /// Pairs of the given popups and any others.
        case of(Set<PopupIndex>)
        /// Pairs among the given popups.
        case among(Set<PopupIndex>)
        case pairs(PairTable)
    }
}

/// The wanted pairs of a list of popups, by their positions in the list. Pairs are visited one by
/// one, and never all stored.
struct WantedPairs {
    private let popups: [PopupIndex]
    private let wanted: Collisions.Wanted
    /// The positions of popups that the selection names; empty if it selects all.
    private let named: [Int]
    /// The positions of popups, if the selection names pairs.
    private let places: [PopupIndex: Int]

    /// Creates the pairs. Linear in the popups.
    init(_ wanted: Collisions.Wanted, of popups: [PopupIndex]) {
        self.popups = popups
        self.wanted = wanted
        var places: [PopupIndex: Int] = [:]
        switch wanted {
        case .all: named = []
        case .of(let some), .among(let some):
            named = popups.indices.filter { some.contains(popups[$0]) }
        case .pairs(let table):
            named = popups.indices.filter { !table.partners(of: popups[$0]).isEmpty }
            for place in named { places[popups[place]] = place }
        }
        self.places = places
    }

    /// The maximum number of pairs; exact unless the selection names pairs.
    var mostPairs: Int {
        func pairs(_ count: Int) -> Int { count * (count - 1) / 2 }
        return switch wanted {
        case .all: pairs(popups.count)
        case .of: pairs(popups.count) - pairs(popups.count - named.count)
        case .among: pairs(named.count)
        case .pairs(let table): min(table.count, pairs(named.count))
        }
    }

    /// The positions that may form a pair with an earlier one.
    var seconds: [Int] {
        switch wanted {
        case .all: Array(popups.indices.dropFirst())
        case .of: named.isEmpty ? [] : Array(popups.indices.dropFirst())
        case .among, .pairs: Array(named.dropFirst())
        }
    }

    /// Returns the steps to find the earlier positions that belong to no pair.
    func steps(before second: Int) -> Int {
        guard case .pairs(let table) = wanted else { return 0 }
        return min(table.partners(of: popups[second]).count, second)
    }

    /// Returns the earlier positions with which a position forms a pair, ascending.
    func firsts(before second: Int) -> [Int] {
        let popup = popups[second]
        switch wanted {
        case .all: return Array(0..<second)
        case .of(let some):
            return some.contains(popup) ? Array(0..<second) : Array(named.prefix { $0 < second })
        case .among(let some):
            return some.contains(popup) ? Array(named.prefix { $0 < second }) : []
        case .pairs(let table):
            let partners = table.partners(of: popup)
            if partners.count < second {
                return partners.compactMap { places[$0] }.filter { $0 < second }.sorted()
            }
            return named.prefix { $0 < second }.filter {
                PairTable.contains(popups[$0], in: partners)
            }
        }
    }
}
