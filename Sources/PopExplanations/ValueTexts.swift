internal import PopCEL
internal import PopScheduler

extension Situation {
    /// The values of context keys for which a popup, or those that it shares a cap with, showed as
    /// often as a cap allows that keeps it away by this reason.
    func valueTexts(_ popup: String, keptAwayFor reason: ReasonCode) -> [String] {
        let did = reason == .closedTooOften ? "closed or refused" : "shown"
        let isOwn = reason == .closedTooOften || reason == .periodCap
        let who = isOwn ? "it was" : "together they were"
        return scheduler.usedUpValues(of: popup, for: reason).map { used in
            let value =
                used.value.map { "for `\(used.key)` \($0)" } ?? "while `\(used.key)` is missing"
            return "\(who) \(did) \(used.count)× \(value), at most \(used.most)× for each value:"
                + " it may show again when the key has another"
        }
    }
}
