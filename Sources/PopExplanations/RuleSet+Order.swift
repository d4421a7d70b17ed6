internal import PopCEL
package import PopScheduler

extension RuleSet {
    /// Returns the popups of a scheduler, those with priority first.
    package func queueOrder(of lane: LaneIndex) -> [PopupRule] {
        let own = popups.filter { $0.scheduler == lane }
        guard schedulers[lane].strategy == .priority else { return own }
        return own.enumerated().sorted {
            (-$0.element.priority, $0.offset) < (-$1.element.priority, $1.offset)
        }.map(\.element)
    }
}
