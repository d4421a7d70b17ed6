/// The popups of two schedulers, one of each rule set, by their priorities in both. It finds the
/// popups that one popup has priority over now, and hadn't before.
struct LaneOrder {
    struct Member {
        let id: String
        let before: Int
        let after: Int
    }

    /// The popups in the order of their earlier priorities.
    private let members: [Member]
    private let least: LeastNumbers
    /// The later priorities with the opposite sign.
    private let greatest: LeastNumbers
    /// The popups by later priority, in the order of the earlier priorities.
    private let level: [Int: [Member]]

    /// Creates the order. Takes *n* log *n* for *n* popups.
    init(_ members: [Member]) {
        let sorted = members.sorted { ($0.before, $0.id) < ($1.before, $1.id) }
        self.members = sorted
        least = LeastNumbers(sorted.map { $0.after })
        greatest = LeastNumbers(sorted.map { -$0.after })
        level = Dictionary(grouping: sorted) { $0.after }
    }

    /// Ids, up to a maximum number; `areAll` is false if there are more.
    typealias Names = (ids: [String], areAll: Bool)

    /// Returns the popups that one popup has priority over now.
    func overtaken(from before: Int, to after: Int, atMost most: Int, _ steps: inout PairSteps)
        -> Names
    {
        let range = Self.first(in: members) { $0.before >= before }..<members.count
        return names(least.places(in: range, below: after, atMost: most + 1, steps: &steps), most)
    }

    /// Returns the popups that have priority over it now.
    func overtaking(from before: Int, to after: Int, atMost most: Int, _ steps: inout PairSteps)
        -> Names
    {
        let range = 0..<Self.first(in: members) { $0.before > before }
        return names(
            greatest.places(in: range, below: -after, atMost: most + 1, steps: &steps), most)
    }

    /// Returns the popups with which it has equal priority now.
    func levelled(from before: Int, to after: Int, atMost most: Int) -> Names {
        let level = level[after] ?? []
        let lower = level[..<Self.first(in: level) { $0.before >= before }]
        let upper = level[Self.first(in: level) { $0.before > before }...]
        let ids = (lower.prefix(most + 1) + upper.prefix(most + 1)).map { $0.id }
        return (Array(ids.prefix(most)), ids.count <= most)
    }

    private func names(_ places: [Int], _ most: Int) -> Names {
        (places.prefix(most).map { members[$0].id }, places.count <= most)
    }

    /// Returns the first position whose member meets a condition that all later members meet.
    private static func first(in members: [Member], where isMet: (Member) -> Bool) -> Int {
        var (low, high) = (0, members.count)
        while low < high {
            let middle = (low + high) / 2
            if isMet(members[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

/// A list of numbers that finds those below a bound without visiting all others.
struct LeastNumbers {
    private let count: Int
    /// The number of leaves of the tree, which is a power of two.
    private let width: Int
    /// The least number below each node of a tree; the children of a node `n` are `2n` and `2n+1`.
    private var least: [Int]

    /// Creates the list. Linear in the numbers.
    init(_ numbers: [Int]) {
        count = numbers.count
        var width = 1
        while width < numbers.count { width *= 2 }
        self.width = width
        least = Array(repeating: .max, count: 2 * width)
        for (place, number) in numbers.enumerated() { least[width + place] = number }
        for node in (1..<width).reversed() {
            least[node] = min(least[2 * node], least[2 * node + 1])
        }
    }

    /// Returns the positions in a range, ascending, at which a number is below a bound; at most
    /// `most`. Logarithmic for each position, which is counted in `steps`.
    func places(in range: Range<Int>, below bound: Int, atMost most: Int, steps: inout PairSteps)
        -> [Int]
    {
        var found: [Int] = []
        // The nodes to visit, the first ones last.
        var pending = [(node: 1, start: 0, length: width)]
        while let (node, start, length) = pending.popLast(), found.count < most {
            guard start < range.upperBound, start + length > range.lowerBound,
                least[node] < bound, steps.take()
            else { continue }
            guard length > 1 else {
                found.append(start)
                continue
            }
            let half = length / 2
            pending.append((2 * node + 1, start + half, half))
            pending.append((2 * node, start, half))
        }
        return found
    }
}
