internal import PopExplanations
internal import PopScheduler

/// A cap that popups share: the number of impressions in a period.
struct ComparedSharedCap {
    private let most: Int
    /// The period, such as `in 1d`.
    private let time: String
    /// The properties that distinguish the cap from other caps of its owner.
    private let kind: String
    private let members: Members

    /// The popups that a cap counts and suppresses. They are determined on demand, because many
    /// caps may count many popups.
    struct Members {
        /// The ids of all popups, and the number of steps to find them.
        let ids: () -> [String]
        let steps: Int
        /// Returns true if the popup with an id is one of them.
        let contains: (String) -> Bool
    }

    /// Creates a cap. `selection` distinguishes it from caps of other popups with the same period.
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

    /// Returns the effects of replacing some caps by others on the popups that they count.
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
                details.append(
                    "\(text) is suppressed now; before, the \(ordinal(known.most + 1)) was")
            } else if !former.holds(popups, under: cap, &steps), !steps.isUsedUp {
                details.append("\(text) is suppressed now")
            }
        }
        for cap in old where latter.caps[cap.kind] == nil {
            guard let popups = cap.popups(&steps) else { break }
            if popups.isEmpty || latter.holds(popups, under: cap, &steps) { continue }
            if !steps.isUsedUp {
                details.append("\(cap.text(popups)) is no longer suppressed by this cap")
            }
        }
        if steps.isUsedUp { details.append("the other caps were not compared: there are too many") }
        return details
    }

    /// Returns the ids of the counted popups; nil if finding them takes too many steps.
    private func popups(_ steps: inout PairSteps) -> [String]? {
        steps.take(1 + members.steps) ? members.ids() : nil
    }

    private func text(_ popups: [String]) -> String {
        "the \(ordinal(most + 1)) of \(Comparison.some(of: popups)) \(time)"
    }

    /// The caps of one owner.
    private struct CapTable {
        /// The first cap of each kind.
        let caps: [String: ComparedSharedCap]
        private let ofTime: [String: [ComparedSharedCap]]

        init(_ all: [ComparedSharedCap]) {
            caps = Dictionary(all.map { ($0.kind, $0) }) { first, _ in first }
            ofTime = Dictionary(grouping: all) { $0.time }
        }

        /// Returns true if one of the caps suppresses everything that another cap, which counts
        /// these popups, suppresses.
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
