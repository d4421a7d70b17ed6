internal import PopScheduler
internal import PopSource
internal import PopYAML

extension Table<ActionModel> {
    static let action = Table(
        "an action",
        keys: [
            Key(
                "refusal", format: .bool, store: { $0.refusal = $1 },
                alsoCalled: ["refuse", "refuses", "is_refusal", "negative", "close", "closes"],
                summary: "whether the action is a refusal, which counts as closing the popup")
        ])
}

extension Format<[ActionModel]> {
    /// A list of names, of which each may be a map with more keys.
    static var actions: Self {
        let id = Schema.pattern(
            phrase: "the name of an action such as `accept`",
            expression: "^[A-Za-z_][A-Za-z0-9_]*$")
        let map = Schema.map(.table(Table.action.schema), keys: .declared(.id))
        let schema = Schema.list(.either([id, map]), count: 1...RuleBounds.fields)
        return Format(schema) { node, decoder in
            guard node.kind == .sequence else {
                guard let list = decoder.actionList(node) else {
                    return decoder.mismatch(schema, at: node)
                }
                return decoder.mismatch(
                    schema, at: node, help: ["write `\(list)`"],
                    fixes: [.rename(node.range, to: list)])
            }
            if node.items.isEmpty {
                decoder.report(.noActions(at: node.range))
                return []
            }
            let count = node.items.count
            guard count <= RuleBounds.fields else {
                decoder.report(
                    .itemCount(
                        count, minimum: 1, maximum: RuleBounds.fields, with: decoder, at: node))
                return nil
            }
            let actions = decoder.insideItem { decoder in
                node.items.flatMap { decoder.actions(in: $0, schema: id) }
            }
            return decoder.eachOnce(actions)
        }
    }
}

extension Decoder {
    /// The action that an item of the list declares; several where a map has several.
    fileprivate mutating func actions(in node: YAMLNode, schema: Schema) -> [ActionModel] {
        if node.isBroken { return [] }
        guard node.kind == .mapping else {
            guard case .string? = node.coreValue else {
                let _: String? = mismatch(schema, at: node)
                return []
            }
            return name(node, of: "action", form: .id).map { [ActionModel(name: $0)] } ?? []
        }
        if let refusal = refusalCutOff(node) {
            report(refusal)
            return []
        }
        return node.entries.compactMap { entry in
            guard let name = name(entry.key, of: "action", form: .id) else { return nil }
            var action = ActionModel(name: name)
            inside(key: entry.key) { decoder in
                if entry.value.kind == .mapping {
                    decoder.read(.action, at: entry.value, into: &action)
                } else if !entry.value.isBroken {
                    decoder.report(.actionIsNoMap(name, at: entry.value))
                }
            }
            return action
        }
    }

    /// Returns the finding about `- never:` above a `refusal` at the same level, and about `name:
    /// never`; nil if the item is not written so.
    private func refusalCutOff(_ node: YAMLNode) -> Diagnostic? {
        guard node.entries.count == 2,
            let refusal = node.entries.first(where: { $0.key.scalar?.hasText("refusal") == true }),
            let other = node.entries.first(where: { $0.key.scalar?.hasText("refusal") != true }),
            case .bool(let isRefusal)? = refusal.value.coreValue
        else { return nil }
        let isNamed = other.key.scalar.map { $0.hasText("name") || $0.hasText("id") } == true
        let name = isNamed && !other.value.isNull ? other.value : other.key
        guard isNamed || other.value.isNull, let text = name.scalar?.text else { return nil }
        return .refusalCutOff(text, isRefusal: isRefusal, at: node.range)
    }

    /// The first of those with one name; reports the others, and a name that means something else.
    fileprivate mutating func eachOnce(_ actions: [ActionModel]) -> [ActionModel] {
        var first: [String: SourceRange] = [:]
        return actions.filter { action in
            let name = action.name
            if name.value == TemplateRule.Action.close { report(.closeIsNoAction(at: name.range)) }
            guard let place = first[name.value] else {
                first[name.value] = name.range
                return true
            }
            report(.actionTwice(name, first: place))
            return false
        }
    }

    /// For actions written as a map: `{ accept: {}, never: { refusal: true } }`.
    fileprivate func actionList(_ node: YAMLNode) -> String? {
        guard node.kind == .mapping, !node.entries.isEmpty else { return nil }
        let items = node.entries.map { entry in
            let name = entry.key.nameForMessages
            return entry.value.entries.isEmpty
                ? name : "{ \(name): \(source.text(in: entry.value.range)) }"
        }
        let list = "[\(items.joined(separator: ", "))]"
        return list.utf8.count > 160 || list.contains("\n") ? nil : list
    }
}

extension Diagnostic {
    fileprivate static func refusalCutOff(
        _ name: String, isRefusal: Bool, at range: SourceRange
    ) -> Self {
        let item = isRefusal ? "{ \(name): { refusal: true } }" : name
        return Diagnostic(
            .schemaType, message: "`refusal` must be nested below the name of its action",
            at: range, label: "two keys of one item", help: ["write `\(item)`"],
            fixes: [.rename(range, to: item)])
    }

    fileprivate static func noActions(at range: SourceRange) -> Self {
        Diagnostic(
            .schemaRange, message: "`actions` is an empty list", at: range, label: "no items",
            help: ["list what users can do, or remove the line: without it no action is reported"])
    }

    fileprivate static func actionIsNoMap(_ name: Located<String>, at node: YAMLNode) -> Self {
        var diagnostic = Diagnostic(
            .schemaType,
            message: "`\(name.value)` must be a map with the key `refusal`, but is"
                + " \(node.foundPhrase)",
            at: node.isNull ? name.range : node.range,
            help: [
                "write `{ \(name.value): { refusal: true } }` for an action that is a refusal",
                "use only the name `\(name.value)` for any other action",
            ])
        let text = node.scalar?.text ?? ""
        if !text.isEmpty {
            diagnostic.fixes = [.rename(node.range, to: "{ refusal: true }")]
        } else {
            diagnostic.help.removeFirst()
        }
        if text == "refusal" { diagnostic.help.removeLast() }
        return diagnostic
    }

    fileprivate static func closeIsNoAction(at range: SourceRange) -> Self {
        Diagnostic(
            .schemaIDFormat, message: "`close` cannot be the name of an action", at: range,
            label: "reserved",
            notes: ["`close` is built in: it means that the user closes the popup"],
            help: ["remove it, or choose another name"])
    }

    fileprivate static func actionTwice(_ name: Located<String>, first: SourceRange) -> Self {
        Diagnostic(
            .refDuplicateID, message: "the action `\(name.value)` is declared twice",
            at: name.range, label: "declared again",
            secondary: [Label("first declared here", at: first)],
            help: ["remove one of them; the first is used"])
    }
}
