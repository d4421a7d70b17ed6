internal import PopScheduler

/// Two popups, in eight bytes: the pair is the same whichever of them is named first.
struct PopupPair: Hashable, Sendable {
    private let lower: UInt32
    private let upper: UInt32

    init(_ one: PopupIndex, _ other: PopupIndex) {
        lower = UInt32(min(one.number, other.number))
        upper = UInt32(max(one.number, other.number))
    }

    /// The one that comes first in the rules.
    var first: PopupIndex { PopupIndex(Int(lower)) }
    /// The other one.
    var second: PopupIndex { PopupIndex(Int(upper)) }
}

/// Pairs of popups, by each of the two: made once, however many lists of popups are searched for
/// them.
struct PairTable: Sendable {
    private(set) var count = 0
    /// The others of its pairs, ascending.
    private var partners: [PopupIndex: [PopupIndex]] = [:]

    init(_ pairs: Set<PopupPair>) {
        count = pairs.count
        for pair in pairs {
            partners[pair.first, default: []].append(pair.second)
            partners[pair.second, default: []].append(pair.first)
        }
        for popup in partners.keys { partners[popup]?.sort() }
    }

    /// The popups that make a pair with others.
    var popups: some Collection<PopupIndex> { partners.keys }

    /// The popups with which one makes a pair, ascending.
    func partners(of popup: PopupIndex) -> [PopupIndex] { partners[popup] ?? [] }

    /// Whether a popup is one of the partners of another one. Logarithmic in these.
    static func contains(_ popup: PopupIndex, in partners: [PopupIndex]) -> Bool {
        var (low, high) = (0, partners.count)
        while low < high {
            let middle = (low + high) / 2
            if partners[middle] < popup { low = middle + 1 } else { high = middle }
        }
        return low < partners.count && partners[low] == popup
    }
}
