internal import PopCEL
internal import PopScheduler

extension Situation {
    /// Returns the values of context keys that have used up a cap and suppress the popup by this
    /// reason. For each value, the popup, or the popups that share the cap, showed as often as the
    /// cap allows.
    func valueTexts(_ popup: String, keptAwayFor reason: ReasonCode) -> [String] {
        let did = reason == .closedTooOften ? "closed or declined" : "shown"
        let isOwn = reason == .closedTooOften || reason == .periodCap
        let who = isOwn ? "it was" : "together they were"
        return scheduler.usedUpValues(of: popup, for: reason).map { used in
            let value =
                used.value.map { "for `\(used.key)` \($0)" } ?? "while `\(used.key)` is missing"
            return "\(who) \(did) \(used.count)× \(value), at most \(used.most)× for each value: it"
                + " may show again if the key has another value"
        }
    }
}
