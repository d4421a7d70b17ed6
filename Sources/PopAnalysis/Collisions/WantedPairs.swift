internal import PopScheduler

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
