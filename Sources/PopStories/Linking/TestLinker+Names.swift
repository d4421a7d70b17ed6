internal import PopCEL
internal import PopExplanations
internal import PopRuleFiles
package import PopScheduler
internal import PopSource
internal import PopYAML

/// The names that tests of some rules may use, shared by several files about the same rules.
package struct TestVocabulary {
    let names: Names
    let state: StateSlots

    package init(of rules: RuleSet) {
        names = Names(rules)
        state = StateSlots(rules: rules)
    }
}

/// The names that a step of a test may use.
struct Names {
    var popups: Set<String> = []
    var schedulers: Set<String> = []
    /// The schedulers that each popup may be on.
    var lanes: [String: Set<String>] = [:]
    /// The content fields of each popup.
    var fields: [String: Set<String>] = [:]
    /// The user actions that the template of each popup declares.
    var actions: [String: Set<String>] = [:]
    /// The goals of each popup.
    var goals: [String: Set<String>] = [:]
    /// The popups with a `rollout`.
    var rolledOut: Set<String> = []
    /// The arms that have users, by popup with an `experiment`.
    var arms: [String: Set<String>] = [:]
    /// The same, including arms without users.
    var declaredArms: [String: Set<String>] = [:]
    /// The name of the experiment, by popup whose experiment has a name.
    var experiments: [String: String] = [:]
    var keys: [String: ContextKey] = [:]
    var events: [String: EventRule] = [:]

    init(_ rules: RuleSet) { add(rules) }

    mutating func add(_ rules: RuleSet) {
        popups.formUnion(rules.popups.map(\.id))
        schedulers.formUnion(rules.schedulers.map(\.name))
        rolledOut.formUnion(rules.popups.filter { $0.audience.rollout != nil }.map(\.id))
        var actionsByTemplates: [[String]: Set<String>] = [:]
        for popup in rules.popups {
            lanes[popup.id, default: []].insert(rules.schedulers[popup.scheduler].name)
            if let experiment = popup.experiment {
                arms[popup.id, default: []].formUnion(experiment.armsOfUsers)
                declaredArms[popup.id, default: []].formUnion(
                    experiment.assignment.arms.map(\.name) + [Assignment.control])
                experiments[popup.id] = experiment.name
            }
            for case .map(let content) in [popup.content] + popup.contentsOfVariants {
                fields[popup.id, default: []].formUnion(content.keys.compactMap(\.plainText))
            }
            goals[popup.id, default: []].formUnion(popup.goals.map(\.name))
            let known = actionsByTemplates[popup.templates]
            let own = known ?? Set(rules.actions(of: popup).map(\.name))
            actionsByTemplates[popup.templates] = own
            actions[popup.id] = actions[popup.id]?.union(own) ?? own
        }
        for key in rules.keys { keys[key.name] = key }
        for event in rules.events { events[event.name] = event }
    }
}

extension TestLinker {
    mutating func check(popup id: Located<String>) -> Bool {
        if names.popups.contains(id.value) { return true }
        // The column with this name has been reported.
        if resultColumns.contains(id.value) { return false }
        decoder.report(
            .unknown(
                "popup", name: id, among: decoder.offered(names.popups), check: .testUnknownPopup))
        return false
    }

    mutating func check(action name: Located<String>, of popup: String) -> Bool {
        let known = names.actions[popup] ?? []
        if known.contains(name.value) { return true }
        decoder.report(.unknownAction(name, of: popup, among: known.sorted()))
        return false
    }

    mutating func check(goal name: Located<String>, of popup: String) -> Bool {
        let known = names.goals[popup] ?? []
        if known.contains(name.value) { return true }
        var finding = Diagnostic.unknown(
            "goal", name: name, among: known.sorted(), check: .testUnknownKey,
            label: "not a goal of `\(popup)`", listsNames: false)
        if finding.help.isEmpty {
            let list = known.sorted().prefix(5).map { "`\($0)`" }.joined(separator: ", ")
            finding.help = [
                known.isEmpty
                    ? "declare `goals` in `\(popup)`, which has none"
                    : "use one of its goals: \(list)"
            ]
        }
        decoder.report(finding)
        return false
    }

