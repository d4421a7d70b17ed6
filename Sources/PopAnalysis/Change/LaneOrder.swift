/// The popups of two schedulers, one of each of two rule sets, by the priorities that they have in
/// both: which of them one popup has priority over now, and had not before.
struct LaneOrder {
    struct Member {
        let id: String
        let before: Int
        let after: Int
    }

    /// In the order of their earlier priorities.
    private let members: [Member]
    private let least: LeastNumbers
    /// With the opposite sign.
    private let greatest: LeastNumbers
    /// By later priority, in the order of the earlier ones.
    private let level: [Int: [Member]]

    /// Takes *n* log *n* for *n* popups.
    init(_ members: [Member]) {
        let sorted = members.sorted { ($0.before, $0.id) < ($1.before, $1.id) }
        self.members = sorted
        least = LeastNumbers(sorted.map { $0.after })
        greatest = LeastNumbers(sorted.map { -$0.after })
        level = Dictionary(grouping: sorted) { $0.after }
    }

    /// Ids, no more than so many.
    typealias Names = (ids: [String], areAll: Bool)

    /// Those that one popup is before now.
    func overtaken(from before: Int, to after: Int, atMost most: Int, _ steps: inout PairSteps)
        -> Names
    {
        let range = Self.first(in: members) { $0.before >= before }..<members.count
        return names(least.places(in: range, below: after, atMost: most + 1, steps: &steps), most)
    }

    /// Those that are before it now.
    func overtaking(from before: Int, to after: Int, atMost most: Int, _ steps: inout PairSteps)
        -> Names
    {
        let range = 0..<Self.first(in: members) { $0.before > before }
        return names(
            greatest.places(in: range, below: -after, atMost: most + 1, steps: &steps), most)
    }

    /// Those that it is level with now.
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

    /// The first place whose member meets a condition that all behind it meet.
    private static func first(in members: [Member], where isMet: (Member) -> Bool) -> Int {
        var (low, high) = (0, members.count)
        while low < high {
            let middle = (low + high) / 2
            if isMet(members[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
