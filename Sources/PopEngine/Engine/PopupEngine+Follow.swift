public import PopScheduler

extension PopupEngine {
    /// Goes on with the rules that a source gives, each time it gives some, until the source ends
    /// or the task is cancelled; at once, or from the next session on.
    ///
    /// Where the source says what is wrong instead, the last good rules stay in force and that is
    /// told as an event.
    public func follow<Updates: AsyncSequence>(
        _ updates: Updates, rollOut: RollOut = .atOnce
    ) async where Updates.Element == Result<RuleSet, any Error> {
        do {
            for try await update in updates {
                switch update {
                case .success(let rules):
                    if !core.keepsForLater(rules, rollOut) { await reloadElsewhere(rules) }
                case .failure(let error): refuseRules("\(error)")
                }
            }
        } catch {
            refuseRules("\(error)")
        }
    }
}
