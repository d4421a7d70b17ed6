internal import PopCEL
internal import PopScheduler
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
            for entry in content.entries { checkLastZeros(of: entry.value) }
            return decoder.content(content) ?? .map([:])
        }
        for entry in content.entries { checkLastZeros(of: entry.value, isDeclared: true) }
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
            if template == nil {
                for entry in node.entries { checkLastZeros(of: entry.value) }
                checkKeys(of: node, against: result)
            }
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

    /// Looks for keys of a variant that the popup lacks, although it has one with a similar name.
    /// Without a template, nothing declares which keys there are.
    private mutating func checkKeys(of variant: YAMLNode, against content: ValueMap) {
        let names = content.keys.compactMap(\.plainText)
        let written = variant.entries.compactMap { $0.key.scalar?.text }
        guard names.count <= 100, written.count <= 100 else { return }
        for entry in variant.entries {
            guard let name = entry.key.scalar?.text, !names.contains(name) else { continue }
            let similar = similarNames(to: name, among: names).filter { !written.contains($0) }
            if similar.count == 1 {
                decoder.report(.unlikeContent(entry.key, meant: similar[0]))
            }
        }
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
        var translated: Set<String> = []
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
                if let (field, _) = languageInName(name, fields: fields) {
                    if translated.insert(field.name.value).inserted {
                        seen.insert(field.name.value)
                        reportLanguages(
                            of: field, in: entries, from: position, template: template,
                            fields: fields)
                    }
                    continue
                }
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
        let signs = key.kind == .sequence ? "brackets" : "braces"
        return Diagnostic(
            .schemaType, message: "the name of a field must be a string, but \(key.foundClause)",
            at: key.range, label: "not the name of a field",
            help: ["if the \(signs) are part of a string, put the whole string in quotes"])
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
                    ? "declare `\(name.shortened)` under `required` or `optional` of the template,"
                        + " such as `optional: { title: string }`"
                    : similar.isEmpty
                        ? "use one of the template's fields \(enumeration(names, atMost: 5))"
                        : "did you mean \(alternatives(similar))?"
            ], fixes: similar.count == 1 ? [.rename(range, to: similar[0])] : [])
    }

    fileprivate static func notLocalized(
        _ field: ContentFieldModel, at node: YAMLNode, in source: SourceFile
    ) -> Self {
        let name = field.name.value
        let type = field.type.map { Label("the type of `\(name)` is declared here", at: $0.range) }
        return Diagnostic(
            .contentType,
            message: "`\(name)` must be a single value, but is a map of languages",
            at: node.rangeToPointAt(in: source), label: "this field is not localized",
            secondary: [type].compactMap(\.self),
            help: [
                "use a single value; or, to allow one string per language, add `localized: true` to"
                    + " the field in the template, such as"
                    + " `\(name): { type: string, localized: true }`"
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
            secondary: [Label("required here", at: place)],
            help: ["add \(enumeration(missing, atMost: 12)) to `content`"])
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

extension Decoder {
    /// Reads a value of the content and checks it against the requirements of its field.
    mutating func value(of field: ContentFieldModel, at node: YAMLNode) -> Value? {
        let type = field.type?.value ?? .dyn
        if field.format?.value == .color, node.isNull, !node.isBroken {
            report(.colorAsComment(subjectOfValue, at: node, key: rangeOfKey, in: source))
            return nil
        }
        guard let value = value(node, as: type, check: .contentType) else { return nil }
        checkLength(of: value, at: node, field: field)
        checkAllowed(value, at: node, field: field)
        checkFormat(of: value, at: node, field: field)
        return value
    }

    /// Checks the length as written, with placeholders unexpanded.
    private mutating func checkLength(
        of value: Value, at node: YAMLNode, field: ContentFieldModel
    ) {
        guard let most = field.maximum, let length = value.length, length > most.value else {
            return
        }
        let noun = if case .list = value { "items" } else { "characters" }
        report(
            .tooLong(
                subjectOfValue, length: length, noun: noun, maximum: most,
                at: node.rangeToPointAt(in: source)))
    }

    private mutating func checkAllowed(
        _ value: Value, at node: YAMLNode, field: ContentFieldModel
    ) {
        guard let allowed = field.allowedValues,
            !allowed.value.contains(where: { $0.value == value })
        else { return }
        let names = allowed.value.map { $0.value.plainText ?? $0.value.description }
        let text = value.plainText ?? source.text(in: node.rangeToPointAt(in: source))
        let similar = takeSuggestion() ? similarValues(to: text, among: names) : []
        report(
            .notAllowed(
                subjectOfValue, text: text, names: names, similar: similar, list: allowed.range,
                at: node.rangeToPointAt(in: source), isScalar: node.kind == .scalar))
    }

    /// In a string with placeholders, only the certain part is checked.
    private mutating func checkFormat(
        of value: Value, at node: YAMLNode, field: ContentFieldModel
    ) {
        guard let format = field.format, case .string(let text) = value else { return }
        let bytes = Array(text.utf8)
        let placeholders = Placeholder.all(in: bytes)
        var written = text
        if let first = placeholders.first {
            guard format.value == .url, first.whole.lowerBound > 0 else { return }
            var filled: [UInt8] = []
            var end = 0
            for placeholder in placeholders {
                filled += bytes[end..<placeholder.whole.lowerBound] + [UInt8(ascii: "x")]
                end = placeholder.whole.upperBound
            }
            written = String(decoding: filled + bytes[end...], as: UTF8.self)
        }
        guard let problem = format.value.problem(in: written) else { return }
        report(
            .notOfFormat(
                subjectOfValue, text: text, format: format, help: problem.help,
                meant: placeholders.isEmpty && node.kind == .scalar ? problem.meant : nil,
                at: node.range))
    }
}

extension Diagnostic {
    fileprivate static func tooLong(
        _ subject: String, length: Int, noun: String, maximum: Located<Int>, at range: SourceRange
    ) -> Self {
        let over = length - maximum.value
        return Diagnostic(
            .contentTooLong,
            message: "\(subject) has \(length) \(noun), but may have at most \(maximum.value)",
            at: range,
            label: "\(over) \(over == 1 ? String(noun.dropLast()) : noun) too many",
            secondary: [Label("the maximum is \(maximum.value)", at: maximum.range)])
    }

    fileprivate static func notAllowed(
        _ subject: String, text: String, names: [String], similar: [String], list: SourceRange,
        at range: SourceRange, isScalar: Bool
    ) -> Self {
        Diagnostic(
            .contentValue, message: "\(subject) cannot be `\(text.shortened)`", at: range,
            label: "not an allowed value", secondary: [Label("the allowed values", at: list)],
            help: [
                similar.isEmpty
                    ? "use \(alternatives(Array(names.prefix(5))))"
                    : "did you mean \(alternatives(similar))?"
            ],
            fixes: similar.count == 1 && isScalar ? [.rename(range, to: similar[0])] : [])
    }

    fileprivate static func notOfFormat(
        _ subject: String, text: String, format: Located<ContentFormat>, help: String,
        meant: String?, at range: SourceRange
    ) -> Self {
        Diagnostic(
            .contentValue,
            message: text.isEmpty
                ? "\(subject) is empty, which is not a valid \(format.value.noun)"
                : "`\(text.shortened)` is not a valid \(format.value.noun)", at: range,
            label: meant.map { "write `\($0)`" } ?? "not a valid \(format.value.noun)",
            secondary: [Label("the format is required here", at: format.range)], help: [help],
            fixes: meant.map { [.rename(range, to: $0)] } ?? [])
    }

    /// `#ff8800` without quotes, which is a comment.
    fileprivate static func colorAsComment(
        _ subject: String, at node: YAMLNode, key: SourceRange?, in source: SourceFile
    ) -> Self {
        let place = node.range.isEmpty ? key ?? node.range : node.range
        let rest = source.bytes[place.upper...].prefix { $0 != UInt8(ascii: "\n") }
        let text = String(decoding: rest, as: UTF8.self)
        let color = text.firstMatch(of: #/#[0-9A-Fa-f]{3,8}\b/#).map { "\"\($0.output)\"" }
        return Diagnostic(
            .contentType, message: "\(subject) has no value", at: place, label: "empty value",
            help: [
                "put the color in quotes, because `#` starts a comment"
                    + (color.map { ": use `\($0)`" } ?? "")
            ])
    }
}

extension RuleCompiler {
    /// Looks for text that a ` #` cuts off from a string for users, as in `Room #5`: a comment has
    /// a space after its sign.
    mutating func checkEnd(of text: SourceRange) {
        let bytes = decoder.source.bytes
        guard text.upper + 2 < bytes.count, bytes[text.upper] == UInt8(ascii: " "),
            bytes[text.upper + 1] == UInt8(ascii: "#"), bytes[text.upper + 2] > UInt8(ascii: "#"),
            let first = bytes[text.bytes].first, !"\"'|>[{".utf8.contains(first)
        else { return }
        let line = bytes[text.upper...].prefix { $0 != UInt8(ascii: "\n") && $0 != 0x0D }
        let blanks = line.reversed().prefix { $0 == UInt8(ascii: " ") }.count
        let whole = SourceRange(file: text.file, text.lower..<line.endIndex - blanks)
        decoder.report(.cutText(text, whole: whole, in: decoder.source))
    }
}

extension RuleCompiler {
    /// Looks for numbers that lose their last zero, such as `49.90`. `isDeclared` is true if a
    /// template declares the field, as a number.
    mutating func checkLastZeros(of node: YAMLNode, isDeclared: Bool = false) {
        guard node.isPlain, case .float? = node.coreValue, let text = node.scalar?.text,
            text.hasSuffix("0"), text.wholeMatch(of: #/-?[0-9]+\.[0-9]+0/#) != nil
        else { return }
        decoder.report(.lastZero(text, at: node.range, isDeclared: isDeclared))
    }
}

extension Diagnostic {
    fileprivate static func unlikeContent(_ key: YAMLNode, meant: String) -> Self {
        var diagnostic = Diagnostic(
            .contentUnknownKey,
            message: "the content of the popup has no key `\(key.nameForMessages)`", at: key.range,
            label: "the variant adds this key, and leaves `\(meant)` unchanged",
            help: ["did you mean `\(meant)`?"], fixes: [.rename(key.range, to: meant)])
        // Without a template, a variant may add keys.
        diagnostic.level = .warning
        return diagnostic
    }

    fileprivate static func lastZero(
        _ text: String, at range: SourceRange, isDeclared: Bool
    ) -> Self {
        var diagnostic = Diagnostic(
            .yamlImplicitType, message: "`\(text)` is a number, so its last zero is lost",
            at: range, label: "YAML does not keep the last zero of a number",
            help: ["if users should see the last zero, put the value in quotes: `\"\(text)\"`"],
            fixes: [
                Fix(
                    "put the value in quotes",
                    edits: [.init(range, replacement: "\"\(text)\"")], isSafe: false)
            ])
        // It may be a number for the app.
        diagnostic.level = .info
        if isDeclared {
            diagnostic.help = [
                "if users should see the last zero, declare the field as `string` in the template,"
                    + " and put the value in quotes: `\"\(text)\"`"
            ]
            diagnostic.fixes = []
        }
        return diagnostic
    }

    fileprivate static func cutText(
        _ text: SourceRange, whole: SourceRange, in source: SourceFile
    ) -> Self {
        let quoted = "'\(source.text(in: whole).replacing("'", with: "''"))'"
        var diagnostic = Diagnostic(
            .yamlUnquotedExpression, message: "YAML reads the end of this value as a comment",
            at: SourceRange(file: text.file, text.upper + 1..<whole.upper),
            label: "dropped, because ` #` starts a comment",
            notes: ["the remaining value is `\(source.text(in: text).shortened)`"],
            help: [
                "put the value in quotes: `\(quoted)`",
                "if the marked part is a comment, add a space after the `#`",
            ],
            fixes: [
                Fix(
                    "put the value in quotes", edits: [.init(whole, replacement: quoted)],
                    isSafe: false)
            ])
        diagnostic.level = .warning
        return diagnostic
    }
}
