/// Rules and what follows from them alone, worked out once for many schedulers.
package struct PreparedRules: Sendable {
    private(set) var catalog: Catalog

    package init(_ rules: RuleSet) { catalog = Catalog(rules) }

    package var rules: RuleSet { catalog.rules }

    /// The place of a popup.
    package func place(of id: String) -> PopupIndex? { catalog.place(of: id) }

    /// The same rules with one popup switched off.
    package func disabling(_ popup: PopupIndex) -> PreparedRules {
        var changed = self
        changed.catalog.disable(popup)
        return changed
    }

    /// The same rules, where of tasks that were made at once the last one goes first on a
    /// scheduler, or the first one where that was the last.
    package func turningOrder(on lane: LaneIndex) -> PreparedRules {
        var changed = self
        changed.catalog.turnOrder(on: lane)
        return changed
    }
}
