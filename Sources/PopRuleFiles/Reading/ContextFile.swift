public import PopCEL
public import PopScheduler
public import PopSource
package import PopYAML

/// Values of context keys as written by hand: a map of names to values, in YAML or JSON.
public enum ContextFile {
    /// Values of declared keys, each of its key's type.
    public static func parse(
        _ source: SourceFile, keys: [ContextKey]
    ) -> Checked<[String: Value]> {
        let byName = Dictionary(keys.map { ($0.name, $0) }) { first, _ in first }
        return parse(source) { $0.contextValues($1, keys: byName, check: .refUndefinedKey) }
    }

    /// The payload of an event, each field of its type.
    public static func parse(
        _ source: SourceFile, payloadOf event: EventRule
    ) -> Checked<[String: Value]> {
        let fields = event.fields.map { ContextKey(name: $0.name, type: $0.type, at: event.range) }
        let byName = Dictionary(fields.map { ($0.name, $0) }) { first, _ in first }
        return parse(source, as: .payloadField) {
            $0.contextValues($1, keys: byName, check: .refUndefinedKey, as: .payloadField)
        }
    }

    /// Values of any keys, each of the type that YAML gives it.
    public static func parse(_ source: SourceFile) -> Checked<[String: Value]> {
        parse(source) { decoder, node in
            var values: [String: Value] = [:]
            for entry in node.entries {
                guard let name = decoder.name(ofKey: entry.key) else { continue }
                values[name] = decoder.inside(key: entry.key) { $0.value(entry.value, as: .dyn) }
            }
            return values
        }
    }

    private static func parse(
        _ source: SourceFile, as kind: ValueKind = .contextKey,
        read: (inout Decoder, YAMLNode) -> [String: Value]
    ) -> Checked<[String: Value]> {
        YAMLDocument.parse(source).then { document in
            var decoder = Decoder(source)
            guard document.root.kind == .mapping else {
                decoder.report(.noMap(document.root.range, of: kind))
                return Checked(nil, diagnostics: decoder.diagnostics)
            }
            let values = read(&decoder, document.root)
            return Checked(values, diagnostics: decoder.diagnostics)
        }
    }
}

/// The kind of names in a map of names to values.
package enum ValueKind: String {
    case contextKey = "context key"
    case payloadField = "payload field"

    fileprivate var noun: String { self == .contextKey ? "key" : "field" }

    fileprivate var label: String {
        self == .contextKey ? "not declared in the context" : "not declared for the event"
    }
}

extension Decoder {
    /// Reads a map of declared context keys to values of their types; `check` is the check that
    /// reports an unknown key, and `others` are keys that do not belong to the context.
    package mutating func contextValues(
        _ node: YAMLNode, keys: [String: ContextKey], check: Check,
        as kind: ValueKind = .contextKey, passingOver others: [String] = []
    ) -> [String: Value] {
        var values: [String: Value] = [:]
        for entry in node.entries {
            guard let name = name(ofKey: entry.key), !others.contains(name) else { continue }
            guard let key = keys[name] else {
                let similar = suggestions(for: name, among: keys.keys)
                var finding = Diagnostic.undefined(
                    check, kind: kind, name: Located(name, at: entry.key.range), similar: similar)
                if let assigned = assignment(entry, keys: keys) {
                    finding.help = ["write a colon after the key: `\(assigned)`"]
                }
                if finding.help.isEmpty {
                    finding.help = helpOnFew(kind.rawValue, keys.keys.sorted())
                }
                report(finding)
                continue
            }
            let value = inside(key: entry.key) { $0.value(entry.value, as: key.type) }
            if let value, let refusal = key.refusal(of: value) {
                report(.refused(key, value: value, refusal: refusal, at: entry.value.range))
            }
            values[name] = value
        }
        return values
    }
}

/// The entry that is meant by `user.plan = pro`, which YAML takes for a key; nil for other keys.
private func assignment(_ entry: YAMLEntry, keys: [String: ContextKey]) -> String? {
    guard entry.value.isNull, let text = entry.key.scalar?.text, !text.contains("\n") else {
        return nil
    }
    let parts = text.split(separator: "=", maxSplits: 1).map { part in
        String(part.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
    guard parts.count == 2, keys[parts[0]] != nil, !parts[1].isEmpty, !parts[1].hasPrefix("=")
    else { return nil }
    return "\(parts[0]): \(parts[1])"
}

/// Returns help with all names of a kind, such as "scheduler", if they are few.
package func helpOnFew(_ kind: String, _ names: [String]) -> [String] {
    switch names.count {
    case 1: ["use `\(names[0])`, the only \(kind)"]
    case 2...5: ["use one of the \(kind)s \(enumeration(names))"]
    default: []
    }
}

extension Diagnostic {
    fileprivate static func noMap(_ range: SourceRange, of kind: ValueKind) -> Self {
        let (what, example) =
            switch kind {
            case .contextKey: ("a context", "{ user.plan: pro }")
            case .payloadField: ("a payload", "{ total: 80.0 }")
            }
        return Diagnostic(
            .schemaType, message: "\(what) must be a map", at: range,
            label: "not a map",
            help: ["use `:` between each \(kind.noun) and its value, such as `\(example)`"])
    }

    fileprivate static func refused(
        _ key: ContextKey, value: Value, refusal: String, at range: SourceRange
    ) -> Self {
        let values = (key.allowedValues ?? []).prefix(20).map { "\($0)" }
        var diagnostic = Diagnostic(
            values.isEmpty ? .schemaRange : .schemaEnum,
            message: "`\(key.name)` cannot be `\("\(value)".shortened)`: \(refusal)", at: range,
            label: refusal,
            help: values.isEmpty
                ? [] : ["use one of the values \(values.joined(separator: ", "))"])
        guard case .string(let text) = value else { return diagnostic }
        let texts = (key.allowedValues ?? []).compactMap { allowed -> String? in
            if case .string(let text) = allowed { text } else { nil }
        }
        let similar = similarValues(to: text, among: texts)
        if similar.count == 1 {
            diagnostic.help.insert("did you mean `\(similar[0])`?", at: 0)
            diagnostic.fixes = [.rename(range, to: similar[0])]
        }
        return diagnostic
    }

    fileprivate static func undefined(
        _ check: Check, kind: ValueKind, name: Located<String>, similar: [String]
    ) -> Self {
        Diagnostic(
            check, message: "unknown \(kind.rawValue) `\(name.value)`", at: name.range,
            label: kind.label,
            help: similar.isEmpty
                ? [] : ["did you mean \(alternatives(similar))?"])
    }
}
