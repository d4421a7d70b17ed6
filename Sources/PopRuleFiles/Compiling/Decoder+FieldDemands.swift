internal import PopCEL
internal import PopScheduler
internal import PopSource
internal import PopYAML

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
            label: "\(over) too many",
            secondary: [Label("the maximum", at: maximum.range)])
    }

    fileprivate static func notAllowed(
        _ subject: String, text: String, names: [String], similar: [String], list: SourceRange,
        at range: SourceRange, isScalar: Bool
    ) -> Self {
        Diagnostic(
            .contentValue, message: "\(subject) cannot be `\(text.shortened)`", at: range,
            label: similar.isEmpty ? "not an allowed value" : "similar to \(alternatives(similar))",
            secondary: [Label("the allowed values", at: list)],
            help: similar.isEmpty ? ["use \(alternatives(Array(names.prefix(5))))"] : [],
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
