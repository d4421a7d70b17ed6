internal import PopRuleFiles
internal import PopSource
internal import PopStories

/// The possible values at a place, found by following its keys through the tables of the format.
struct SchemaPath: Sendable {
    enum Value: Sendable {
        /// The top of a file.
        case top([TopLevelKey])
        case schema(Schema)
        /// The value of a context key, or of a named condition.
        case value(ofKey: String)
        /// A comparison with the value of a context key.
        case comparison(ofKey: String)
        /// The content of a popup, by its template.
        case content(template: String?)
        /// A string of the content of a popup, or its translations.
        case contentText(popup: String?)
        /// The actions that users can perform on a popup.
        case action(ofPopup: String)
        /// The payload that the app sends with an event.
        case payload(ofEvent: String)
        /// A value of the type, or of the list, that other keys of the map name.
        case valueOfType(by: String, list: String?)

        var takesExpression: Bool {
            switch self {
            case .schema(.condition): true
            case .schema(.pattern(let phrase, _)): phrase.hasPrefix("an expression")
            case .top, .schema, .value, .comparison, .content, .contentText, .action, .payload,
                .valueOfType:
                false
            }
        }
    }

    let kind: FileKind

    /// Returns all that is possible after the path.
    func schemas(along path: [CursorPlace.Step], model: RuleModel?) -> [Value] {
        var values: [Value] = [.top(kind.topLevel)]
        var popup: String?
        for (index, step) in path.enumerated() {
            if index == 1, case .key(let name) = step, path[0] == .key("popups") { popup = name }
            values = values.flatMap { next($0, step: step, popup: popup, model: model) }
        }
        return values.flatMap { flat($0) }
    }

    private func flat(_ value: Value) -> [Value] {
        guard case .schema(.either(let schemas)) = value else { return [value] }
        return schemas.flatMap { flat(.schema($0)) }
    }

    private func next(
        _ value: Value, step: CursorPlace.Step, popup: String?, model: RuleModel?
    ) -> [Value] {
        switch (value, step) {
        case (.top(let keys), .key(let name)):
            return keys.filter { $0.name == name }.map { .schema($0.schema) }
        case (.schema(.either(let schemas)), _):
            return schemas.flatMap { next(.schema($0), step: step, popup: popup, model: model) }
        case (.schema(.list(let item, _)), .item): return [.schema(item)]
        case (.schema(.condition), .item): return [.schema(.condition)]
        case (.schema(.condition), .key(let name)):
            if combinerWordsOfConditions.contains(name) {
                return [.schema(.list(.condition)), .schema(.condition)]
            }
            return [.value(ofKey: name), .comparison(ofKey: name)]
        case (.comparison(let key), .key(let word)):
            if word == "not" { return [.comparison(ofKey: key)] }
            return word == "exists" ? [.schema(.bool)] : [.value(ofKey: key)]
        case (.value(let key), .item): return [.value(ofKey: key)]
        case (.schema(.table(let table)), .key(let name)):
            guard
                let key = table.keys.first(where: { $0.name == name || $0.formerly.contains(name) })
            else { return [] }
            for case .typed(let type, let values, let lists, _) in table.rules
            where values.contains(name) {
                return [.valueOfType(by: type, list: lists.first)]
            }
            if name == "content", kind == .rules {
                let own = popup.flatMap { model?.popups[$0] }?.template?.value
                return [.content(template: own)]
            }
            return [.schema(key.schema)]
        case (.content, _), (.contentText, _): return [.contentText(popup: popup)]
        case (.schema(.map(.any, .references("event"))), .key(let name)):
            return [.payload(ofEvent: name)]
        case (.schema(.map(.any, .references("context key"))), .key(let name)):
            return [.value(ofKey: name)]
        case (.schema(.map(let value, .references("popup"))), .key(let name)):
            return [.schema(value), .action(ofPopup: name)]
        case (.schema(.map(let value, _)), .key): return [.schema(value)]
        case (.top, _), (.schema, _), (.value, _), (.comparison, _), (.action, _), (.payload, _),
            (.valueOfType, _):
            return []
        }
    }
}
