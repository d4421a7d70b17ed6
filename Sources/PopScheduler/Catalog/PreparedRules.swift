/// Rules and everything that follows from them alone, computed once for many schedulers.
package struct PreparedRules: Sendable {
    private(set) var catalog: Catalog
    /// The conditions for an unknown user.
    let conditions: Conditions

    package init(_ rules: RuleSet) {
        catalog = Catalog(rules)
        conditions = Conditions(of: rules)
    }

    package var rules: RuleSet { catalog.rules }

    /// The place of a popup.
    package func place(of id: String) -> PopupIndex? { catalog.place(of: id) }

    /// The same rules with one popup switched off.
    package func disabling(_ popup: PopupIndex) -> PreparedRules {
        var changed = self
        changed.catalog.disable(popup)
        return changed
    }
}
