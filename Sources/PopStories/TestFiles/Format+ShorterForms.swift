internal import PopCEL
internal import PopRuleFiles
internal import PopScheduler
internal import PopSource
internal import PopYAML

// The meanings of values in tests that are written too short to be read.

extension Format<YAMLNode> {
    /// Values of the schema by scheduler. A popup without a scheduler is taken to be on `main`.
    static func lanes(
        of value: Schema, _ written: @escaping @Sendable (String) -> String
    ) -> Self {
        let map = Format.map(of: value, keys: .references("scheduler"))
        return Format(map.schema) { node, decoder in
            let names = decoder.popupNames(node)
            guard !names.isEmpty else { return decoder.read(map, at: node)?.value }
            let text = "{ main: \(written(names.joined(separator: ", "))) }"
            guard names.count == 1 || text.contains("[") else {
                return decoder.read(map, at: node)?.value
            }
            return decoder.mismatch(map.schema, at: node, readings: [Reading(text, isExact: false)])
        }
    }

    /// Conditions by popup. Popups without conditions are taken to be eligible in every case.
    static var eligibility: Self {
        let condition = Schema.stateCondition(such: "user.plan == \"free\"")
        let map = Format.map(of: condition, keys: .references("popup"))
        return Format(map.schema) { node, decoder in
            let names = decoder.popupNames(node)
            let isBool = if case .bool? = node.coreValue { true } else { false }
            guard !names.isEmpty, !names.contains("none"), !isBool else {
                return decoder.read(map, at: node)?.value
            }
            let text = "{ \(names.map { "\($0): true" }.joined(separator: ", ")) }"
            return decoder.mismatch(map.schema, at: node, readings: [Reading(text, isExact: false)])
        }
    }

    /// Context keys and their new values.
    static var changes: Self {
        let map = Format.map(of: .any, keys: .references("context key"))
        return Format(map.schema) { node, decoder in
            guard let text = decoder.changes(node) else {
                return decoder.read(map, at: node)?.value
            }
            return decoder.mismatch(map.schema, at: node, readings: [Reading(text, isExact: false)])
        }
    }
}

extension Decoder {
    /// Returns the name of a popup, or `none` for a synonym, if it is written instead of a map.
    func popupName(_ node: YAMLNode) -> String? {
        guard node.kind == .scalar, !node.isNull, let text = node.scalar?.text else { return nil }
        if ["nothing", "none", "empty", "hidden", "no popup", "nobody"].contains(text) {
            return "none"
        }
        return NameForm.isID(text) ? text : nil
    }

    /// Returns the names of popups in a string or a list; empty for anything else.
    fileprivate func popupNames(_ node: YAMLNode) -> [String] {
        if node.kind == .scalar { return popupName(node).map { [$0] } ?? [] }
        let names = node.items.map { popupName($0) }
        return names.contains(nil) ? [] : names.compactMap(\.self)
    }

