internal import PopScheduler

extension Collisions {
    /// Pairs of popups.
    enum Wanted {
        case all
        /// Of some popups and all others.
        case of(Set<PopupIndex>)
        /// Of some popups.
        case among(Set<PopupIndex>)
        case pairs(PairTable)
    }
}

/// Which pairs of a list of popups are wanted, by their places in the list. Pairs are gone through
/// one by one, and never all kept.
struct WantedPairs {
    private let popups: [PopupIndex]
    private let wanted: Collisions.Wanted
    /// The places of the popups that are named by what is wanted; none where all are.
    private let named: [Int]
    /// The places of popups by name, where pairs are named.
    private let places: [PopupIndex: Int]

    /// Linear in the popups.
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

    /// How many there are at most: as many as there are, where pairs are not named one by one.
    var mostPairs: Int {
        func pairs(_ count: Int) -> Int { count * (count - 1) / 2 }
        return switch wanted {
        case .all: pairs(popups.count)
        case .of: pairs(popups.count) - pairs(popups.count - named.count)
        case .among: pairs(named.count)
        case .pairs(let table): min(table.count, pairs(named.count))
        }
    }

    /// The places that may make a pair with one before them.
    var seconds: [Int] {
        switch wanted {
        case .all: Array(popups.indices.dropFirst())
        case .of: named.isEmpty ? [] : Array(popups.indices.dropFirst())
        case .among, .pairs: Array(named.dropFirst())
        }
    }

    /// The steps that finding the places before one takes which are none of a pair.
    func steps(before second: Int) -> Int {
        guard case .pairs(let table) = wanted else { return 0 }
        return min(table.partners(of: popups[second]).count, second)
    }

    /// The places before this one with which it makes a pair, in their order.
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
