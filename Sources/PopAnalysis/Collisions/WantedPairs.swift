internal import PopScheduler

extension Collisions {
    /// Pairs of popups.
    enum Wanted {
        case all
        /// Of some popups and all others.
        case of(Set<PopupIndex>)
        /// Of some popups.
        case among(Set<PopupIndex>)
        case pairs(Set<Set<PopupIndex>>)
    }
}

/// Which pairs of a list of popups are wanted, by their places in the list.
struct WantedPairs {
    private let popups: [PopupIndex]
    private let wanted: Collisions.Wanted
    /// The places of the popups that are named by what is wanted; none where all are.
    private let named: [Int]

    /// Linear in the popups.
    init(_ wanted: Collisions.Wanted, of popups: [PopupIndex]) {
        self.popups = popups
        self.wanted = wanted
        let names: Set<PopupIndex> =
            switch wanted {
            case .all: []
            case .of(let popups), .among(let popups): popups
            case .pairs(let pairs): Set(pairs.joined())
            }
        named = names.isEmpty ? [] : popups.indices.filter { names.contains(popups[$0]) }
    }

    /// How many there are, by arithmetic where pairs are not named one by one.
    var count: Int {
        func pairs(_ count: Int) -> Int { count * (count - 1) / 2 }
        return switch wanted {
        case .all: pairs(popups.count)
        case .of: pairs(popups.count) - pairs(popups.count - named.count)
        case .among: pairs(named.count)
        case .pairs: named.reduce(0) { $0 + firsts(before: $1).count }
        }
    }

    /// The places before this one with which it makes a pair, in their order.
    func firsts(before second: Int) -> [Int] {
        let popup = popups[second]
        let named = named.prefix { $0 < second }
        return switch wanted {
        case .all: Array(0..<second)
        case .of(let some): some.contains(popup) ? Array(0..<second) : Array(named)
        case .among(let some): some.contains(popup) ? Array(named) : []
        case .pairs(let pairs): named.filter { pairs.contains([popups[$0], popup]) }
        }
    }
}
