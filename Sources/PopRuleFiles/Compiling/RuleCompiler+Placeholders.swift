internal import PopCEL
internal import PopScheduler
package import PopSource
package import PopYAML

extension RuleCompiler {
    /// Checks the strings of a popup's content that may hold placeholders, a `\n` or curly quotes:
    /// few do.
    mutating func checkTexts(in content: YAMLNode, of popup: PopupModel) {
        let texts = content.textsWithSigns
        if texts.isEmpty { return }
        checkPlaceholders(in: texts, of: popup)
        checkQuotes(of: texts)
        checkLineBreaks(in: texts)
    }

    /// Checks placeholders such as `{{user.name}}`: their names must exist.
    private mutating func checkPlaceholders(in texts: [YAMLNode], of popup: PopupModel) {
        let fields = fieldsOfEvents(of: popup)
        let isName = { [context = model.context] in context[$0] != nil || fields[$0] != nil }
        let hasEvent = hasEventTrigger(popup)
        for text in texts {
            checkForeignPlaceholders(in: text, isName: isName)
            checkBraces(in: text, isName: isName)
        }
        let found = texts.compactMap(\.scalar).flatMap { placeholders(in: $0) }
        // One with a brace too many has been reported.
        for placeholder in found where !placeholder.name.hasPrefix("{") {
            let (name, range) = (placeholder.name, placeholder.range)
            if let meant = placeholder.fallback.flatMap({ meantFallback($0) }) {
                decoder.report(.foreignFallback(placeholder, meant: meant))
            }
            guard let type = model.context[name]?.type?.value ?? fields[name] else {
                if model.context[name] == nil {
                    decoder.report(
                        .unknownPlaceholder(
                            name, at: range, among: model.context.names,
                            carriers: eventsCarrying(name), hasEvent: hasEvent))
                }
                continue
            }
            if !type.hasPlainText {
                decoder.report(.placeholderWithoutText(name, type: type, at: range))
            }
        }
    }

    /// Looks for `${user.name}`, `{user.name}` and `{{user.name}`, which users would see as
    /// written.
    private mutating func checkForeignPlaceholders(
        in node: YAMLNode, isName: (String) -> Bool
    ) {
        guard let text = node.utf8, let map = node.textMap else { return }
        if let foreign = ForeignPlaceholder(in: text, isName: isName) {
            decoder.report(foreign.finding(at: map.range(foreign.place)))
        }
        for braces in BracedNames(text) where braces.isForeign {
            let name = String(decoding: text[braces.name], as: UTF8.self)
            guard isName(name) else { continue }
            let place = map.range(
                braces.whole.lowerBound - text.startIndex..<braces.whole.upperBound
                    - text.startIndex)
            let shown = String(decoding: text[braces.whole], as: UTF8.self)
            let fallback = braces.fallback.map { String(decoding: text[$0], as: UTF8.self) }
            decoder.report(.foreignPlaceholder(shown, name: name, fallback: fallback, at: place))
        }
    }

    /// Returns the first two events that have the payload field of a name such as `event.total`.
    private mutating func eventsCarrying(_ name: String) -> [String] {
        guard name.hasPrefix("event.") else { return [] }
        let known = carriers ?? model.events.entries.carriers
        carriers = known
        return known[String(name.dropFirst("event.".count))] ?? []
    }

    /// Returns the payload fields of the events that trigger a popup, named as in conditions.
    private func fieldsOfEvents(of popup: PopupModel) -> [String: CELType] {
        var types: [String: CELType] = [:]
        for trigger in popup.trigger?.value ?? [] {
            guard case .event(let event) = trigger.value else { continue }
            for field in model.events[event.event.value]?.fields ?? [] {
                types["event.\(field.name.value)"] = field.type?.value ?? .dyn
            }
        }
        return types
    }
}

/// Returns true if an event triggers the popup.
private func hasEventTrigger(_ popup: PopupModel) -> Bool {
    (popup.trigger?.value ?? []).contains { trigger in
        if case .event = trigger.value { true } else { false }
    }
}

