internal import PopScheduler

/// What a test says of the user in place of what would be drawn.
package struct ForcedDraws: Sendable {
    /// By popup with a `rollout`, whether the user is in it.
    package var rollouts: [String: Bool] = [:]
    /// By popup with an `experiment`, the arm that the user is in.
    package var arms: [String: String] = [:]

    package init() {}

    /// The same with what others say, which goes first.
    func merging(_ others: ForcedDraws) -> ForcedDraws {
        var draws = self
        draws.rollouts.merge(others.rollouts) { $1 }
        draws.arms.merge(others.arms) { $1 }
        return draws
    }
}

// What is said of a rollout goes into the rules: the scheduler draws as ever, from nobody or from
// everybody.
extension RuleSet {
    /// The same rules, with popups rolled out to everybody or to nobody.
    func rollingOut(_ rollouts: [String: Bool]) -> RuleSet {
        if rollouts.isEmpty { return self }
        var rules = self
        for index in rules.popups.indices {
            guard let isIn = rollouts[rules.popups[index].id] else { continue }
            rules.popups[index].audience.rollout?.share = .range(isIn ? 0..<100 : 0..<0)
        }
        return rules
    }
}

extension Event {
    func rollingOut(_ rollouts: [String: Bool]) -> Event {
        guard case .reload(let rules, let context) = self else { return self }
        return .reload(rules.rollingOut(rollouts), context: context)
    }
}