    mutating func check(scheduler name: Located<String>) -> Bool {
        if names.schedulers.contains(name.value) { return true }
        var finding = Diagnostic.unknown(
            "scheduler", name: name, among: decoder.offered(names.schedulers),
            check: .testUnknownScheduler)
        if names.popups.contains(name.value), let scheduler = names.schedulers.sorted().first {
            finding.help = [
                "write the name of a scheduler, and then the popup: `\(scheduler): \(name.value)`"
            ]
            finding.fixes = []
        }
        decoder.report(finding)
        return false
    }

    mutating func check(key name: Located<String>) -> Bool {
        if names.keys[name.value] != nil { return true }
        decoder.report(
            .unknown(
                "context key", name: name, among: decoder.offered(names.keys.keys),
                check: .testUnknownKey))
        return false
    }

    mutating func check(event name: Located<String>) -> EventRule? {
        if let event = names.events[name.value] { return event }
        decoder.report(
            .unknown(
                "event", name: name, among: decoder.offered(names.events.keys),
                check: .testUnknownKey))
        return nil
    }

    /// Adds the names of rules that apply from here on; popups of the rules before may still be on
    /// a screen.
    mutating func takeOver(_ rules: RuleSet) { names.add(rules) }

    /// Returns the string of a scalar and its place; reports anything else.
    mutating func name(_ node: YAMLNode) -> Located<String>? {
        decoder.read(.text, at: node)
    }
}

extension Diagnostic {
    /// The template of a popup declares no such action, or none at all.
    static func unknownAction(
        _ name: Located<String>, of popup: String, among known: [String]
    ) -> Self {
        if name.value == TemplateRule.Action.close {
            return Diagnostic(
                .testUnknownKey, message: "`close` is not an action of `\(popup)`", at: name.range,
                label: "not an action",
                help: [
                    "use `close: \(popup)` in a step in which the user closes it, and `closed` in"
                        + " its history"
                ])
        }
        var diagnostic = Diagnostic.unknown(
            "action", name: name, among: known, check: .testUnknownKey)
        diagnostic.notes.append(
            known.isEmpty
                ? "declare `actions` in the template of `\(popup)`, which has none"
                : "use one of the actions of `\(popup)`:"
                    + " \(known.map { "`\($0)`" }.joined(separator: ", "))"
        )
        return diagnostic
    }
}

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
        checkFields(of: event, at: name.range, given: payload, isAlone: payload == nil)
        let fields = payload?.entries.map { self.text(of: $0, ": ") } ?? []
        let written = fields.isEmpty ? "" : " { \(fields.joined(separator: ", ")) }"
        return RunnableAction(
            action: .event(.send(name.value, payload: values)),
            text: "send \(name.value)\(written)", range: name.range)
    }

    /// Reports fields that a trigger reads and that the payload lacks.
    private mutating func checkFields(
        of event: EventRule, at range: SourceRange, given payload: YAMLNode?, isAlone: Bool
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
        let written = (payload?.entries.map { $0 } ?? []).compactMap { decoder.onOneLine($0) }
        decoder.report(
            .missingFields(
                missing, of: event.name, at: range, readBy: popups, isAlone: isAlone,
                given: written))
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
        _ fields: [String], of event: String, at range: SourceRange, readBy popups: [String],
        isAlone: Bool, given: [String]
    ) -> Self {
        let names = fields.map { "`\($0)`" }.joined(separator: " and ")
        let readers = popups.prefix(3).map { "`\($0)`" }.joined(separator: ", ")
        let more = popups.count > 3 ? " and \(popups.count - 3) more" : ""
        let written = (given + fields.map { "\($0): …" }).joined(separator: ", ")
        let payload = "\(event): { \(written) }"
        return Diagnostic(
            .testMissingField, message: "`\(event)` is sent without \(names)", at: range,
            label: "read by the trigger of \(readers)\(more)",
            help: [
                "write `\(isAlone ? "send: { \(payload) }" : payload)` with the values that the app"
                    + " sends"
            ])
    }
}