    /// Returns a list of maps, or an assignment, as one map.
    fileprivate func changes(_ node: YAMLNode) -> String? {
        if let text = node.scalar?.text, node.kind == .scalar {
            let match = text.wholeMatch(of: #/([A-Za-z_][\w.]*) *(?:=|==|:=|to) *([^ =].*)/#)
            return match.map { "{ \($0.1): \($0.2) }" }
        }
        let entries = node.items.flatMap { Array($0.entries) }
        guard node.kind == .sequence, !entries.isEmpty,
            node.items.allSatisfy({ $0.kind == .mapping }),
            entries.allSatisfy({ $0.value.kind == .scalar })
        else { return nil }
        let texts = entries.map {
            "\(source.text(in: $0.key.range)): \(source.text(in: $0.value.range))"
        }
        return texts.contains { $0.contains("\n") } ? nil : "{ \(texts.joined(separator: ", ")) }"
    }

    /// Returns the likely meanings of events in brackets: a single event without them, and several
    /// events, each once, as a map.
    func eventReadings(_ node: YAMLNode) -> [Reading] {
        let names = node.items.compactMap(\.scalar?.text)
        guard !names.isEmpty, names.count == node.items.count, Set(names).count == names.count,
            names.allSatisfy({ $0.wholeMatch(of: #/[A-Za-z_][\w.]*/#) != nil })
        else { return [] }
        return names.count == 1
            ? [Reading(names[0])]
            : [Reading("{ \(names.map { "\($0): {}" }.joined(separator: ", ")) }", isExact: false)]
    }

    /// Returns true if an event is written like a call.
    func isCall(_ node: YAMLNode) -> Bool { !callReadings(node).isEmpty }

    /// Returns the likely meanings of an event that is written like a call: its payload follows as
    /// a map.
    func callReadings(_ node: YAMLNode) -> [Reading] {
        guard let text = node.scalar?.text,
            let match = text.wholeMatch(of: #/([A-Za-z_][\w.]*) *\((.*)\)/#)
        else { return [] }
        let fields = match.2.split(separator: ",").map { part in
            part.split(maxSplits: 1) { $0 == "=" || $0 == ":" }
                .map { $0.trimmingPrefix { $0 == " " } }
        }
        guard fields.allSatisfy({ $0.count == 2 && NameForm.isID(String($0[0])) }) else {
            return []
        }
        if fields.isEmpty { return [Reading(String(match.1))] }
        let payload = fields.map { "\($0[0]): \($0[1])" }.joined(separator: ", ")
        return [Reading("{ \(match.1): { \(payload) } }", isExact: false)]
    }
}

// MARK: Events next to their payloads

extension Decoder {
    /// Returns `{ event: order.paid, payload: { total: 9.5 } }` as an event with its payload.
    func payloadReading(_ node: YAMLNode) -> Reading? {
        let named = entry(of: node, called: ["event"]) ?? entry(of: node, called: namesOfEvents)
        guard let event = named, event.value.kind == .scalar,
            !event.value.isNull, let name = event.value.scalar?.text,
            name.wholeMatch(of: #/[A-Za-z_][\w.]*/#) != nil
        else { return nil }
        guard let payload = entry(of: node, called: namesOfPayloads) else {
            let fields = node.entries.filter { $0.key.range != event.key.range }
            if fields.isEmpty { return Reading(name, isExact: false) }
            // Maps are the payloads of other events.
            guard fields.allSatisfy({ $0.value.kind != .mapping && !$0.value.isNull }) else {
                return nil
            }
            let texts = fields.compactMap { onOneLine($0) }
            guard texts.count == fields.count else { return nil }
            return Reading("{ \(name): { \(texts.joined(separator: ", ")) } }", isExact: false)
        }
        return onOneLine(payload.value).map { Reading("{ \(name): \($0) }", isExact: false) }
    }

    /// Reports that the payload is next to the event in the value of `send`, and returns nil.
    mutating func reportPayloadBesideEvent<Value>(_ node: YAMLNode) -> Value? {
        let readings = [payloadReading(node)].compactMap(\.self)
        report(
            Diagnostic(
                .schemaType,
                message: "`send` must be a map with the event as key and the payload as value",
                at: node.range, label: "event and payload are two keys",
                help: readings.map { "write `send: \($0.text)`" },
                fixes: readings.fixes(at: node.range)))
        return nil
    }

    /// Returns a diagnostic for a step in which the payload is next to the event; nil otherwise.
    func eventBesidePayload(_ node: YAMLNode) -> Diagnostic? {
        let names = namesOfEvents.union(["send", "emit", "track", "fire"])
        guard let event = entry(of: node, called: names), event.value.kind == .scalar,
            let name = event.value.scalar?.text, name.wholeMatch(of: #/[A-Za-z_][\w.]*/#) != nil,
            let payload = entry(of: node, called: namesOfPayloads), payload.value.kind == .mapping
        else { return nil }
        let text = onOneLine(payload.value) ?? "{ … }"
        return Diagnostic(
            .schemaUnknownKey,
            message: "the payload of an event belongs in `send`, after the event's name",
            at: payload.key.range, label: "not a key of a step",
            secondary: [.init("its event", at: event.key.range)],
            help: ["replace both with `send: { \(name): \(text) }`"])
    }

    private func entry(of node: YAMLNode, called names: Set<String>) -> YAMLEntry? {
        node.entries.first { names.contains($0.key.scalar?.text ?? "") }
    }
}

private let namesOfEvents: Set<String> = ["event", "name"]

private let namesOfPayloads: Set<String> = [
    "payload", "properties", "params", "parameters", "data", "props", "fields", "attributes",
]

// MARK: Tables of cases

extension Decoder {
    /// Returns help that rewrites a list of cases as the values of each key; nil for anything else.
    func helpOnCases(_ node: YAMLNode) -> [String]? {
        guard !node.items.isEmpty, node.items.count <= 50,
            node.items.allSatisfy({ $0.kind == .mapping && !$0.isAlias })
        else { return nil }
        var names: [String] = []
        var values: [String: [String]] = [:]
        for entry in node.items.flatMap({ Array($0.entries) }) {
            guard let name = entry.key.scalar?.text, let value = onOneLine(entry.value),
                !namesOfResults.contains(name)
            else { continue }
            if values[name] == nil { names.append(name) }
            if values[name]?.contains(value) != true { values[name, default: []].append(value) }
        }
        guard !names.isEmpty else { return nil }
        let keys = names.map { "\($0): [\((values[$0] ?? []).joined(separator: ", "))]" }
        let hasResults = node.items.flatMap { Array($0.entries) }
            .contains { namesOfResults.contains($0.key.scalar?.text ?? "") }
        let table =
            "write the values of each key, to test every combination:"
            + " `for_each: { \(keys.joined(separator: ", ")) }`"
        return hasResults
            ? [
                table,
                "write what a row expects as a condition in `eligible`:"
                    + " `eligible: { welcome: 'user.plan == \"free\"' }`",
            ] : [table]
    }
}

/// Common names of the column with the expected result.
let namesOfResults: Set<String> = [
    "expected", "expect", "expectation", "result", "results", "eligible", "shown", "shows",
    "showing", "outcome", "then",
]

extension Format<YAMLNode> {
    /// The values to try, by context key.
    static var combinations: Self {
        let map = Format.map(of: .list(.any), keys: .references("context key of a table"))
        return Format(map.schema) { node, decoder in
            guard let help = decoder.helpOnCases(node) else {
                return decoder.read(map, at: node)?.value
            }
            return decoder.mismatch(map.schema, at: node, help: help)
        }
    }
}

extension Format<Timestamp> {
    /// A time by RFC 3339.
    static var timestamp: Self {
        let schema = Schema.pattern(
            phrase: "a time such as `2026-11-20T09:00:00Z`",
            expression: #"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$"#)
        return Format(schema) { node, decoder in
            let text = node.scalar?.text ?? ""
            guard let time = Timestamp(parsing: text) else {
                return decoder.mismatch(schema, at: node, time: text, takesDates: false)
            }
            return time
        }
    }
}

extension Format<PersonaChoice> {
    /// The name of a persona, or a map such as those under `personas`.
    static var persona: Self {
        let name = Format<String>.reference(to: "persona")
        let map = Schema.map(.any, keys: .references("context key"))
        return Format(.either([name.schema, map])) { node, decoder in
            if node.kind == .mapping { return .written(node) }
            return decoder.read(name, at: node).map { .named($0.value) }
        }
    }
}

extension Format<[Located<String>]> {
    /// One item, or a list of them.
    static func oneOrMore(_ item: Format<String>) -> Self {
        Format(.either([item.schema, .list(item.schema)])) { node, decoder in
            if node.kind == .sequence {
                return decoder.read(.list(of: item, minimum: 1), at: node)?.value
            }
            return decoder.read(item, at: node).map { [$0] }
        }
    }
}

extension Format<ReasonCode> {
    /// A reason code.
    static var reasonCode: Self { reasonCode(offering: { _ in true }) }

    /// A reason code; help on an unknown one lists only those for which `isOffered` is true.
    static func reasonCode(offering isOffered: @escaping @Sendable (ReasonCode) -> Bool) -> Self {
        let codes = ReasonCode.allCases.map(\.rawValue)
        return Format(.word(codes)) { node, decoder in
            guard let text = node.scalar?.text else {
                return decoder.mismatch(
                    .word(codes), at: node,
                    help: ["write one reason code, such as `CONDITION_FALSE`"])
            }
            if let code = ReasonCode(rawValue: text) { return code }
            let name = Located(text, at: node.range)
            var finding = Diagnostic.unknown(
                "reason code", name: name, among: codes, check: .schemaEnum,
                label: "not a reason code")
            if let readings = reasonReadings(text, offering: isOffered) {
                finding.help = readings.help
                finding.fixes = readings.fixes(at: node.range)
            }
            if finding.help.isEmpty {
                let offered = ReasonCode.allCases.filter(isOffered).map(\.rawValue)
                finding.help = ["use one of the reason codes: \(offered.joined(separator: ", "))"]
            }
            decoder.report(finding)
            return nil
        }
    }
}

/// Returns the likely meanings of reasons in other words: colloquial words and those of other
/// tools, and keys of rules.
private func reasonReadings(
    _ text: String, offering isOffered: (ReasonCode) -> Bool
) -> [Reading]? {
    let folded = text.lowercased().map { $0.isLetter || $0.isNumber ? $0 : "_" }
    let words = String(folded)
    for (names, codes) in otherReasons where names.contains(words) {
        let offered = codes.filter { isOffered($0.code) }
        // A code in the wrong place is reported with its right place when the test fails.
        return (offered.isEmpty ? codes : offered)
            .map { Reading($0.code.rawValue, meaning: $0.meaning, isExact: false) }
    }
    return nil
}

private let otherReasons: [(names: Set<String>, codes: [(code: ReasonCode, meaning: String)])] = [
    (
        [
            "condition_not_met", "conditions_not_met", "condition_is_false", "condition_failed",
            "not_eligible", "ineligible", "false", "when_false", "condition", "targeting",
            "not_targeted", "audience", "not_in_audience",
        ], [(.conditionFalse, "")]
    ),
    (
        [
            "frequency_capped", "frequency_cap", "capped", "cap", "cap_reached", "rate_limited",
            "limit_reached", "limited", "already_shown", "shown_too_often",
        ],
        [
            (.lifetimeCap, "the reason code of `cap: { lifetime: … }`"),
            (.sessionCap, "the reason code of `per_session`"),
            (
                .cooldown,
                "the reason code of `every`"
            ),
            (.periodCap, "the reason code of `windows`"),
            (
                .groupCap,
                "the reason code of its group's `cap`"
            ),
        ]
    ),
    (
        ["no_trigger", "trigger_missing", "waiting_for_trigger", "not_fired"],
        [(.notTriggered, "")]
    ),
    (["paused", "off", "inactive", "turned_off", "not_enabled"], [(.disabled, "")]),
    (["closed", "dismissed_by_user", "user_dismissed"], [(.userClosed, "")]),
    (["timeout", "hidden_after", "hide_after"], [(.timedOut, "")]),
    (["dismiss_when"], [(.dismissCondition, "")]),
    (["max_wait"], [(.waitedTooLong, "")]),
    (["max_waiting"], [(.queueFull, "")]),
    (["lifetime"], [(.lifetimeCap, "")]),
    (["per_session"], [(.sessionCap, "")]),
    (["after_close"], [(.closedRecently, "")]),
    (["holdout"], [(.heldOut, "")]),
    (["rollout"], [(.notInRollout, "")]),
    (["not_started", "too_early", "scheduled"], [(.beforeStart, "")]),
    (["ended", "over", "too_late"], [(.expired, "")]),
]
