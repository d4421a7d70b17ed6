internal import PopSource
internal import PopYAML

extension TriggerMap {
    /// The keys that name the subject of the trigger, of which one is allowed.
    var subjects: [(key: String, name: Located<String>)] {
        [("event", event), ("changed", changed), ("popup", popup)].compactMap { key, name in
            name.map { (key, $0) }
        }
    }
}

extension Decoder {
    /// A trigger by an action of a user on a popup.
    mutating func trigger(
        _ map: TriggerMap, by popup: Located<String>, at node: YAMLNode
    ) -> TriggerModel? {
        if let action = map.action { return .acted(popup: popup, action: action) }
        // One whose value is wrong has been reported.
        if !node.entries.contains(where: { $0.key.scalar?.hasText("action") == true }) {
            report(.noActionOfTrigger(popup))
        }
        return nil
    }
}

extension Diagnostic {
    fileprivate static func noActionOfTrigger(_ popup: Located<String>) -> Self {
        Diagnostic(
            .schemaMissingKey,
            message: "the trigger has a `popup`, but no `action`",
            at: popup.range, label: "no `action`",
            help: [
                "add an action that the template of `\(popup.value)` declares, or `close` if the"
                    + " user closes it, such as `{ popup: \(popup.value), action: close }`"
            ])
    }

    static func actionOfNoPopup(_ action: Located<String>) -> Self {
        Diagnostic(
            .schemaMissingKey, message: "the trigger has an `action`, but no `popup`",
            at: action.range, label: "no `popup`",
            help: ["add `popup` with the name of the popup that has the action"])
    }
}
