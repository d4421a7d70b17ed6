internal import PopExplanations
internal import PopScheduler

/// A cap that popups share: how many of them may be seen in which time.
struct SharedCap {
    private let most: Int
    /// Such as `in 1d`.
    private let time: String
    /// What tells it from others of its owner.
    private let kind: String
    /// The popups that it counts and keeps away.
    private let popups: [String]

    /// Of those popups for which it is so; `selection` tells it from caps of others in that time.
    init(
        _ cap: WindowCap, _ words: RuleWords, of selection: String = "",
        isFor: (PopupRule) -> Bool
    ) {
        most = cap.max
        var any = cap
        any.max = 0
        time = String(words.text(any, zone: nil).dropFirst("0× ".count))
        kind = "\(time) of \(selection)"
        popups = words.rules.popups
            .filter { $0.isEnabled && !$0.isEssential && isFor($0) }.map { $0.id }
    }

    /// What the step from some caps to others does to the popups under them.
    static func details(from old: [SharedCap], to new: [SharedCap]) -> [String] {
        var details: [String] = []
        for cap in new {
            let former = old.first { $0.kind == cap.kind }
            if cap.popups.isEmpty || former?.most == cap.most { continue }
            if let former {
                details.append(
                    "\(cap.text) is kept away now, before the \(ordinal(former.most + 1))")
            } else if !old.contains(where: { $0.holds(cap) }) {
                details.append("\(cap.text) is kept away now")
            }
        }
        for cap in old where !cap.popups.isEmpty && !new.contains(where: { $0.kind == cap.kind }) {
            if new.contains(where: { $0.holds(cap) }) { continue }
            details.append("\(cap.text) is kept away no more by that")
        }
        return details
    }

    /// Whether it keeps away whatever another one does.
    private func holds(_ other: SharedCap) -> Bool {
        time == other.time && most <= other.most
            && Set(popups).isSuperset(of: other.popups)
    }

    private var text: String {
        "of \(Comparison.some(of: popups)) \(time): the \(ordinal(most + 1))"
    }
}
