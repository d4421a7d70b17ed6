package import PopScheduler

/// The user's assignments that a test fixes instead of leaving them random.
package struct ForcedDraws: Sendable {
    /// True for each popup with a `rollout` that includes the user; false if it excludes the user.
    package var rollouts: [String: Bool] = [:]
    /// By popup with an `experiment`, the arm that the user is in.
    package var arms: [String: String] = [:]
    /// True if the user is in the `holdout`, provided that there is one and the user can be
    /// identified.
    package var isHeldOut: Bool?

    package init() {}

    /// Returns the same assignments, overridden by `others`.
    package func merging(_ others: ForcedDraws) -> ForcedDraws {
        var draws = self
        draws.rollouts.merge(others.rollouts) { $1 }
        draws.arms.merge(others.arms) { $1 }
        draws.isHeldOut = others.isHeldOut ?? isHeldOut
        return draws
    }
}

// Fixed assignments to a rollout or to the holdout are put into the rules: the scheduler assigns
// users as usual, but includes nobody or everybody.
extension RuleSet {
    /// Returns the same rules with rollouts and the holdout changed to the fixed assignments.
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
    /// Returns a share that includes the user from the first nonempty share on, or never: before
    /// the first step nobody is included.
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
