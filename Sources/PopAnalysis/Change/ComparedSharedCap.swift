internal import PopExplanations
internal import PopScheduler

/// A cap that popups share: how many of them may be seen in which time.
struct ComparedSharedCap {
    private let most: Int
    /// Such as `in 1d`.
    private let time: String
    /// What tells it from others of its owner.
    private let kind: String
    private let members: Members

    /// The popups that a cap counts and keeps away: found when they are asked for, since many caps
    /// may count many popups.
    struct Members {
        /// The ids of all, and how many steps finding them takes.
        let ids: () -> [String]
        let steps: Int
        /// Whether the popup with an id is one of them.
        let contains: (String) -> Bool
    }

    /// `selection` tells it from caps of others in that time.
    init(
        _ cap: WindowCap, _ words: RuleWords, of selection: String = "", members: Members
    ) {
        most = cap.max
        var any = cap
        any.max = 0
        time = String(words.text(any, zone: nil).dropFirst("0× ".count))
        kind = "\(time) of \(selection)"
        self.members = members
    }

    /// What the step from some caps to others does to the popups under them.
    static func details(
        from old: [ComparedSharedCap], to new: [ComparedSharedCap], _ steps: inout PairSteps
    ) -> [String] {
        let (former, latter) = (CapTable(old), CapTable(new))
        var details: [String] = []
        for cap in new {
            let known = former.caps[cap.kind]
            if known?.most == cap.most { continue }
            guard let popups = cap.popups(&steps) else { break }
            if popups.isEmpty { continue }
            let text = cap.text(popups)
            if let known {
                details.append("\(text) is kept away now, before the \(ordinal(known.most + 1))")
            } else if !former.holds(popups, under: cap, &steps), !steps.isUsedUp {
                details.append("\(text) is kept away now")
            }
        }
        for cap in old where latter.caps[cap.kind] == nil {
            guard let popups = cap.popups(&steps) else { break }
            if popups.isEmpty || latter.holds(popups, under: cap, &steps) { continue }
            if !steps.isUsedUp {
                details.append("\(cap.text(popups)) is kept away no more by that")
            }
        }
        if steps.isUsedUp { details.append("of the other caps this is not known: too many") }
        return details
    }

    /// Nil where finding them takes too many steps.
    private func popups(_ steps: inout PairSteps) -> [String]? {
        steps.take(1 + members.steps) ? members.ids() : nil
    }

    private func text(_ popups: [String]) -> String {
        "of \(Comparison.some(of: popups)) \(time): the \(ordinal(most + 1))"
    }

    /// Caps of one owner.
    private struct CapTable {
        /// The first of each kind.
        let caps: [String: ComparedSharedCap]
        private let ofTime: [String: [ComparedSharedCap]]

        init(_ all: [ComparedSharedCap]) {
            caps = Dictionary(all.map { ($0.kind, $0) }) { first, _ in first }
            ofTime = Dictionary(grouping: all) { $0.time }
        }

        /// Whether one of them keeps away all that another cap, which counts these popups, does.
        func holds(_ popups: [String], under cap: ComparedSharedCap, _ steps: inout PairSteps)
            -> Bool
        {
            (ofTime[cap.time] ?? []).contains { own in
                own.most <= cap.most
                    && popups.allSatisfy { steps.take() && own.members.contains($0) }
            }
        }
    }
}
