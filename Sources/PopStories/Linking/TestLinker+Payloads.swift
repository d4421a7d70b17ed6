internal import PopCEL
internal import PopRuleFiles
internal import PopScheduler
internal import PopSource
internal import PopYAML

extension TestLinker {
    /// Returns the action that sends an event. B7: a payload in a form that would be lost is
    /// reported.
    mutating func send(_ node: YAMLNode, payload: YAMLNode?) -> RunnableAction? {
        guard let name = name(node), let event = check(event: name) else { return nil }
        if let payload, payload.kind != .mapping, !payload.isBroken, !payload.isNull {
            decoder.report(.payloadShape(payload, of: event, in: decoder.source))
            return nil
        }
        let values = payload.map { decoder.payload($0, of: event) } ?? [:]
        checkFields(of: event, at: name.range, given: payload)
        let fields = payload?.entries.map { self.text(of: $0, ": ") } ?? []
        let written = fields.isEmpty ? "" : " { \(fields.joined(separator: ", ")) }"
        return RunnableAction(
            action: .event(.send(name.value, payload: values)),
            text: "send \(name.value)\(written)", range: name.range)
    }

    /// Reports fields that a trigger reads and that the payload lacks.
    private mutating func checkFields(
        of event: EventRule, at range: SourceRange, given payload: YAMLNode?
    ) {
        let given = payload?.entries.compactMap { $0.key.scalar?.text } ?? []
        // A misspelled field counts as one mistake.
        guard given.allSatisfy({ name in event.fields.contains { $0.name == name } }) else {
            return
        }
        let readers = readersByEvent[event.name] ?? rules.readers(ofEvent: event.name)
        readersByEvent[event.name] = readers
        let missing = event.fields.map(\.name).filter {
            !given.contains($0) && readers[$0] != nil
        }
        guard !missing.isEmpty else { return }
        let popups = Set(missing.flatMap { readers[$0] ?? [] }).sorted()
        decoder.report(.missingFields(missing, of: event.name, at: range, readBy: popups))
    }
}

extension Decoder {
    /// Returns the fields of a payload that can be read; reports the others.
    mutating func payload(_ node: YAMLNode, of event: EventRule) -> [String: Value] {
        var values: [String: Value] = [:]
        for entry in node.entries {
            guard let field = read(.text, at: entry.key) else { continue }
            guard let declared = event.fields.first(where: { $0.name == field.value }) else {
                report(.unknownField(field, of: event))
                continue
            }
            values[field.value] = inside(key: entry.key) {
                $0.value(entry.value, as: declared.type)
            }
        }
        return values
    }
}

extension RuleSet {
    /// Returns, for each field of an event, the popups whose `where` reads it.
    fileprivate func readers(ofEvent name: String) -> [String: [String]] {
        var readers: [String: [String]] = [:]
        for popup in popups {
            for (event, condition) in popup.eventConditions where events[event].name == name {
                for slot in condition.program.slots {
                    guard case .payloadField(event, let field) = slots[slot] else { continue }
                    readers[events[event].fields[field].name, default: []].append(popup.id)
                }
            }
        }
        return readers
    }
}

extension Diagnostic {
    fileprivate static func payloadShape(
        _ payload: YAMLNode, of event: EventRule, in source: SourceFile
    ) -> Self {
        let text = source.text(in: payload.range)
        let only = event.fields.count == 1 ? event.fields.first : nil
        let isScalar = payload.kind == .scalar
        let help =
            switch (only, event.fields.first) {
            case (let field?, _) where isScalar:
                "name the field: `\(event.name): { \(field.name): \(text) }`"
            case (_, let field?): "name the fields: `\(event.name): { \(field.name): … }`"
            case (_, nil): "write `send: \(event.name)`: this event has no payload"
            }
        return Diagnostic(
            .schemaType, message: "the payload of `\(event.name)` must be a map of its fields",
            at: payload.range,
            label: "not a map", help: [help])
    }

    fileprivate static func unknownField(_ field: Located<String>, of event: EventRule) -> Self {
        let names = event.fields.map(\.name)
        var diagnostic = Diagnostic.unknown(
            "payload field", name: field, among: names, check: .testUnknownKey,
            label: "not a field of `\(event.name)`")
        if diagnostic.help.isEmpty {
            let list = names.prefix(5).map { "`\($0)`" }.joined(separator: ", ")
            diagnostic.help = [
                names.isEmpty
                    ? "remove it: `\(event.name)` has no payload"
                    : "use one of its fields: \(list)"
            ]
        }
        return diagnostic
    }

    fileprivate static func missingFields(
        _ fields: [String], of event: String, at range: SourceRange, readBy popups: [String]
    ) -> Self {
        let names = fields.map { "`\($0)`" }.joined(separator: " and ")
        let readers = popups.prefix(3).map { "`\($0)`" }.joined(separator: ", ")
        let more = popups.count > 3 ? " and \(popups.count - 3) more" : ""
        let written = fields.map { "\($0): …" }.joined(separator: ", ")
        return Diagnostic(
            .testMissingField, message: "`\(event)` is sent without \(names)", at: range,
            label: "read by the trigger of \(readers)\(more)",
            help: ["write `\(event): { \(written) }` with the values that the app sends"])
    }
}
