internal import PopCEL
internal import PopSource
internal import PopYAML

extension RuleCompiler {
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
        // Content that is not a map has been reported.
        guard content.kind == .mapping, !content.isBroken else { return .map([:]) }
        checkTexts(in: content, of: popup)
        for entry in content.entries where entry.value.isPlain { checkEnd(of: entry.value.range) }
        guard let template else {
            return decoder.content(content) ?? .map([:])
        }
        return typedContent(content, template: template)
    }

    /// The whole content of a variant: the content of the popup with the variant's changes. Nil if
    /// the variant changes nothing.
    mutating func content(
        of variant: VariantModel, of popup: PopupModel, whole: Value
    ) -> Value? {
        let node = variant.content?.value
        let own = variant.template.flatMap { model.templates[$0.value] }
        if node == nil, own == nil { return nil }
        guard node.map({ $0.kind == .mapping && !$0.isBroken }) ?? true else { return nil }
        var result = own.map { inherited(from: popup, by: $0) } ?? whole.map
        var changes = ValueMap()
        if let node {
            checkTexts(in: node, of: popup)
            for entry in node.entries where entry.value.isPlain { checkEnd(of: entry.value.range) }
            let template = own ?? popup.template.flatMap { model.templates[$0.value] }
            changes =
                template.map { fields(in: node, of: $0).map } ?? decoder.content(node)?.map
                ?? [:]
        }
        for (name, value) in changes { result[name] = value }
        if let own, let place = variant.template?.range {
            let written = node?.entries.compactMap { $0.key.scalar?.text } ?? []
            let seen = Set(written + result.keys.compactMap(\.plainText))
            checkComplete(own, seen: seen, at: node?.rangeToPointAt(in: decoder.source) ?? place)
        }
        return .map(result)
    }

    /// Returns the content of a popup as far as another template has the same fields.
    private mutating func inherited(
        from popup: PopupModel, by template: TemplateModel
    ) -> ValueMap {
        guard let content = popup.content?.value, content.kind == .mapping else { return [:] }
        var found = Diagnostics()
        decoder.startOver(with: &found)
        let map = fields(in: content, of: template).map
        decoder.startOver(with: &found)
        return map
    }

    private mutating func typedContent(_ content: YAMLNode, template: TemplateModel) -> Value {
        let (map, seen) = fields(in: content, of: template)
        checkComplete(template, seen: seen, at: content.rangeToPointAt(in: decoder.source))
        return .map(map)
    }

    /// The fields that are written, typed by the template, and the names that were meant.
    private mutating func fields(
        in content: YAMLNode, of template: TemplateModel
    ) -> (map: ValueMap, seen: Set<String>) {
        let known = fields(of: template)
        let fields = known.byName
        let entries = content.entries
        let cut = decoder.reportCutTexts(
            in: entries, isName: { fields[$0] != nil }, type: { fields[$0]?.type?.value })
        var map = ValueMap()
        var seen: Set<String> = []
        for (position, entry) in entries.enumerated() {
            guard let name = entry.key.scalar?.text, !entry.key.isBroken else {
                if !cut.contains(position), !entry.key.isBroken {
                    decoder.report(.fieldWithoutName(entry.key))
                }
                continue
            }
            seen.insert(name)
            if cut.contains(position) { continue }
            guard let field = fields[name] else {
                if template.isBroken { continue }
                let names = known.names
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
        return (map, seen)
    }

    private mutating func fields(of template: TemplateModel) -> TemplateFields {
        if let known = templateFields[template.name.value] { return known }
        let fields = TemplateFields(template)
        templateFields[template.name.value] = fields
        return fields
    }

    /// Returns a string for each language if the field is localized, and a single value otherwise.
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
        _ template: TemplateModel, seen: Set<String>, at range: SourceRange
    ) {
        let missing = (template.required?.value ?? []).map(\.name)
            .filter { !seen.contains($0.value) }
        guard let first = missing.first else { return }
        decoder.report(
            .incomplete(
                missing.map(\.value), template: template.name.value, place: first.range,
                at: range))
    }
}

extension Value {
    fileprivate var map: ValueMap { if case .map(let map) = self { map } else { [:] } }
}

extension Diagnostic {
    fileprivate static func noContent(
        _ missing: [String], template: TemplateModel, at range: SourceRange
    ) -> Self {
        Diagnostic(
            .contentMissingKey,
            message:
                "the popup has no `content`, but its template `\(template.name.value)` requires it",
            at: range, label: "requires \(enumeration(missing, atMost: 12))",
            secondary: [Label("the template is declared here", at: template.name.range)],
            help: ["add `content` with \(enumeration(missing, atMost: 12))"])
    }

    fileprivate static func fieldWithoutName(_ key: YAMLNode) -> Self {
        Diagnostic(
            .schemaType, message: "the name of a field must be a string, but is \(key.foundPhrase)",
            at: key.range, label: "not a name", help: ["put a string with braces in quotes"])
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
                    ? "declare the field under `required` or `optional` of the template"
                    : similar.isEmpty
                        ? "use one of its fields \(enumeration(names, atMost: 5))"
                        : "did you mean \(alternatives(similar))?"
            ], fixes: similar.count == 1 ? [.rename(range, to: similar[0])] : [])
    }

    fileprivate static func notLocalized(
        _ field: ContentFieldModel, at node: YAMLNode, in source: SourceFile
    ) -> Self {
        let type = field.type.map { [Label("declared here", at: $0.range)] } ?? []
        return Diagnostic(
            .contentType,
            message: "`\(field.name.value)` must be a single value, but is a map of languages",
            at: node.rangeToPointAt(in: source), label: "not localized", secondary: type,
            help: [
                "add `localized: true` next to the type of the field to allow one text per language"
            ])
    }

    fileprivate static func incomplete(
        _ missing: [String], template: String, place: SourceRange, at range: SourceRange
    ) -> Self {
        Diagnostic(
            .contentMissingKey,
            message:
                "the content lacks \(enumeration(missing, atMost: 12)), which the template"
                + " `\(template)` requires",
            at: range, label: "\(enumeration(missing, atMost: 12)) missing",
            secondary: [Label("required here", at: place)])
    }
}

/// The fields of a template, which all its popups look up.
struct TemplateFields: Sendable {
    let byName: [String: ContentFieldModel]
    let names: [String]

    init(_ template: TemplateModel) {
        byName = Dictionary(template.fields.map { ($0.name.value, $0) }) { first, _ in first }
        names = byName.keys.sorted()
    }
}
