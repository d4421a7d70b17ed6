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
        let fields = Dictionary(template.fields.map { ($0.name.value, $0) }) { first, _ in first }
        let entries = content.entries
        let cut = decoder.reportCutTexts(
            in: entries, isName: { fields[$0] != nil }, type: { fields[$0]?.type?.value })
        var map = ValueMap()
        var seen: Set<String> = []
        for (position, entry) in entries.enumerated() {
            guard let name = entry.key.scalar?.text, !entry.key.isBroken else { continue }
            seen.insert(name)
            if cut.contains(position) { continue }
            guard let field = fields[name] else {
                if template.isBroken { continue }
                let names = fields.keys.sorted()
                let similar = decoder.suggestions(for: name, among: names)
                seen.formUnion(similar)
                decoder.report(
                    .unknownField(
                        name, at: entry.key.range, template: template, names: names,
                        similar: similar))
                continue
            }
            if let value = value(of: field, at: entry) { map[.string(name)] = value }
        }
        checkComplete(template, seen: seen, content: content)
        return .map(map)
    }

    /// A text for each language where that is meant, and one value otherwise.
    private mutating func value(of field: ContentFieldModel, at entry: YAMLEntry) -> Value? {
        if entry.value.kind == .mapping, field.type?.value == .string, !entry.value.isBroken {
            if decoder.inside(key: entry.key, { $0.reportBraces(entry.value) }) { return nil }
            if field.isLocalized { return texts(of: field, at: entry) }
            if isMapOfLanguages(entry.value) {
                decoder.report(.notLocalized(field, at: entry.value, in: decoder.source))
                return nil
            }
        }
        return decoder.inside(key: entry.key) { $0.value(of: field, at: entry.value) }
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

    fileprivate static func notLocalized(
        _ field: ContentFieldModel, at node: YAMLNode, in source: SourceFile
    ) -> Self {
        let type = field.type.map { [Label("declared here", at: $0.range)] } ?? []
        return Diagnostic(
            .contentType,
            message: "`\(field.name.value)` must be one text, but is a map of languages",
            at: node.rangeToPointAt(in: source), label: "not localized", secondary: type,
            help: [
                "a text for each language needs `localized: true` beside the type of the field"
            ])
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
