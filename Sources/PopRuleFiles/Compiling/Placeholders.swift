internal import PopSource
internal import PopYAML

extension Compiler {
    /// Looks at those texts of a popup's content that may hold placeholders, a `\n` or curly quotes:
    /// few do.
    mutating func checkTexts(in content: YAMLNode, of popup: PopupModel) {
        let texts = content.textsWithSigns
        if texts.isEmpty { return }
        checkPlaceholders(in: texts, of: popup)
        checkQuotes(of: texts)
        checkLineBreaks(in: texts)
    }

    /// Looks for placeholders such as `{{user.name}}`: what they name must exist.
    private mutating func checkPlaceholders(in texts: [YAMLNode], of popup: PopupModel) {
        for text in texts { checkForeignPlaceholders(in: text, of: popup) }
        var found = texts.compactMap(\.scalar).flatMap { placeholders(in: $0) }
        if found.isEmpty { return }
        found.removeAll { model.context[$0.name] != nil }
        if found.isEmpty { return }
        let fields = fieldsOfEvents(of: popup)
        for (name, range) in found where !fields.contains(name) {
            decoder.report(.unknownPlaceholder(name, at: range, among: model.context.names))
        }
    }

    /// Looks for `${user.name}`, `{user.name}` and `{{user.name}`, which people get to see as they
    /// are.
    private mutating func checkForeignPlaceholders(in node: YAMLNode, of popup: PopupModel) {
        guard let text = node.utf8, let map = node.textMap else { return }
        if let foreign = ForeignPlaceholder(
            in: text,
            isName: { name in
                model.context[name] != nil || fieldsOfEvents(of: popup).contains(name)
            })
        {
            decoder.report(foreign.finding(at: map.range(foreign.place)))
        }
        for braces in BracedNames(text) where braces.isForeign {
            let name = String(decoding: text[braces.name], as: UTF8.self)
            guard model.context[name] != nil || fieldsOfEvents(of: popup).contains(name) else {
                continue
            }
            let place = map.range(
                braces.whole.lowerBound - text.startIndex..<braces.whole.upperBound
                    - text.startIndex)
            let shown = String(decoding: text[braces.whole], as: UTF8.self)
            decoder.report(.foreignPlaceholder(shown, name: name, at: place))
        }
    }

    /// What the events that trigger a popup carry, as conditions name it.
    private func fieldsOfEvents(of popup: PopupModel) -> Set<String> {
        var names: Set<String> = []
        for trigger in popup.trigger?.value ?? [] {
            guard case .event(let event) = trigger.value else { continue }
            for field in model.events[event.event.value]?.fields ?? [] {
                names.insert("event.\(field.name.value)")
            }
        }
        return names
    }

}

extension PopupModel {
    /// What texts of its content may name: what stands where a placeholder has its name, also in
    /// the signs of other languages.
    var namesInTexts: Set<String> {
        var names: Set<String> = []
        for node in content?.value.textsWithSigns ?? [] {
            guard let scalar = node.scalar else { continue }
            for found in placeholders(in: scalar) { names.insert(found.name) }
            let text = scalar.utf8
            _ = ForeignPlaceholder(in: text) { name in
                names.insert(name)
                return false
            }
            for braces in BracedNames(text) where braces.isForeign {
                names.insert(String(decoding: text[braces.name], as: UTF8.self))
            }
        }
        return names
    }
}

extension RuleModel {
    /// What the placeholders in the contents of popups name.
    public var placeholders: Set<String> {
        var names: Set<String> = []
        for popup in popups.entries {
            for text in popup.content?.value.textsWithSigns ?? [] {
                for found in text.scalar.map({ PopRuleFiles.placeholders(in: $0) }) ?? [] {
                    names.insert(found.name)
                }
            }
        }
        return names
    }
}

/// The names between `{{` and `}}`, blanks round them left out, with their places. Linear in the
/// text.
private func placeholders(in scalar: YAMLScalar) -> [(name: String, range: SourceRange)] {
    let text = Array(scalar.utf8)
    var found: [(String, SourceRange)] = []
    var map: TextMap?
    var start: Int?
    var index = 0
    while index + 1 < text.count {
        if text[index] == UInt8(ascii: "{"), text[index + 1] == UInt8(ascii: "{") {
            start = index + 2
            index += 2
        } else if let first = start, text[index] == UInt8(ascii: "}"),
            text[index + 1] == UInt8(ascii: "}")
        {
            let blank = UInt8(ascii: " ")
            let name = text[first..<index].drop { $0 == blank }
                .reversed().drop { $0 == blank }.reversed()
            let lower = text[first..<index].firstIndex { $0 != blank } ?? index
            let place = map ?? scalar.textMap
            map = place
            found.append(
                (
                    String(decoding: name, as: UTF8.self),
                    place.range(lower..<lower + name.count)
                ))
            start = nil
            index += 2
        } else {
            index += 1
        }
    }
    return found
}

extension Diagnostic {
    fileprivate static func foreignPlaceholder(
        _ text: String, name: String, at range: SourceRange
    ) -> Self {
        let ours = "{{\(name)}}"
        return Diagnostic(
            .contentUnknownPlaceholder, message: "`\(text)` is shown as it is", at: range,
            label: "not a placeholder", help: ["a placeholder is written `\(ours)`"],
            fixes: [.rename(range, to: ours)])
    }

    fileprivate static func unknownPlaceholder(
        _ name: String, at range: SourceRange, among keys: [String]
    ) -> Self {
        let similar = similarNames(to: name, among: keys)
        let general =
            name.hasPrefix("event.")
            ? "no event that triggers the popup carries such a field"
            : "placeholders are context keys, and fields of the event that triggers the popup:"
                + " `{{event.total}}`"
        return Diagnostic(
            .contentUnknownPlaceholder,
            message: "the placeholder `{{\(name.shortened)}}` names nothing",
            at: range, label: "not declared in the context",
            help: [
                similar.isEmpty
                    ? general
                    : "a key with a similar name exists: \(alternatives(similar))"
            ], fixes: similar.count == 1 ? [.rename(range, to: similar[0])] : [])
    }
}
