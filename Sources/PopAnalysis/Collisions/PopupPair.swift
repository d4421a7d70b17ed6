internal import PopScheduler

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
