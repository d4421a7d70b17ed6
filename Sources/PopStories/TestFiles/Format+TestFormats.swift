internal import PopCEL
internal import PopRuleFiles
internal import PopScheduler
internal import PopSource
internal import PopYAML

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
    static var reasonCode: Self {
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
            if let readings = reasonReadings(text) {
                finding.help = readings.help
                finding.fixes = readings.fixes(at: node.range)
            }
            if finding.help.isEmpty {
                finding.help = ["use one of the reason codes: \(codes.joined(separator: ", "))"]
            }
            decoder.report(finding)
            return nil
        }
    }
}

/// Returns the likely meanings of reasons in other words: colloquial words and those of other
/// tools.
private func reasonReadings(_ text: String) -> [Reading]? {
    let folded = text.lowercased().map { $0.isLetter || $0.isNumber ? $0 : "_" }
    let words = String(folded)
    for (names, codes) in otherReasons where names.contains(words) {
        return codes.map { Reading($0.code.rawValue, meaning: $0.meaning, isExact: false) }
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
    (["timeout", "hidden_after"], [(.timedOut, "")]),
    (["not_started", "too_early", "scheduled"], [(.beforeStart, "")]),
    (["ended", "over", "too_late"], [(.expired, "")]),
]
