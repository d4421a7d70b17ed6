internal import PopRuleFiles
internal import PopSource
internal import PopYAML

// Names in contents and tests, and what conditions mention.
extension OutlineWalk {
    mutating func placeholders(in content: YAMLNode) {
        for placeholder in placeholdersInTexts(of: content) {
            var popup: String?
            if case .popup(let name) = owner { popup = name }
            add(
                FileOutline.Mark(
                    kind: .placeholder(placeholder.name, popup: popup),
                    range: placeholder.range.bytes))
        }
    }

    /// The keys of test files that are followed by variants.
    static let keysOfVariants: Set<String> = ["variant", "exposed"]

    /// Marks the variant of the popup that a map is about, or the variants of several popups.
    mutating func variants(in node: YAMLNode) {
        if let name = node.text, let popup {
            add(.names(kind: "variant", name: name, of: .popup(popup)), at: node)
        }
        for entry in node.entries {
            guard let popup = entry.key.text else { continue }
            add(.names(kind: "popup", name: popup), at: entry.key)
            guard let name = entry.value.text else { continue }
            add(.names(kind: "variant", name: name, of: .popup(popup)), at: entry.value)
        }
    }

    /// The fields of an event that a test sends.
    mutating func payload(in node: YAMLNode, of event: String) {
        for entry in node.entries {
            guard let field = entry.key.text else { continue }
            add(.names(kind: "event field", name: field, of: .event(event)), at: entry.key)
        }
    }

    /// Marks the assignments of a persona, which are next to its context.
    mutating func draws(in entry: YAMLEntry, named name: String) {
        if Self.keysOfVariants.contains(name) { variants(in: entry.value) }
        guard name == "rollout" else { return }
        for popup in entry.value.entries {
            guard let name = popup.key.text else { continue }
            add(.names(kind: "popup", name: name), at: popup.key)
        }
    }

    mutating func condition(_ node: YAMLNode) {
        guard !node.isBroken else { return }
        switch node.kind {
        case .scalar: expression(node)
        case .sequence: for item in node.items { condition(item) }
        case .mapping:
            for entry in node.entries {
                guard let name = entry.key.text else { continue }
                if combinerWordsOfConditions.contains(name) {
                    add(.word(name), at: entry.key)
                    condition(entry.value)
                } else if let event, name.hasPrefix("event.") {
                    let field = String(name.dropFirst("event.".count))
                    add(.names(kind: "event field", name: field, of: .event(event)), at: entry.key)
                } else {
                    add(.names(kind: nameInCondition, name: name), at: entry.key)
                }
            }
        }
    }

    mutating func expression(_ node: YAMLNode, isOfState: Bool = false) {
        guard let scalar = node.scalar, case .string = scalar.value else { return }
        let text = Array(scalar.utf8)
        let expression = ExpressionText(
            text: text, map: scalar.textMap, tokens: LexicalToken.all(in: text), event: event,
            isOfState: isOfState)
        add(FileOutline.Mark(kind: .expression(expression), range: node.definitionRange.bytes))
    }
}