/// Returns the fallback that is meant by the syntax of template languages: `default: "you"`,
/// `"you"` and the rest of `|| "you"`.
private func meantFallback(_ text: String) -> String? {
    // Nearly all fallbacks are plain words, and patterns are slow.
    guard text.utf8.contains(where: { "\"'|".utf8.contains($0) }) else { return nil }
    // A second `|` begins another filter, which placeholders don't have.
    let quoted =
        #/(?:\|\s*)?(?:default(?:_value)?\s*[:(]\s*)?(?:"([^"]*)"|'([^']*)')\)?(?:\s*\|.*)?/#
    if let match = text.wholeMatch(of: quoted) {
        return (match.output.1 ?? match.output.2).map(String.init)
    }
    return text.wholeMatch(of: #/\|\s*(.+)/#).map { String($0.output.1) }
}

extension PopupModel {
    /// Its own content and that of its variants.
    fileprivate var contents: [YAMLNode] {
        let variants = limits.experiment?.value.variants?.value ?? []
        return ([content] + variants.map(\.content)).compactMap { $0?.value }
    }

    /// The names in the strings of its content: the names of placeholders, also of those in the
    /// syntax of other languages.
    var namesInTexts: Set<String> {
        var names: Set<String> = []
        for node in contents.flatMap(\.textsWithSigns) {
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
            for mistake in BraceMistake.all(in: Array(text)) { names.insert(mistake.name) }
        }
        return names
    }
}

extension RuleModel {
    /// The names in the placeholders in the contents of popups.
    public var placeholders: Set<String> {
        Set(popups.entries.flatMap { placeholders(in: $0) }.map(\.name))
    }

    /// The placeholders in the content of a popup.
    package func placeholders(in popup: PopupModel) -> [NamedPlaceholder] {
        popup.contents.flatMap(\.textsWithSigns).compactMap(\.scalar)
            .flatMap { PopRuleFiles.placeholders(in: $0) }
    }
}

/// A placeholder of a string: its name, its place, and its fallback for a missing value.
package struct NamedPlaceholder {
    package let name: String
    package let range: SourceRange
    /// With the braces.
    let whole: SourceRange
    package let fallback: String?
}

extension NamedPlaceholder {
    /// The filter of a template language that follows, such as `| upper` in
    /// `{{name | you | upper}}`; nil for none.
    fileprivate var filter: String? {
        let text = fallback?.drop { $0 == "|" || $0 == " " }.replacing("||", with: "") ?? ""
        guard let bar = text.firstIndex(of: "|") else { return nil }
        return String(text[bar...])
    }
}

/// Returns the placeholders in the strings of a value. Linear in the strings.
package func placeholdersInTexts(of node: YAMLNode) -> [NamedPlaceholder] {
    node.textsWithSigns.compactMap(\.scalar).flatMap { placeholders(in: $0) }
}

/// Returns the placeholders of a string with their places. Linear in the string.
func placeholders(in scalar: YAMLScalar) -> [NamedPlaceholder] {
    let text = Array(scalar.utf8)
    let found = Placeholder.all(in: text)
    if found.isEmpty { return [] }
    let map = scalar.textMap
    return found.map { placeholder in
        NamedPlaceholder(
            name: String(decoding: text[placeholder.name], as: UTF8.self),
            range: map.range(placeholder.name), whole: map.range(placeholder.whole),
            fallback: placeholder.fallback.map { String(decoding: text[$0], as: UTF8.self) })
    }
}

extension Diagnostic {
    fileprivate static func foreignPlaceholder(
        _ text: String, name: String, fallback: String?, at range: SourceRange
    ) -> Self {
        let filled = fallback.map { " | \(meantFallback($0) ?? $0)" } ?? ""
        let ours = "{{\(name)\(filled)}}"
        return Diagnostic(
            .contentUnknownPlaceholder, message: "`\(text.shortened)` is shown as written",
            at: range, label: "not a placeholder", help: ["write the placeholder as `\(ours)`"],
            fixes: [.rename(range, to: ours)])
    }

    fileprivate static func foreignFallback(_ placeholder: NamedPlaceholder, meant: String) -> Self
    {
        let name =
            placeholder.name.hasPrefix("${")
            ? placeholder.name.filter { !"${}".contains($0) } : placeholder.name
        let ours = "{{\(name) | \(meant)}}"
        return Diagnostic(
            .contentUnknownPlaceholder,
            message: "users would see code in the fallback of `\(placeholder.name)`",
            at: placeholder.whole,
            label: "users would see this text: `\((placeholder.fallback ?? meant).shortened)`",
            help: [
                "write only the text that replaces a missing value after one `|`, without quotes:"
                    + " `\(ours)`"
            ]
                + (placeholder.filter.map {
                    ["remove `\($0.shortened)`: placeholders show values unchanged"]
                } ?? []),
            fixes: [.rename(placeholder.whole, to: ours)])
    }

    fileprivate static func placeholderWithoutText(
        _ name: String, type: CELType, at range: SourceRange
    ) -> Self {
        Diagnostic(
            .contentUnknownPlaceholder,
            message: "the placeholder `{{\(name.shortened)}}` is always empty", at: range,
            label: "\(type.phrase), which cannot be shown as a string",
            help: [
                "use a key or field whose value is a string, a number, `true` or `false`, a time or"
                    + " a duration"
            ])
    }

    fileprivate static func unknownPlaceholder(
        _ name: String, at range: SourceRange, among keys: [String], carriers: [String],
        hasEvent: Bool
    ) -> Self {
        if let part = name.firstMatch(of: #/[-+*\/(]/#), !name.contains("{") {
            return calculation(name, isCall: part.output == "(", at: range)
        }
        // The name in a placeholder of another system, such as `${first_name}`.
        let plain = name.hasPrefix("${") ? name.filter { !"${}".contains($0) } : name
        let ends = keys.filter { $0.hasSuffix(".\(plain)") }
        let near = similarNames(to: plain, among: keys)
        let similar = near.isEmpty && ends.count == 1 ? ends : near
        let isEventField = name.hasPrefix("event.")
        if isEventField, !hasEvent, carriers.isEmpty {
            return Diagnostic(
                .contentUnknownPlaceholder,
                message: "unknown placeholder `{{\(name.shortened)}}`", at: range,
                label: "no event triggers this popup",
                help: [
                    "use a context key that the app sets, or trigger the popup by an event that has"
                        + " this field, such as `trigger: { event: order.paid }`"
                ])
        }
        let general =
            isEventField
            ? "declare the field under `events` in the event that triggers the popup, or use a"
                + " field that is declared there"
            : "use a context key, or a field of the event that triggers the popup, such as"
                + " `{{event.total}}`"
        return Diagnostic(
            .contentUnknownPlaceholder,
            message: "unknown placeholder `{{\(name.shortened)}}`",
            at: range,
            label: isEventField
                ? "not a field of the event that triggers the popup"
                : "not declared in the context",
            help: [
                similar.isEmpty
                    ? general
                    : "did you mean \(alternatives(similar))?"
            ]
                + carriers.prefix(2).map {
                    "to show this field of the event `\($0)`, use `trigger: { event: \($0) }`"
                }, fixes: similar.count == 1 ? [.rename(range, to: similar[0])] : [])
    }

    /// A placeholder that is to calculate, or to call something.
    private static func calculation(_ name: String, isCall: Bool, at range: SourceRange) -> Self {
        Diagnostic(
            .contentUnknownPlaceholder,
            message: "unknown placeholder `{{\(name.shortened)}}`", at: range,
            label: isCall
                ? "a placeholder cannot call functions" : "a placeholder cannot calculate",
            help: [
                "declare a context key for the value, such as"
                    + " `cart.missing: { type: double, default: 0.0 }`, set it in the app, and"
                    + " write `{{cart.missing}}`"
            ])
    }
}

extension [EventModel] {
    /// By the name of a field, the first two events that have it.
    fileprivate var carriers: [String: [String]] {
        var carriers: [String: [String]] = [:]
        for event in self {
            for field in event.fields where carriers[field.name.value]?.count ?? 0 < 2 {
                carriers[field.name.value, default: []].append(event.name.value)
            }
        }
        return carriers
    }
}
