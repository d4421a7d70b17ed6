/// How often popups were shown since the session began, for each user who was there.
struct SessionImpressions: Sendable {
    private var user: String
    /// Those of the user who is there.
    private var counts: PopupRecords<Int>
    /// By user and popup id, those of the others.
    private var away: [String: [String: Int]] = [:]

    init(user: String, count: Int) {
        self.user = user
        counts = PopupRecords(count: count)
    }

    /// Given the rules' popups, and the places of their ids.
    mutating func change(to user: String, _ popups: [PopupRule], index: [String: Int]) {
        if user == self.user { return }
        away[self.user] = counts.byID(popups)
        counts = PopupRecords(
            away.removeValue(forKey: user) ?? [:], count: popups.count, index: index)
        self.user = user
    }

    /// Other rules are in force.
    mutating func move(
        from former: [PopupRule], to popups: [PopupRule], index: [String: Int]
    ) {
        counts = PopupRecords(counts.byID(former), count: popups.count, index: index)
    }

    func count(of popup: Int) -> Int { counts[popup] ?? 0 }

    mutating func add(_ number: Int, of popup: Int) {
        counts.change(popup, from: 0) { $0 += number }
    }

    /// `index` is nil for a popup that is not of the rules.
    mutating func add(_ number: Int, of id: String, at index: Int?, seenBy viewer: String) {
        if viewer == user {
            counts.change(id, at: index, from: 0) { $0 += number }
        } else {
            away[viewer, default: [:]][id, default: 0] += number
        }
    }
}
