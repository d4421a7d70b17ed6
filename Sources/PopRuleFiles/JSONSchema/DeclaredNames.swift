/// The key of a mapping for all popups that it does not name.
package let nameOfTheRest = "others"

/// The names that a rule set declares, for an editor to offer.
package struct DeclaredNames: Sendable {
    /// By the kind of thing, such as "popup".
    let byKind: [String: [String]]
    let contextKeys: [ContextKeyModel]

    package init(_ model: RuleModel) {
        byKind = [
            "scheduler": model.schedulers.names, "context key": model.context.names,
            "template": model.templates.names, "event": model.events.names,
            "named condition": model.conditions.names, "group": model.groups.names,
            "popup": model.popups.names, "experiment": model.experiments.names,
            "layer": model.layers.names,
            "context key of a table": model.context.names,
            "popup or event": model.popups.names + model.events.names,
            "popup or template": model.popups.names + model.templates.names + [nameOfTheRest],
        ]
        contextKeys = model.context.entries
    }
}
