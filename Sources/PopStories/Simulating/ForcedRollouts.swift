internal import PopScheduler

// What a test says of a rollout goes into the rules: the scheduler draws as ever, from nobody or
// from everybody.
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
