internal import PopScheduler
internal import PopSource
internal import PopYAML

/// A key by which a popup is meant to take the place of others, such as `preempt: true`.
struct PrecedenceClaim: Sendable {
    var key: Located<String>
    /// True if the value claims precedence, false if it denies it.
    var isMeant: Bool
    /// The popups that the value names.
    var names: [String]
}

/// Keys of other tools with the meaning that `switch` has for the preempted popup.
private let precedenceWords: Set = [
    "preempt", "preempts", "preemptive", "interrupt", "interrupts", "interruptive",
    "can_interrupt", "override", "overrides", "replace", "replaces", "take_over", "takes_over",
    "supersede", "supersedes", "force", "forced", "steal", "evict", "evicts", "urgent", "immediate",
]

extension Decoder {
    /// Notes a key of a popup that claims precedence over others; the help depends on the others.
    mutating func takesPlace(_ entry: YAMLEntry, in table: TableSchema) -> Bool {
        guard let name = entry.key.scalar?.text, table.title == "a popup",
            precedenceWords.contains(name.foldedForNames)
        else { return false }
        let texts = ([entry.value] + entry.value.items).compactMap { $0.scalar?.text }
        if texts.contains(where: { PopupRule.Switch(rawValue: $0) != nil }) { return false }
        let words = ["true", "false", "yes", "no", "on", "off", "always", "never", ""]
        claim = PrecedenceClaim(
            key: Located(name, at: entry.key.range),
            isMeant: !["false", "no", "off", "never"].contains(texts.first ?? ""),
            names: texts.filter { !words.contains($0.lowercased()) })
        return true
    }
}

extension Linker {
    /// Reports a popup that is written to take the place of others.
    mutating func check(_ claim: PrecedenceClaim, of popup: PopupModel) {
        suggestions -= 1
        var others: [PopupModel] = []
        if suggestions >= 0 {
            let own = popup.priority?.value ?? PopupRule.normalPriority
            let lane = popup.place.scheduler?.value ?? RuleModel.mainScheduler
            others = model.popups.entries.filter { other in
                (other.place.scheduler?.value ?? RuleModel.mainScheduler) == lane
                    && (other.priority?.value ?? PopupRule.normalPriority) < own
                    && (claim.names.isEmpty || claim.names.contains(other.name.value))
            }
        }
        diagnostics.report(.takesPlace(claim, of: popup, others: others.map(\.name.value)))
    }
}

extension Diagnostic {
    fileprivate static func takesPlace(
        _ claim: PrecedenceClaim, of popup: PopupModel, others: [String]
    ) -> Self {
        let name = popup.name.value
        var help = "remove the line: popups wait for the visible popup, unless it has `switch`"
        if claim.isMeant {
            help =
                others.isEmpty
                ? "raise the `priority` of `\(name)` above the others, and add `switch: latent` to"
                    + " each popup that must give way"
                : "add `switch: latent` (it comes back) or `switch: discard` to what must give"
                    + " way, here \(enumeration(others, atMost: 5))"
        }
        return Diagnostic(
            .schemaUnknownKey, message: "unknown key `\(claim.key.value)` in a popup",
            at: claim.key.range,
            label: "not a key of a popup", subject: "popup `\(name)`",
            notes: claim.isMeant
                ? [
                    "`switch` belongs in the popup that gives way to a popup with higher priority,"
                        + " not in the popup that replaces it"
                ] : [],
            help: [help])
    }
}
