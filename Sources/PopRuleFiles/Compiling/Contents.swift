internal import PopCEL
internal import PopSource
internal import PopYAML

extension Compiler {
    /// The content of a popup, typed by its template when it names one that exists.
    mutating func content(_ popup: PopupModel) -> Value {
        let template = popup.template.flatMap { model.templates[$0.value] }
        guard let content = popup.content?.value else {
            if let template, let place = popup.template?.range {
                let missing = template.required?.value.map(\.name.value) ?? []
                if !missing.isEmpty {
                    decoder.report(.noContent(missing, template: template, at: place))
                }
            }
            return .map([:])
        }
        // What is written but is no map has been reported.
        guard content.kind == .mapping, !content.isBroken else { return .map([:]) }
        checkTexts(in: content, of: popup)
        for entry in content.entries where entry.value.isPlain { checkEnd(of: entry.value.range) }
        guard let template else {
            return decoder.content(content) ?? .map([:])
        }
        return typedContent(content, template: template)
    }

    private mutating func typedContent(_ content: YAMLNode, template: TemplateModel) -> Value {
        var types: [String: CELType] = [:]
        for field in (template.required?.value ?? []) + (template.optional?.value ?? []) {
            types[field.name.value] = field.type?.value ?? .dyn
        }
        var map = ValueMap()
        var seen: Set<String> = []
        for entry in content.entries {
            guard let name = entry.key.scalar?.text, !entry.key.isBroken else { continue }
            seen.insert(name)
            guard let type = types[name] else {
                if template.isBroken { continue }
                let names = types.keys.sorted()
                let similar = decoder.suggestions(for: name, among: names)
                seen.formUnion(similar)
                decoder.report(
                    .unknownField(
                        name, at: entry.key.range, template: template, names: names,
                        similar: similar))
                continue
            }
            let value = decoder.inside(key: entry.key) { decoder in
                decoder.value(entry.value, as: type, check: .contentType)
            }
            if let value { map[.string(name)] = value }
        }
        checkComplete(template, seen: seen, content: content)
        return .map(map)
    }

    private mutating func checkComplete(
        _ template: TemplateModel, seen: Set<String>, content: YAMLNode
    ) {
        let missing = (template.required?.value ?? []).map(\.name)
            .filter { !seen.contains($0.value) }
        guard let first = missing.first else { return }
        decoder.report(
            .incomplete(
                missing.map(\.value), template: template.name.value, place: first.range,
                at: content.rangeToPointAt(in: decoder.source)))
    }
}

extension Diagnostic {
    fileprivate static func noContent(
        _ missing: [String], template: TemplateModel, at range: SourceRange
    ) -> Self {
        Diagnostic(
            .contentMissingKey,
            message:
                "the popup has no `content`, but its template `\(template.name.value)` requires one",
            at: range, label: "requires \(enumeration(missing))",
            secondary: [Label("the template is declared here", at: template.name.range)],
            help: ["write `content` with \(enumeration(missing))"])
    }

    fileprivate static func unknownField(
        _ name: String, at range: SourceRange, template: TemplateModel, names: [String],
        similar: [String]
    ) -> Self {
        Diagnostic(
            .contentUnknownKey,
            message: "the template `\(template.name.value)` has no field `\(name.shortened)`",
            at: range,
            label: "not a field of the template",
            secondary: [Label("the template is declared here", at: template.name.range)],
            help: [
                names.isEmpty
                    ? "it has no fields: declare them under its `required` and `optional`"
                    : similar.isEmpty
                        ? "its fields are \(enumeration(names, atMost: 5))"
                        : "a field with a similar name exists: \(alternatives(similar))"
            ], fixes: similar.count == 1 ? [.rename(range, to: similar[0])] : [])
    }

    fileprivate static func incomplete(
        _ missing: [String], template: String, place: SourceRange, at range: SourceRange
    ) -> Self {
        Diagnostic(
            .contentMissingKey,
            message:
                "the content lacks \(enumeration(missing)), which the template `\(template)` requires",
            at: range, label: "\(enumeration(missing)) missing",
            secondary: [Label("required here", at: place)])
    }
}
