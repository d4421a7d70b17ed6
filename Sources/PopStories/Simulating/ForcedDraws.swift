package import PopScheduler

/// What a test says of the user in place of what would be drawn.
package struct ForcedDraws: Sendable {
    /// By popup with a `rollout`, whether the user is in it.
    package var rollouts: [String: Bool] = [:]
    /// By popup with an `experiment`, the arm that the user is in.
    package var arms: [String: String] = [:]
    /// Whether the user is in the `holdout`, if there is one and the user can be told apart.
    package var isHeldOut: Bool?

    package init() {}

    /// The same with what others say, which goes first.
    package func merging(_ others: ForcedDraws) -> ForcedDraws {
        var draws = self
        draws.rollouts.merge(others.rollouts) { $1 }
        draws.arms.merge(others.arms) { $1 }
        draws.isHeldOut = others.isHeldOut ?? isHeldOut
        return draws
    }
}

// What is said of a rollout or of the holdout goes into the rules: the scheduler draws as ever,
// from nobody or from everybody.
extension RuleSet {
    /// The same rules, with popups rolled out, and users held out, as is said.
    package func drawing(_ draws: ForcedDraws) -> RuleSet {
        var rules = self
        if let isHeldOut = draws.isHeldOut { rules.holdout?.percent = isHeldOut ? 100 : 0 }
        if draws.rollouts.isEmpty { return rules }
        for index in rules.popups.indices {
            guard let isIn = draws.rollouts[rules.popups[index].id] else { continue }
            guard let share = rules.popups[index].audience.rollout?.share else { continue }
            rules.popups[index].audience.rollout?.share = share.drawing(isIn)
        }
        return rules
    }
}

extension Rollout.Share {
    /// The same where a user is in the first share that there is, or in none: before the first step
    /// nobody is in.
    fileprivate func drawing(_ isIn: Bool) -> Self {
        guard isIn, case .steps(let steps) = self else { return .range(isIn ? 0..<100 : 0..<0) }
        return .steps(
            steps.map { step in
                var step = step
                step.percent = step.percent > 0 ? 100 : 0
                return step
            })
    }
}

extension Event {
    package func drawing(_ draws: ForcedDraws) -> Event {
        guard case .reload(let rules, let context) = self else { return self }
        return .reload(rules.drawing(draws), context: context)
    }
}
