internal import PopCEL
internal import PopExplanations
internal import PopReports
internal import PopRuleFiles
internal import PopScenario
internal import PopScheduler
internal import PopSource

/// The names of a rule set, as completions.
struct NameList {
    private let model: RuleModel?
    private let personas: [String]

    init(_ site: RequestContext) {
        model = site.model
        personas = site.kind == .tests ? site.personas : []
    }

    /// Returns the names of a kind, such as "popup".
    func named(_ kind: String) -> [Completion] {
        if kind == "persona" { return list(personas, kind: kind) }
        guard let model else { return [] }
        return switch kind {
        case "popup":
            model.popups.entries.map { popup in
                Completion(
                    label: popup.name.value, kind: .reference, detail: "popup",
                    documentation: (popup.texts.description?.value).map { .lines($0) })
            }
        case "scheduler": list(model.schedulers.names, kind: kind)
        case "group": list(model.groups.names, kind: kind)
        case "template": list(model.templates.names, kind: kind)
        case "experiment": list(model.experiments.names, kind: kind)
        case "layer": list(model.layers.names, kind: kind)
        case "event":
            model.events.entries.map { event in
                Completion(
                    label: event.name.value, kind: .event, detail: "event",
                    documentation: event.summary)
            }
        case "popup or event": named("popup") + named("event")
        case "popup or template":
            named("popup") + named("template") + [
                Completion(
                    label: nameOfTheRest, kind: .keyword, documentation: "popups not listed here")
            ]
        case "named condition": list(model.conditions.names, kind: kind)
        case "context key", "context key of a table":
            model.context.entries.map { key in
                Completion(
                    label: key.name.value, kind: .variable, detail: key.typeText,
                    documentation: key.documentation)
            }
        case nameInCondition: named("context key") + named("named condition")
        default: []
        }
    }

    /// Returns the names of a kind that may depend on the entry of a section.
    func named(_ kind: String, of entry: String?) -> [Completion] {
        switch kind {
        case "event field":
            (entry.flatMap { model?.events[$0] }?.fields ?? []).map { Completion(payload: $0) }
        case "action":
            if let template = entry.flatMap({ model?.templates[$0] }) {
                list((template.actions?.value ?? []).map(\.name.value), kind: kind)
            } else {
                // Closing isn't an action of a popup.
                actions(ofPopup: entry).filter { $0.label != "close" }
            }
        default: named(kind)
        }
    }

    private func list(_ names: [String], kind: String) -> [Completion] {
        names.map { Completion(label: $0, kind: .reference, detail: kind) }
    }

    /// The values that a context key or a named condition can have, as they are written in YAML.
    func values(ofKey name: String) -> [Completion] {
        guard let key = model?.context[name] else {
            guard model?.conditions[name] != nil else { return [] }
            return ["true", "false"].map { Completion(label: $0, kind: .keyword) }
        }
        if let values = key.allowedValues?.value {
            return values.map { Completion(label: $0.value.yamlText, kind: .value, detail: name) }
        }
        if key.type?.value == .bool {
            return ["true", "false"].map { Completion(label: $0, kind: .keyword) }
        }
        return [key.defaultValue, key.minimum, key.maximum].compactMap { $0 }.map {
            Completion(label: $0.value.yamlText, kind: .value, detail: name)
        }
    }

    func fields(ofTemplate name: String?) -> [Completion] {
        guard let template = name.flatMap({ model?.templates[$0] }) else { return [] }
        let required = template.required?.value ?? []
        return (required + (template.optional?.value ?? [])).enumerated().map { index, field in
            Completion(
                label: field.name.value, kind: .field, detail: field.type.map { "\($0.value)" },
                documentation: (field.description?.value).map { .lines($0) },
                snippet: "\(field.name.value): ",
                rank: index < required.count ? 1 : 5)
        }
    }

    /// Returns the actions of a popup's template; of all templates if it is not known.
    func actions(ofPopup name: String?) -> [Completion] {
        let own = name.flatMap { model?.popups[$0] }?.template.flatMap {
            model?.templates[$0.value]
        }
        let templates = own.map { [$0] } ?? model?.templates.entries ?? []
        let names = templates.flatMap { ($0.actions?.value ?? []).map(\.name.value) }
        return Set(names + ["close"]).sorted()
            .map { Completion(label: $0, kind: .enumMember, detail: "action") }
    }
}

extension RequestContext {
    /// The personas that a test file declares, also while it cannot be read as a whole.
    var personas: [String] {
        var names: [String] = []
        for mark in FileOutline(file, kind: .tests).marks {
            if case .declares("persona", let name, _, _) = mark.kind { names.append(name) }
        }
        return names
    }
}

extension EventModel {
    /// The fields of its payload.
    var summary: Markdown? {
        if fields.isEmpty { return nil }
        let list = fields.map { field -> Markdown in
            let type = field.type.map { "\($0.value)" } ?? "any"
            return "\(code: field.name.value) (\(type))"
        }
        return "payload: \(list.joined(separator: ", "))"
    }
}

extension ContextKeyModel {
    var typeText: String { type.map { "\($0.value)" } ?? "any" }

    /// Its meaning, its values, and when it has a value.
    var documentation: Markdown {
        var lines: [Markdown] = []
        if let description { lines.append(.lines(description.value)) }
        if let values = allowedValues?.value {
            lines.append("values: \(.codes(values.map(\.value.yamlText)))")
        }
        if let minimum { lines.append("minimum: \(code: minimum.value.yamlText)") }
        if let maximum { lines.append("maximum: \(code: maximum.value.yamlText)") }
        lines.append(
            defaultValue.map { "\(code: $0.value.yamlText) until the app sets it" }
                ?? "no value until the app sets it")
        if isMomentary?.value == true { lines.append("describes the current moment, not the user") }
        return lines.joined(separator: "\n\n")
    }
}

extension Value {
    /// The value as a file writes it, without quotes if none are needed.
    var yamlText: String {
        if case .string(let text) = self { return YAMLText.name(text) }
        return yaml
    }

    /// The value as an expression writes it.
    var expressionText: String {
        if case .string(let text) = self { return JSON.string(text).compact }
        return description
    }
}
